/** A sale of which the marketplace gives back a part after its factura: the note of that part, and of the rest when it comes back too. */
import { expect, test } from 'vitest';
import { sql } from 'kysely';
import { Money } from '~/core/money';
import { civilDay } from '~/core/time';
import { generateGlobal } from '~/domain/facturacion/mes/global.server';
import { listasDelMes } from '~/domain/facturacion/mes/mesLists.server';
import { readMes } from '~/domain/facturacion/mes/mesView.server';
import { refreshArticulos, requireDraft, saveDraft } from '~/domain/facturacion/emision/draft.server';
import { readDraft } from '~/domain/facturacion/emision/draftSteps.server';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { requestCancelacion } from '~/domain/facturacion/cancelacion/requestCancelacion.server';
import { issueNotas, ventasSinNota } from '~/domain/facturacion/notasCredito/notasCredito.server';
import { readCfdiXml } from '~/integrations/sat/cfdiXml.server';
import { syncVentas } from '~/domain/sync/syncVentas.server';
import { buildBorrador, REVISION } from '../../../support/builders/ventas';
import { fuenteDe, linkSandbox, type SaleFacts } from '../../../support/mercadolibre';
import { runJobsUntil } from '../../../support/jobs';
import { openPac, settle } from '../../../support/pac';

const { db, sandbox, sa } = await openPac({ publicoGeneral: true, options: { mercadolibre: { orders: 0 } } });
const ml = await linkSandbox(db, sandbox);
const mes = civilDay(new Date()).slice(0, 7);
const now = () => new Date();

const bring = () => syncVentas(db, fuenteDe(ml), { kind: 'sweep', since: new Date(Date.now() - 3_600_000) });
async function vender(precio: string) {
  const { numOrden, ordenes } = await sandbox.mercadolibre.post<SaleFacts>('/ordenes', { precio, sinAviso: true });
  await bring();
  const orden = await db
    .selectFrom('orden')
    .select(['id', 'numOrden', 'pagado'])
    .where('numOrden', '=', String(numOrden))
    .executeTakeFirstOrThrow();
  return { ...orden, marketId: ordenes[0]! };
}
async function devolver(marketId: string, monto?: number) {
  const path = monto === undefined ? 'devolver' : 'devolverParte';
  await sandbox.mercadolibre.post(`/ordenes/${marketId}/${path}`, { monto, refunded: true, sinAviso: true });
  await bring();
}
async function facturar({ id, numOrden }: { id: string; numOrden: string }) {
  const draft = await buildBorrador(db, { numOrden, ordenIds: [id], total: '' }, sa);
  await db
    .transaction()
    .execute((trx) =>
      createFactura(trx, draft, { revision: REVISION(), diferenciaAceptada: false, usuarioId: sa.id, now: now() }),
    );
  await settle();
}
async function emitir(tabla: 'devueltas' | 'parciales') {
  const lote = await issueNotas(db, { mes, tabla, usuarioId: sa.id, now: now() });
  await settle();
  await sql`update batch set created_at = created_at - interval '2 minutes'`.execute(db);
  return db
    .selectFrom('factura')
    .innerJoin('effect', 'effect.id', 'factura.effectId')
    .where('effect.batchId', '=', lote)
    .select(['factura.id', 'factura.uuid', 'factura.total', 'factura.motivo', 'factura.origenId', 'factura.rfc'])
    .orderBy('factura.total')
    .execute();
}
const libro = (ordenId: string) =>
  db
    .selectFrom('libroVenta')
    .select(['pagado', 'cobrado', 'acreditado', 'diferencia'])
    .where('ordenId', '=', ordenId)
    .executeTakeFirstOrThrow()
    .then((row) => Object.values(row).map((amount) => amount.toFixed(2)));
const enTabla = async (tabla: 'devueltas' | 'parciales') =>
  (await readMes(db, mes)).tablas
    .filter((one) => one.tabla === tabla)
    .map(({ registros, total }) => [registros, total.toFixed(2)])[0];

test('each part that is given back of an invoiced sale gets its note, the rest another, and the balance is 0.00 after each', async () => {
  const venta = await vender('1160.00');
  const pagado = Number(venta.pagado.toFixed(2));
  expect(await libro(venta.id)).toEqual([venta.pagado.toFixed(2), '0.00', '0.00', (-pagado).toFixed(2)]);
  await facturar(venta);
  expect((await libro(venta.id)).at(-1)).toBe('0.00');
  expect(await enTabla('parciales')).toEqual([0, '0.00']);

  await devolver(venta.marketId, 160.01);
  expect((await libro(venta.id)).at(-1)).toBe('160.01');
  expect(await enTabla('parciales')).toEqual([1, '160.01']);
  expect(await enTabla('devueltas')).toEqual([0, '0.00']);
  const [nota] = await emitir('parciales');
  expect(nota).toMatchObject({ motivo: 'parcial', rfc: 'RAOF850412K20' });
  expect(nota!.total.toFixed(2)).toBe('160.01');
  const xml = readCfdiXml(await sandbox.facturacom.xml(nota!.uuid));
  expect(xml).toMatchObject({ tipo: 'E', relacionados: [{ tipoRelacion: '01' }] });
  expect(xml.conceptos[0]!.descripcion).toMatch(/^Devolución parcial de la venta /);
  expect((await libro(venta.id)).at(-1)).toBe('0.00');
  expect(await enTabla('parciales')).toEqual([0, '0.00']);
  // The sale stays in its factura: nobody invoices it twice.
  const claim = await db.selectFrom('fiscalClaim').select('facturaId').where('ordenId', '=', venta.id).execute();
  expect(claim).toEqual([{ facturaId: nota!.origenId }]);

  await devolver(venta.marketId, 260.01);
  const [segunda] = await emitir('parciales');
  expect(segunda!.total.toFixed(2)).toBe('100.00');

  await devolver(venta.marketId);
  const resto = (pagado - 260.01).toFixed(2);
  expect(await enTabla('devueltas')).toEqual([1, resto]);
  const [ultima] = await emitir('devueltas');
  expect([ultima!.motivo, ultima!.total.toFixed(2)]).toEqual(['devuelta', resto]);
  expect(await libro(venta.id)).toEqual(['0.00', pagado.toFixed(2), pagado.toFixed(2), '0.00']);
  expect(await enTabla('devueltas')).toEqual([0, '0.00']);
});

