import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { NotAllowed } from '~/core/errors';
import type { Rol, Usuario } from '~/core/usuario';
import { documentosDeProveedores } from '~/domain/compras/pagos/internal/colaPagos.server';
import { action, loader } from '~/routes/compras/cuenta/estadoDeCuenta';
import { action as facturasAction } from '~/routes/compras/facturas/lista';
import { loader as excel } from '~/routes/files/descargasEstadoDeCuenta';
import { openCuenta } from '../support/builders/cuentaDeProveedor';
import { cfdiDeProveedor, complementoDeProveedor, linkNuestroRfc } from '../support/builders/proveedores';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase } from '../support/db';

const { db } = testDatabase();
const people = new Map<Rol, Usuario>();
const { escena, factura } = openCuenta(db, () => people.get('admin')!.id);
beforeAll(async () => {
  for (const rol of ['sa', 'admin', 'cont'] as const) people.set(rol, await buildPersona(db, rol));
  await linkNuestroRfc(db);
});

function args(rol: Rol, path: string, body?: Record<string, string> | FormData, params: Record<string, string> = {}) {
  const request = new Request(
    `http://trastienda.test/${rol}/${path}`,
    body ? { method: 'POST', body: body instanceof FormData ? body : new URLSearchParams(body) } : {},
  );
  return { request, params, context: { usuario: people.get(rol) } as unknown as AppLoadContext } as ActionFunctionArgs;
}
const espera = async (rol: Rol, texto: string) =>
  (
    await documentosDeProveedores.mira(db, {
      ahora: new Date('2026-11-29T12:00:00-06:00'),
      limite: 500,
      aparte: [],
      quien: { id: people.get(rol)!.id, rol },
    })
  ).cosas.filter(({ titulo, a }) => titulo.includes(texto) || a.includes(texto));

test('dropping a note, an invoice and a complement tells what each was, and where a note waits', async () => {
  const form = new FormData();
  form.set('intent', 'subirXml');
  const uuid = randomUUID();
  const xmls = [
    cfdiDeProveedor({ folio: 'R1', uuid }),
    cfdiDeProveedor({ folio: 'R2', tipo: 'E', relacionados: { tipoRelacion: '01', uuids: [uuid] } }),
    complementoDeProveedor({ pagos: [{ fecha: '2026-11-01', doctos: [{ uuid, pagado: '116.00' }] }] }),
  ];
  for (const [at, xml] of xmls.entries()) form.append('xml', new File([xml], `${at}.xml`, { type: 'text/xml' }));
  const answer = (await facturasAction(args('admin', 'facturasProveedores?xml=1', form))) as Response;
  expect(answer.status).toBe(302);
  expect(new URL(answer.headers.get('Location')!, 'http://x.test').searchParams.get('cfdi')?.split(',')).toHaveLength(
    1,
  );
});

describe('Estado de cuenta', () => {
  test('cont sees the account and what waits; only who may act relates a note', async () => {
    const suyo = await escena();
    const una = await suyo.facturar({ monto: '58.00' });
    await suyo.facturar({ uuid: una.uuid, folio: una.folio, monto: '58.00' });
    await suyo.notar([una.uuid]);
    const donde = `estadoDeCuenta?proveedor=${suyo.value}&desde=2026-01-01&hasta=2026-12-31`;
    const vista = await loader(args('cont', donde));
    expect([vista.puede, vista.estado!.movimientos.map(({ que }) => que)]).toEqual([false, ['factura', 'nota']]);
    const [nota] = vista.notas;
    expect(nota).toMatchObject({ porRelacionar: '23.20', aFavor: '0.00' });
    expect(await espera('cont', nota!.folio)).toMatchObject([{ a: `estadoDeCuenta?nota=${nota!.id}` }]);

    const abierta = await loader(args('admin', `${donde}&nota=${nota!.id}`));
    expect(abierta.abierta!.id).toBe(nota!.id);
    const elegida = abierta.facturas.find(({ id }) => id === una.id)!;
    const form = {
      intent: 'relacionarNota',
      nota: nota!.id,
      queda: '23.20',
      factura: `${elegida.id}|${elegida.falta}`,
      importe: '23.20',
    };
    await expect(action(args('cont', donde, form))).rejects.toThrow(NotAllowed);
    expect(await action(args('admin', donde, form))).toBeInstanceOf(Response);
    expect(await factura(una.id)).toEqual(['58.00', '0.00', '23.20']);
    expect((await loader(args('cont', donde))).notas).toEqual([]);
    expect(await espera('cont', nota!.folio)).toEqual([]);
  });

  test('without a supplier it lists what is owed; a range that is none says so; an unknown one has no file', async () => {
    const suyo = await escena();
    await suyo.facturar();
    const vista = await loader(args('sa', 'estadoDeCuenta'));
    expect([vista.estado, vista.deudas.some(({ proveedor }) => proveedor === suyo.value)]).toEqual([null, true]);
    expect((await loader(args('sa', 'estadoDeCuenta?desde=2026-13-01&hasta=2026-12-01'))).aviso).toMatch(
      /no son válidas/,
    );
    const archivo = await excel(
      args('cont', 'x?desde=2026-01-01&hasta=2026-12-31', undefined, { proveedor: suyo.value }),
    );
    expect(archivo.headers.get('Content-Disposition')).toContain('.xlsx');
    await expect(excel(args('cont', 'x', undefined, { proveedor: 'nadie' }))).rejects.toMatchObject({ status: 404 });
  });

  test('a PPD invoice without its complement is work for who declares', async () => {
    const suyo = await escena();
    const una = await suyo.facturar({ metodoPago: 'PPD' });
    await suyo.pagar('2026-10-31', '116.00', { [una.ordenId]: '116.00' });
    expect(await espera('cont', una.folio)).toMatchObject([
      { a: `estadoDeCuenta?proveedor=${suyo.value}`, detalle: expect.stringContaining('sin complemento') as string },
    ]);
    await suyo.complementar('2026-10-31', [{ uuid: una.uuid, pagado: '116.00', base: '100.00', iva: '16.00' }]);
    expect(await espera('cont', una.folio)).toEqual([]);
  });
});
