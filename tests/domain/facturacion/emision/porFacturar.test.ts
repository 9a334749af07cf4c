import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { invoiceAsShown } from '~/domain/facturacion/emision/invoiceVenta.server';
import { esperaFactura, listPorFacturar, listasParaFacturar } from '~/domain/facturacion/emision/porFacturar.server';
import { readPorRevisar } from '~/domain/facturacion/emision/draftSteps.server';
import { Stale } from '~/core/errors';
import { readMostrado } from '~/core/choque';
import { buildVenta, CLIENTES } from '../../../support/builders/ventas';
import { ownerDatabase } from '../../../support/db';
import { openPac } from '../../../support/pac';

const { db, sa } = await openPac();
const [cliente] = CLIENTES;
let n = 0;

beforeEach(async () => {
  await db.updateTable('orden').set({ billingInfoId: null }).execute();
});

/** A sale whose buyer gave these tax data at the marketplace. */
async function ventaDe(dicho: { rfc: string; usoCfdi?: string | null; razonSocial?: string }) {
  const venta = await buildVenta(db);
  const billingInfoId = `b-${++n}`;
  await db
    .insertInto('compradorFiscal')
    .values({ market: 'ml', billingInfoId, razonSocial: cliente.razonSocial, usoCfdi: null, ...dicho })
    .execute();
  await db.updateTable('orden').set({ billingInfoId }).where('numOrden', '=', venta.numOrden).execute();
  return { ...venta, id: venta.ordenIds[0]! };
}
const mira = async () => {
  const { cosas } = await listasParaFacturar.mira(db, {
    ahora: new Date(),
    limite: 50,
    aparte: [],
    quien: { id: sa.id, rol: 'sa' },
  });
  return cosas.map(({ detalle }) => detalle.split(' · ')[0]);
};
const vistoOf = ({ visto, revision }: NonNullable<Awaited<ReturnType<typeof readPorRevisar>>>) => ({
  version: visto.version,
  mostrado: readMostrado(visto.mostrado),
  pagado: revision.pagado,
});

test('a cart that is ready in part is ready for nobody: the card counts what the list behind it holds', async () => {
  const { listas: antes } = await listPorFacturar(db, 10);
  const { numOrden, ordenIds } = await buildVenta(db, { precios: ['116.00', '232.00'] });
  const billingInfoId = `b-${++n}`;
  await db
    .insertInto('compradorFiscal')
    .values({ market: 'ml', billingInfoId, razonSocial: cliente.razonSocial, usoCfdi: 'G03', rfc: cliente.rfc })
    .execute();
  await db.updateTable('orden').set({ billingInfoId }).where('numOrden', '=', numOrden).execute();
  await db.updateTable('orden').set({ formaPago: null }).where('id', '=', ordenIds[1]!).execute();
  expect(await mira()).not.toContain(numOrden);
  expect((await listPorFacturar(db, 10)).listas).toEqual(antes);
  await db.updateTable('orden').set({ formaPago: '04' }).where('id', '=', ordenIds[1]!).execute();
  expect(await mira()).toContain(numOrden);
  await db.deleteFrom('articulo').where('ordenId', 'in', ordenIds).execute();
  await db.deleteFrom('orden').where('id', 'in', ordenIds).execute();
});

test('a sale is ready when its receiver is known here and its use was told; nothing else preselects a use', async () => {
  const lista = await ventaDe({ rfc: cliente.rfc, usoCfdi: 'G03' });
  const sinUso = await ventaDe({ rfc: cliente.rfc });
  const sinCliente = await ventaDe({ rfc: 'EKU9003173C9', usoCfdi: 'G03' });
  const publico = await ventaDe({ rfc: 'XAXX010101000', usoCfdi: 'S01' });
  expect(await mira()).toEqual([lista.numOrden]);
  const { piden, listas, ventas } = await listPorFacturar(db, 10);
  expect([piden, listas]).toEqual([3, [lista.id]]);
  const numeros = ventas.map(({ numOrden }) => numOrden);
  expect(new Set(numeros.slice(0, 3))).toEqual(new Set([lista, sinUso, sinCliente].map(({ numOrden }) => numOrden)));
  expect(numeros.indexOf(publico.numOrden), 'who asked goes first').toBeGreaterThanOrEqual(3);
  // The panel of a sale says so of who gave tax data, whether or not one press is enough.
  const esperan = await Promise.all(
    [lista, sinCliente, publico].map(({ numOrden }) => esperaFactura(db, { market: 'ml', numOrden })),
  );
  expect(esperan.map((suyas) => suyas.map(({ paso, pantalla }) => [paso, pantalla]))).toEqual([
    [['facturar', `facturacion?numOrden=${lista.numOrden}`]],
    [['facturar', `facturacion?numOrden=${sinCliente.numOrden}`]],
    [],
  ]);

  const [una, otra] = [await readPorRevisar(db, lista.id, sa), await readPorRevisar(db, sinUso.id, sa)];
  expect(una).toMatchObject({
    completa: true,
    cliente: { modo: 'lectura' },
    revision: { revision: { usoCfdi: 'G03' } },
  });
  expect(otra).toMatchObject({ completa: false, revision: { revision: { usoCfdi: '' } } });
  expect(await db.selectFrom('facturaDraft').select('id').where('numOrden', '=', lista.numOrden).execute()).toEqual([]);
});

test('it is invoiced as it was shown, once, and a sale that moved is told and not stamped', async () => {
  const venta = await ventaDe({ rfc: cliente.rfc, usoCfdi: 'G03' });
  const shown = (await readPorRevisar(db, venta.id, sa))!;
  const pedida = { numOrden: venta.numOrden, visto: vistoOf(shown), revision: shown.revision.revision };
  await db.updateTable('articulo').set({ nombre: 'Otra cosa' }).where('ordenId', '=', venta.id).execute();
  await expect(invoiceAsShown(db, pedida, sa, new Date())).rejects.toThrow(Stale);
  expect(await mira()).toEqual([venta.numOrden]);
  const again = (await readPorRevisar(db, venta.id, sa))!;
  const now = { ...pedida, visto: vistoOf(again) };
  const draft = await invoiceAsShown(db, now, sa, new Date());
  expect(await invoiceAsShown(db, now, sa, new Date())).toBe(draft);
  expect(await mira()).toEqual([]);
  expect(await readPorRevisar(db, venta.id, sa)).toMatchObject({ completa: false });
});

test('a factura that meets a migration, each waiting for the other, is made all the same, once', async () => {
  const venta = await ventaDe({ rfc: cliente.rfc, usoCfdi: 'G03' });
  const shown = (await readPorRevisar(db, venta.id, sa))!;
  const pedida = { numOrden: venta.numOrden, visto: vistoOf(shown), revision: shown.revision.revision };
  const waits = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_locks where not granted and relation = 'effect'::regclass`.execute(
      ownerDatabase().db,
    );
    return rows[0]!.count;
  };
  let made: Promise<string> | undefined;
  await ownerDatabase()
    .db.transaction()
    .execute(async (trx) => {
      await sql`lock table effect in exclusive mode`.execute(trx);
      made = invoiceAsShown(db, pedida, sa, new Date());
      await expect.poll(waits).toBe(1);
      // Its draft is the factura's, which PostgreSQL ends after a second.
      await sql`lock table factura_draft in exclusive mode`.execute(trx);
    });
  const draft = await made!;
  expect(await invoiceAsShown(db, pedida, sa, new Date())).toBe(draft);
  const { rows } = await sql`select id from effect where request ->> 'numOrden' = ${venta.numOrden}`.execute(db);
  expect(rows).toHaveLength(1);
});
