/** A sale that was paid and not fulfilled counts for nothing until a person says that its money is ours, and then for as long as its payment stands. */
import type { Kysely } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { NotAllowed, Stale } from '~/core/errors';
import { Money } from '~/core/money';
import { ordenesOfNumber, whyNotFacturable } from '~/domain/facturacion/cfdi/facturables.server';
import { balanceList } from '~/domain/facturacion/mes/balance.server';
import { listasDelMes } from '~/domain/facturacion/mes/mesLists.server';
import { canceladasConPedido } from '~/domain/compras/pedidos/internal/colas.server';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { openOrden } from '~/domain/operacion/ordenAbierta.server';
import { ventaOf } from '~/domain/mercados/ml/internal/venta';
import { decideDevuelta, readDevuelta } from '~/domain/ventas/ordenes/devueltas.server';
import { pagadasSinEntregar } from '~/domain/ventas/ordenes/internal/colaDevueltas.server';
import { saveVentas } from '~/domain/ventas/ordenes/internal/saveVentas.server';
import { canceladasList } from '~/domain/ventas/ordenes/listOrdenes.server';
import { Order } from '~/integrations/mercadolibre/wire';
import type { DecisionDeDevuelta } from '~db/columns';
import { up as pagosEnPie } from '~db/migrations/20261202_1002_pagos_en_pie';
import { buildFactura } from '../../../support/builders/facturas';
import { claimOrden, buildQuien } from '../../../support/builders/ordenes';
import { buildTomado } from '../../../support/builders/pedidos';
import { ownerDatabase, testDatabase } from '../../../support/db';
import noCumplida from '../../mercados/samples/noCumplida.json';

const { db } = testDatabase();
const DIA = 86_400_000;
const [pago] = noCumplida.payments;
/** Refunded whole, as Mercado Libre tells a payment whose money went back to the buyer. */
const DEVUELTO = { payments: [{ ...pago, status: 'refunded', transaction_amount_refunded: 239 }] };
let minuto = 0;
let id: string;
let quien: string;

/** Reads the sale again, later than before. */
async function leer(changes: object = {}) {
  const raw = {
    ...noCumplida,
    last_updated: new Date(Date.parse('2026-11-09T10:00:00Z') + ++minuto * 60_000).toISOString(),
    ...changes,
  };
  const venta = ventaOf(Order.parse(raw), {
    raw,
    missing: [],
    envio: null,
    sinLeerEnvio: false,
    sinLeer: [],
    cargos: undefined,
    cupon: undefined,
    conocida: { retencion: Money.zero, cargosEn: new Date(), liberacion: null },
    now: new Date(),
  });
  await db.transaction().execute((trx) => saveVentas(trx, 'ml', [venta]));
}
const liquidar = (importe: string | null) =>
  db.updateTable('orden').set({ liquidado: importe }).where('id', '=', id).execute();
const decidir = async (
  decision: DecisionDeDevuelta,
  { huella, now = new Date() }: { huella?: string; now?: Date } = {},
) => {
  const vista = huella ?? (await readDevuelta(db, id))?.huella ?? '';
  return db
    .transaction()
    .execute((trx) =>
      decideDevuelta(
        trx,
        { orden: id, huella: vista, decision, folio: decision === 'reclamar' ? 'R-7' : null },
        quien,
        now,
      ),
    );
};
const orden = () => db.selectFrom('orden').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const libro = async () => {
  const fila = await db
    .selectFrom('libroVenta')
    .select(['pagado', 'diferencia'])
    .where('ordenId', '=', id)
    .executeTakeFirstOrThrow();
  return [fila.pagado.toFixed(2), fila.diferencia.toFixed(2)];
};
const enHoy = async () =>
  (await pagadasSinEntregar.mira(db, { ahora: new Date(), limite: 10, aparte: [], quien: { id: '', rol: 'sa' } }))
    .cosas;
