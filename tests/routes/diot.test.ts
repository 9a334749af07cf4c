import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/node';
import { beforeAll, expect, test } from 'vitest';
import type { Rol, Usuario } from '~/core/usuario';
import { receiveCfdis } from '~/domain/compras/facturas/cfdis.server';
import { createProveedorFactura } from '~/domain/compras/facturas/proveedorFacturas.server';
import { loader } from '~/routes/compras/diot/diot';
import { loader as txt } from '~/routes/files/descargasDiot';
import { loader as excel } from '~/routes/files/descargasDiotExcel';
import { buildOrdenDe, cfdiDeProveedor, linkNuestroRfc } from '../support/builders/proveedores';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase } from '../support/db';

const { db } = testDatabase();
const people = new Map<Rol, Usuario>();
beforeAll(async () => {
  for (const rol of ['sa', 'admin', 'cont'] as const) people.set(rol, await buildPersona(db, rol));
  await linkNuestroRfc(db);
  const { id: ordenId } = await buildOrdenDe(db, [{ modelo: 'D1' }]);
  await db.transaction().execute(async (trx) => {
    const { id: usuarioId } = people.get('admin')!;
    const contenido = Buffer.from(cfdiDeProveedor({ folio: '77' }));
    const { leidos } = await receiveCfdis(trx, [{ nombre: 'a.xml', contenido }], usuarioId);
    const nueva = { ordenId, proveedor: 'syscom', folio: 'A77', monto: '116.00', cfdi: leidos[0]! };
    await createProveedorFactura(trx, nueva, usuarioId, { rfc: true });
    const pago = { proveedor: 'syscom', folio: 'P1', fecha: '2026-10-31', total: '120.00' };
    const { id: pagoId } = await trx.insertInto('pago').values(pago).returning('id').executeTakeFirstOrThrow();
    await trx.insertInto('pagoOrden').values({ pagoId, ordenId }).execute();
  });
});

function args(rol: Rol, query: string, params: Record<string, string> = {}) {
  const request = new Request(`http://trastienda.test/${rol}/diot${query}`);
  const context = { usuario: people.get(rol), ip: '127.0.0.1' } as unknown as AppLoadContext;
  return { request, params, context } as LoaderFunctionArgs;
}

test('cont reads a month and downloads both files; only who may pay gets the links of the next step', async () => {
  const page = await loader(args('cont', '?mes=2026-10'));
  expect(page).toMatchObject({
    mes: '2026-10',
    puede: false,
    diot: {
      lineas: 1,
      filas: [
        { rfc: 'SSC840823JT3', pagado: '116.00', cifras: { base16: '100.00', iva16: '16.00' }, sinSaber: '4.00' },
      ],
      faltas: [{ motivo: 'sinFactura', importe: '4.00', ejemplos: [{ folio: 'P1' }] }],
      sinSaber: '4.00',
    },
  });
  expect((await loader(args('admin', '?mes=2026-10'))).puede).toBe(true);
  const archivo = await txt(args('cont', '', { mes: '2026-10' }));
  expect(archivo.headers.get('Content-Disposition')).toContain('DIOT 2026-10.txt');
  const texto = await archivo.text();
  expect(texto).toMatch(/^04\|02\|SSC840823JT3\|/);
  expect(texto.split('|')).toHaveLength(54);
  expect(await (await txt(args('cont', '?vacios=1', { mes: '2026-10' }))).text()).not.toContain('|0|');
  expect(Buffer.from(await (await txt(args('cont', '?marca=1', { mes: '2026-10' }))).arrayBuffer())[0]).toBe(0xef);
  expect((await excel(args('cont', '', { mes: '2026-10' }))).headers.get('Content-Disposition')).toContain('.xlsx');
});

test('an address without a month shows the last whole one; a month that is none, or has no line, has no file', async () => {
  const { mes, hoy } = await loader(args('sa', ''));
  expect(mes < hoy).toBe(true);
  const mal = await loader(args('sa', '?mes=2026-13'));
  expect([mal.mes, mal.aviso]).toEqual([mes, expect.stringMatching(/^El mes no es válido\. Se muestra /)]);
  for (const malo of ['x', '2026-13', '../..'])
    for (const file of [txt, excel])
      await expect(file(args('sa', '', { mes: malo }))).rejects.toMatchObject({ status: 404 });
  await expect(txt(args('sa', '', { mes: '2026-01' }))).rejects.toMatchObject({ status: 404 });
});