test('a sale of a global gets the note of its part, and its customer the factura of what stayed paid', async () => {
  const venta = await vender('800.00');
  const pagado = Number(venta.pagado.toFixed(2));
  const asked = generateGlobal(db, { mes, usuarioId: sa.id, now: now() });
  asked.catch(() => undefined);
  await runJobsUntil(() =>
    Promise.race([asked.then(() => true), new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 20))]),
  );
  await asked;
  await settle();
  await sql`update batch set created_at = created_at - interval '2 minutes'`.execute(db);
  await devolver(venta.marketId, 50);
  const [nota] = await emitir('parciales');
  expect(nota).toMatchObject({ rfc: 'XAXX010101000' });
  expect(nota!.total.toFixed(2)).toBe('50.00');

  await facturar(venta);
  const propia = await db
    .selectFrom('factura')
    .select('total')
    .where('tipo', '=', 'individual')
    .where('numOrden', '=', venta.numOrden)
    .executeTakeFirstOrThrow();
  expect(propia.total.toFixed(2)).toBe((pagado - 50).toFixed(2));
  const lote = await issueNotas(db, { mes, tabla: 'refacturacion', usuarioId: sa.id, now: now() });
  await settle();
  await sql`update batch set created_at = created_at - interval '2 minutes'`.execute(db);
  const [deGlobal] = await db
    .selectFrom('factura')
    .innerJoin('effect', 'effect.id', 'factura.effectId')
    .where('effect.batchId', '=', lote)
    .select('factura.total')
    .execute();
  expect(deGlobal!.total.toFixed(2)).toBe((pagado - 50).toFixed(2));
  expect((await libro(venta.id)).at(-1)).toBe('0.00');
});

test('a note of a part that is cancelled leaves the sale in its factura, which owes the part again', async () => {
  const venta = await vender('400.00');
  await facturar(venta);
  await devolver(venta.marketId, 25);
  const [nota] = await emitir('parciales');
  await requestCancelacion(db, { facturaId: nota!.id, motivo: '02', usuarioId: sa.id, now: now() });
  await settle();
  expect((await libro(venta.id)).at(-1)).toBe('25.00');
  const claim = await db.selectFrom('fiscalClaim').select('facturaId').where('ordenId', '=', venta.id).execute();
  expect(claim).toEqual([{ facturaId: nota!.origenId }]);
  const [otra] = await emitir('parciales');
  expect(otra!.total.toFixed(2)).toBe('25.00');
  expect(await ventasSinNota(db, mes)).toEqual([]);
  const filtro = listasDelMes.parciales.parse(new URLSearchParams({ mes }));
  expect(await listasDelMes.parciales.totals(db, filtro)).toMatchObject({ registros: 0 });
});

test('whoever invoices a sale that was given back in part is told so, and a draft of before is brought up by one press', async () => {
  const venta = await vender('500.00');
  const antes = await buildBorrador(db, { numOrden: venta.numOrden, ordenIds: [venta.id], total: '' }, sa);
  await devolver(venta.marketId, 100);
  const avisos = async (id: string) => (await readDraft(db, id, sa, '1')).avisos.map(({ texto }) => texto);
  expect(await avisos(antes.id)).toEqual([
    'De esta venta se quedaron pagados $400.00 y sus artículos suman $500.00. Usa «Actualizar artículos» para descontar lo devuelto.',
  ]);
  await refreshArticulos(db, await requireDraft(db, antes.id, sa));
  expect(await avisos(antes.id)).toEqual([
    'Lo devuelto ya está descontado de los artículos: suman lo que se quedó pagado, $400.00.',
  ]);
  const [articulo] = (await requireDraft(db, antes.id, sa)).articulos;
  await saveDraft(db, await requireDraft(db, antes.id, sa), { articulos: [{ ...articulo!, importe: '390.00' }] });
  expect(await avisos(antes.id)).toEqual([]);
});

/** Sum of a CFDI's concepts and their tax, in the cents that the SAT compares with its total. */
const sumOfXml = ({ conceptos, impuestos }: ReturnType<typeof readCfdiXml>) =>
  Money.sum([...conceptos.map(({ importe }) => Money.of(importe)), Money.of(impuestos.totalTraslados)])
    .cents()
    .toFixed(2);

test('the amounts of a note of a part are what the SAT adds up', async () => {
  for (const importe of ['0.01', '0.02', '33.33', '159.99']) {
    const venta = await vender('999.99');
    await facturar(venta);
    await devolver(venta.marketId, Number(importe));
    const [nota] = await emitir('parciales');
    expect(nota!.total.toFixed(2)).toBe(importe);
    const xml = readCfdiXml(await sandbox.facturacom.xml(nota!.uuid));
    expect(sumOfXml(xml)).toBe(importe);
  }
});