const facturable = async () => {
  const { numOrden } = await orden();
  return whyNotFacturable((await ordenesOfNumber(db, numOrden))[0]!);
};
const conNota = async () =>
  (await listasDelMes.devueltas.first(db, listasDelMes.devueltas.parse(new URLSearchParams({ mes: '2026-11' })))).filas
    .length;

beforeEach(async () => {
  await db.deleteFrom('utilidadAjuste').execute();
  for (const table of ['fiscalClaim', 'facturaOrden', 'pedidoLinea', 'pedido', 'articulo'] as const)
    await db.deleteFrom(table).execute();
  await db.deleteFrom('orden').execute();
  await leer();
  ({ id } = await db.selectFrom('orden').select('id').executeTakeFirstOrThrow());
  quien ??= (await buildQuien(db)).id;
});

test('nobody is asked before a settlement paid it, nor once its money went back', async () => {
  expect((await orden()).enPie?.toFixed(2)).toBe('354.00');
  expect([await enHoy(), await readDevuelta(db, id)]).toEqual([[], null]);
  await liquidar('280.00');
  const [cosa, ...mas] = await enHoy();
  expect([cosa, mas]).toMatchObject([
    { detalle: '2000016200030003 · se recibieron $280.00', a: expect.stringContaining(`&ver=${id}`) },
    [],
  ]);
  // The view behind the card is of all dates, and only the view.
  await db
    .updateTable('orden')
    .set({ fechaCreacion: new Date('2025-02-01T12:00:00Z') })
    .where('id', '=', id)
    .execute();
  const { vistas } = pagadasSinEntregar;
  const vista = canceladasList.parse(new URLSearchParams(vistas!.ordenesCanceladas!.slice(1)));
  expect((await canceladasList.first(db, vista)).filas.map((fila) => fila.id)).toEqual([id]);
  expect(canceladasList.parse(new URLSearchParams({ rango: 'todas' }))).toMatchObject({ rango: 'esteMes' });
  await leer(DEVUELTO);
  expect([(await orden()).enPie, await enHoy(), await readDevuelta(db, id)]).toEqual([null, [], null]);
  await expect(decidir('facturar')).rejects.toThrow(NotAllowed);
});

test('its ledger holds what the marketplace has of it, and nothing once its payment went back', async () => {
  const recibe = async () => {
    const libroVenta = db.selectFrom('libroVenta').select(['recibe', 'porLiberar']).where('ordenId', '=', id);
    const { recibe: llega, porLiberar } = await libroVenta.executeTakeFirstOrThrow();
    return [llega?.isZero(), porLiberar?.isZero()];
  };
  expect(await recibe()).toEqual([false, false]);
  await leer(DEVUELTO);
  await db.updateTable('orden').set({ comision: '0.00', retencion: '0.00' }).where('id', '=', id).execute();
  expect(await recibe()).toEqual([true, true]);
});

test('kept, it counts and can be invoiced, over later readings too, until its payment goes back', async () => {
  await liquidar('280.00');
  expect([await libro(), await facturable()]).toEqual([
    ['0.00', '0.00'],
    'La orden fue devuelta y no se puede facturar.',
  ]);
  await decidir('facturar');
  const contada = { clase: 'normal', situacion: 'devuelta', conservada: true };
  expect(await orden()).toMatchObject(contada);
  expect([await libro(), await facturable(), await enHoy()]).toEqual([['354.00', '-354.00'], undefined, []]);
  await leer();
  expect(await orden()).toMatchObject(contada);
  expect(await libro()).toEqual(['354.00', '-354.00']);

  await leer(DEVUELTO);
  expect(await orden()).toMatchObject({ clase: 'devuelta', conservada: true });
  expect([await libro(), await facturable()]).toEqual([
    ['0.00', '0.00'],
    'La orden fue devuelta y no se puede facturar.',
  ]);
});

