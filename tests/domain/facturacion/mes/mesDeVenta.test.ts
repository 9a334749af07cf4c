import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { monthRange } from '~/core/time';
import { whyNotFacturable } from '~/domain/facturacion/cfdi/facturables.server';
import { porFacturar } from '~/domain/facturacion/mes/mes.server';
import { listasDelMes } from '~/domain/facturacion/mes/mesLists.server';
import { buildOrden } from '../../../support/builders/mes';
import { buildFactura } from '../../../support/builders/facturas';
import { ownerDatabase, testDatabase } from '../../../support/db';
import { vacuumAnalyze } from '../../../support/plans';

const { db } = testDatabase();

/** The same numbers on every run. */
function dice(seed: number) {
  return (sides: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((seed / 2 ** 32) * sides);
  };
}

test('every sale that can be invoiced is in exactly the month that a slow reading gives it, carts around the ends of months included', async () => {
  const roll = dice(7);
  const HOUR = 3_600_000;
  const ends = ['2026-03', '2026-04', '2026-05'].map((mes) => monthRange(mes).from.getTime());
  const clases = ['normal', 'normal', 'normal', 'normal', 'invalida', 'cancelada', 'devuelta'] as const;
  const estados = ['paid', 'paid', 'paid', 'partially_refunded', 'confirmed'];
  const factura = await buildFactura(db, {});
  for (let cart = 0; cart < 90; cart++) {
    // Up to two days around the end of a month, to the millisecond, or somewhere within it.
    const start =
      ends[roll(3)]! +
      (roll(4) === 0 ? roll(25 * 24) * HOUR : (roll(97) - 48) * HOUR + [0, -1, 1, 1_234_567][roll(4)]!);
    const size = 1 + roll(4);
    const packId = size > 1 || roll(5) === 0 ? `20007777${String(cart).padStart(8, '0')}` : null;
    for (
      let at = 0, fecha = start;
      at < size;
      at++, fecha += [0, 1, 5 * HOUR, 24 * HOUR, 24 * HOUR + 1, 30 * HOUR][roll(6)]!
    ) {
      const orden = await buildOrden(db, {
        fecha: new Date(fecha).toISOString(),
        packId,
        clase: clases[roll(7)]!,
        marketStatus: estados[roll(5)]!,
        meliResale: roll(12) === 0,
      });
      if (roll(5) === 0)
        await db
          .insertInto('fiscalClaim')
          .values({ ordenId: orden.id, kind: 'individual', effectId: factura.effectId, facturaId: factura.id })
          .execute();
    }
  }

  const ordenes = await db.selectFrom('orden').selectAll().execute();
  const claimed = new Set(
    (await db.selectFrom('fiscalClaim').select('ordenId').execute()).map(({ ordenId }) => ordenId),
  );
  const instantOf = (orden: (typeof ordenes)[number]) => {
    const first = Math.min(
      ...ordenes
        .filter(({ numOrden, market }) => numOrden === orden.numOrden && market === orden.market)
        .map(({ fechaCreacion }) => fechaCreacion.getTime()),
    );
    return orden.packId === null || orden.fechaCreacion.getTime() > first + 24 * HOUR
      ? orden.fechaCreacion.getTime()
      : first;
  };
  const slowly = (mes: string) => {
    const { from, to } = monthRange(mes);
    return ordenes.filter(
      (orden) =>
        instantOf(orden) >= from.getTime() &&
        instantOf(orden) < to.getTime() &&
        !claimed.has(orden.id) &&
        orden.pagadoAbs.toString() !== '0.00' &&
        whyNotFacturable(orden) === undefined,
    );
  };
  for (const mes of ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06']) {
    const { rows } = await sql<{ id: string }>`select id from orden where ${porFacturar(mes)}`.execute(db);
    expect(rows.map(({ id }) => id).sort()).toEqual(
      slowly(mes)
        .map(({ id }) => id)
        .sort(),
    );
    expect(
      (await listasDelMes.ordenes.totals(db, listasDelMes.ordenes.parse(new URLSearchParams({ mes })))).registros,
    ).toBe(slowly(mes).length);
  }
  expect(slowly('2026-03').length).toBeGreaterThan(20);
});

test('what waits for the global of a month is read from the index of what can be invoiced, whose condition is the same to the word', async () => {
  await vacuumAnalyze(ownerDatabase().db, 'orden');
  const plan = await db.transaction().execute(async (trx) => {
    // So few sales would be read whole.
    await sql`set local enable_seqscan = off`.execute(trx);
    await sql`set local enable_bitmapscan = off`.execute(trx);
    const { rows } = await sql<{
      'QUERY PLAN': string;
    }>`explain select sum(pagado_abs) from orden where ${porFacturar('2026-04')} and busqueda like '%camara%'`.execute(
      trx,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toMatch(/Index Only Scan using orden_facturable on orden/);
});
