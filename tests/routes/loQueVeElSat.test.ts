import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { beforeAll, expect, test } from 'vitest';
import { NotAllowed } from '~/core/errors';
import type { Rol, Usuario } from '~/core/usuario';
import { action, loader } from '~/routes/facturacion/plataformas/loQueVeElSat';
import { loader as excel } from '~/routes/files/descargasLoQueVe';
import { loader as xmlOf } from '~/routes/files/descargasRetencion';
import { retencionDePlataforma } from '../support/builders/plataformas';
import { linkNuestroRfc } from '../support/builders/proveedores';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase } from '../support/db';

const { db } = testDatabase();
const people = new Map<Rol, Usuario>();
beforeAll(async () => {
  for (const rol of ['sa', 'admin', 'cont'] as const) people.set(rol, await buildPersona(db, rol));
  await linkNuestroRfc(db);
});

function args(rol: Rol, query: string, form?: FormData, params: Record<string, string> = {}) {
  const request = new Request(
    `http://trastienda.test/${rol}/loQueVeElSat${query}`,
    form ? { method: 'POST', body: form } : {},
  );
  const context = { usuario: people.get(rol), ip: '127.0.0.1' } as unknown as AppLoadContext;
  return { request, params, context } as ActionFunctionArgs;
}
const soltar = (...xml: [string, string][]) => {
  const form = new FormData();
  form.set('intent', 'subirRetenciones');
  form.set('market', '');
  for (const [name, text] of xml) form.append('xml', new File([text], name, { type: 'text/xml' }));
  return form;
};
const quitar = (id: string, confirmado = '1') => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ intent: 'quitarRetencion', id, confirmado })) form.set(name, value);
  return form;
};

test('an XML dropped by an admin leads to its month; cont looks and downloads, and changes nothing', async () => {
  const xml = retencionDePlataforma();
  const answer = (await action(args('admin', '?xml=1', soltar(['a.xml', xml])))) as Response;
  expect([answer.status, answer.headers.get('Location')]).toEqual([302, '?mes=2026-10']);
  const page = await loader(args('cont', '?mes=2026-10&xml=1'));
  expect(page).toMatchObject({ mes: '2026-10', puede: false, subir: false, documentos: [{ market: 'ml' }] });
  expect(page.mercados[0]!.suyo).toMatchObject({ sinIva: '1000.00', retenido: '105.00' });
  const { id } = page.documentos[0]!;
  expect(await (await xmlOf(args('cont', '', undefined, { id }))).text()).toBe(xml);
  const libro = await excel(args('cont', '', undefined, { anio: '2026' }));
  expect(libro.headers.get('Content-Disposition')).toContain('Lo que el SAT ve 2026.xlsx');
  await expect(action(args('cont', '', soltar(['a.xml', xml])))).rejects.toThrow(NotAllowed);
  await expect(action(args('cont', '', quitar(id)))).rejects.toThrow(NotAllowed);

  expect(await action(args('sa', '?mes=2026-10', quitar(id, '')))).toMatchObject({
    data: { confirmar: { texto: '¿Esta seguro que desea quitar el CFDI de Mercado Libre de octubre de 2026?' } },
  });
  await action(args('sa', '?mes=2026-10', quitar(id)));
  expect((await loader(args('cont', '?mes=2026-10'))).documentos).toEqual([]);
  await expect(xmlOf(args('cont', '', undefined, { id }))).rejects.toMatchObject({ status: 404 });
});

test('what could not be read says why beside what could; nothing read is a refusal', async () => {
  const bueno = retencionDePlataforma({ mesIni: '08', mesFin: '08' });
  expect(
    await action(args('sa', '?xml=1', soltar(['bueno.xml', bueno], ['malo.xml', '<!DOCTYPE x><x/>']))),
  ).toMatchObject({
    data: { resultado: { motivos: 'malo.xml: El XML declara un DOCTYPE o entidades.', meses: ['2026-08'] } },
  });
  expect(await action(args('sa', '?xml=1', soltar(['malo.xml', '<x/>'])))).toMatchObject({
    data: { titulo: 'Error de carga.', error: { '': ['malo.xml: El XML no es un CFDI de retenciones.'] } },
    init: { status: 422 },
  });
  expect(await action(args('sa', '?xml=1', soltar()))).toMatchObject({
    data: { error: { xml: ['Elige al menos un archivo XML.'] } },
  });
});

test('an address without a month shows the last whole one; years and ids that are none are a 404', async () => {
  const { mes, hoy } = await loader(args('sa', ''));
  expect(mes < hoy).toBe(true);
  const mal = await loader(args('sa', '?mes=2026-13'));
  expect([mal.mes, mal.aviso]).toEqual([mes, expect.stringMatching(/^El mes no es válido\. Se muestra /)]);
  for (const anio of ['x', '1999', '../..'])
    await expect(excel(args('sa', '', undefined, { anio }))).rejects.toMatchObject({ status: 404 });
  await expect(xmlOf(args('sa', '', undefined, { id: 'no' }))).rejects.toMatchObject({ status: 404 });
});