test('who decides about another money, or about what was decided meanwhile, is told so', async () => {
  await liquidar('280.00');
  const { huella } = (await readDevuelta(db, id))!;
  await liquidar('270.00');
  await expect(decidir('facturar', { huella })).rejects.toThrow(Stale);
  const despues = (await readDevuelta(db, id))!.huella;
  await decidir('esperar', { huella: despues });
  await expect(decidir('facturar', { huella: despues })).rejects.toThrow(Stale);
  await expect(decidir('soltar')).rejects.toThrow('La venta no se cuenta.');
});

test('it waits for thirty days after a claim, and is then asked about as a new thing', async () => {
  await liquidar('280.00');
  const [antes] = await enHoy();
  await decidir('reclamar', { now: new Date(Date.now() - 29 * DIA) });
  expect(await enHoy()).toEqual([]);
  expect(await readDevuelta(db, id)).toMatchObject({
    decision: { decision: 'reclamar', folio: 'R-7', quien: 'Ana Ríos' },
  });
  await decidir('esperar', { now: new Date(Date.now() - 31 * DIA) });
  const [otra] = await enHoy();
  expect(otra).toMatchObject({ titulo: antes!.titulo });
  expect(otra!.id).not.toBe(antes!.id);
});

test('of an invoiced one no note is owed before the decision; kept, its factura stays and holds it', async () => {
  const factura = await buildFactura(db);
  await claimOrden(db, id, factura);
  await db.updateTable('facturaOrden').set({ importe: '354.00' }).where('ordenId', '=', id).execute();
  expect(await conNota()).toBe(1);
  await liquidar('280.00');
  expect(await conNota()).toBe(0);
  const motivos = async () =>
    (await balanceList.first(db, balanceList.parse(new URLSearchParams({ mes: '2026-11' })))).filas.map(
      ({ motivo }) => motivo,
    );
  expect(await motivos()).toEqual(['porDecidir']);
  await decidir('facturar');
  expect([await motivos(), await libro(), await conNota()]).toEqual([[], ['354.00', '0.00'], 0]);
  await expect(decidir('soltar')).rejects.toThrow(/Está en la factura .+: cancélala primero\./);
  await leer(DEVUELTO);
  expect([await motivos(), await conNota()]).toEqual([['devuelta'], 1]);
});

test('sales of before the upgrade get what stays paid of them where their document says that all of it stands', async () => {
  const despues = async (datos: object) => {
    await db
      .updateTable('orden')
      .set({ enPie: null, datos: JSON.stringify(datos) })
      .where('id', '=', id)
      .execute();
    await pagosEnPie(ownerDatabase().db as unknown as Kysely<unknown>);
    return (await orden()).enPie?.toFixed(2) ?? null;
  };
  expect(await despues(noCumplida)).toBe('354.00');
  expect(await despues({ ...noCumplida, ...DEVUELTO })).toBeNull();
  for (const payments of [undefined, null, {}, 'texto', []])
    expect(await despues({ ...noCumplida, payments })).toBeNull();
});

test('a kept one asks nobody to cancel what was bought for it', async () => {
  const venta = async () => (await openOrden(db, id, EFFECTS))!.esperas.map(({ paso }) => paso);
  await liquidar('280.00');
  const { numOrden } = await orden();
  await buildTomado(db, { ordenId: id, numOrden });
  const enCola = async () =>
    (await canceladasConPedido.mira(db, { ahora: new Date(), limite: 9, aparte: [], quien: { id: '', rol: 'sa' } }))
      .total;
  expect([await venta(), await enCola()]).toEqual([['cancelarPedido'], 1]);
  await decidir('facturar');
  expect([(await venta()).includes('cancelarPedido'), (await venta()).includes('pedir'), await enCola()]).toEqual([
    false,
    false,
    0,
  ]);
});

test('released again it counts for nothing', async () => {
  await liquidar('280.00');
  await decidir('facturar');
  await decidir('soltar');
  expect(await orden()).toMatchObject({ clase: 'devuelta', conservada: false });
  expect([await libro(), (await enHoy()).length]).toEqual([['0.00', '0.00'], 1]);
});
