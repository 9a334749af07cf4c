import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { NotAllowed } from '~/core/errors';
import { CONDICIONES } from '~/domain/operacion/mantenimiento/internal/condicionCatalog.server';
import { balanceStock, descuadradas } from '~/domain/compras/stock/cuadre.server';
import { ESTADOS, mayPass, type EstadoDeStock } from '~/domain/compras/stock/pieza';
import { codigosQr, estadosDeStock } from '~/domain/compras/stock/internal/batches.server';
import { changeEstado, undoMovimiento } from '~/domain/compras/stock/piezas.server';
import { prepareBatch, readPreparedBatch, runBatch, startBatch } from '~/platform/batches/prepared.server';
import { buildPiezas, buildProductoDeStock } from '../../../support/builders/stock';
import { buildPersona } from '../../../support/builders/ventas';
import { ownerDatabase, testDatabase } from '../../../support/db';

const { db } = testDatabase();
const usuarioId = (await buildPersona(db)).id;
const producto = (await buildProductoDeStock(db)).id;

/** All of it: `STOCK_MOVIMIENTOS=10000`. */
const MOVIMIENTOS = Number(process.env.STOCK_MOVIMIENTOS ?? 400);
const PERSONAS = 8;

/** The same numbers each time (mulberry32). */
function azar(seed: number) {
  let state = seed;
  return (n: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

test('whatever eight people do at once, movements add up to where each piece is and none skips a step', async () => {
  const piezas = await buildPiezas(db, usuarioId, { producto, cantidad: '12' });
  let hechos = 0;
  const persona = async (seed: number) => {
    const n = azar(seed);
    for (let at = 0; at < MOVIMIENTOS / PERSONAS; at++) {
      const { id } = piezas[n(piezas.length)]!;
      const { version } = await db
        .selectFrom('stockInterno')
        .select('version')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const estado = ESTADOS[n(ESTADOS.length)]!;
      const deshace = n(5) === 0;
      try {
        await db
          .transaction()
          .execute((trx) =>
            deshace
              ? undoMovimiento(trx, { id, version }, usuarioId)
              : changeEstado(trx, { id, version, estado }, usuarioId),
          );
        hechos += 1;
      } catch (error) {
        if (!(error instanceof NotAllowed)) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: PERSONAS }, (_, at) => persona(at + 1)));
  expect(hechos).toBeGreaterThan(MOVIMIENTOS / 20);
  expect(await descuadradas(db)).toEqual([]);
  const { rows } = await sql<{
    id: string;
    de: EstadoDeStock | null;
    a: EstadoDeStock;
    deshace: string | null;
    antes: EstadoDeStock | null;
  }>`
    select id, de, a, deshace, lag(a) over (partition by pieza_id order by id) as antes from stock_movimiento order by id`.execute(
    db,
  );
  expect(rows.filter(({ de, antes }) => de !== antes)).toEqual([]);
  expect(rows.filter(({ de, a, deshace }) => de !== null && deshace === null && !mayPass(de, a))).toEqual([]);
}, 600_000);

test('what was written past the movements is found at night and told', async () => {
  const [pieza] = await buildPiezas(db, usuarioId, { producto });
  const condicion = CONDICIONES.find(({ clave }) => clave === 'stockDescuadrado')!;
  await balanceStock(db);
  expect(await condicion.mira(db)).toBeNull();
  const owner = ownerDatabase().db;
  await owner.transaction().execute(async (trx) => {
    await sql`alter table stock_interno disable trigger user`.execute(trx);
    await sql`update stock_interno set estado = 'baja' where id = ${pieza!.id}`.execute(trx);
    await sql`alter table stock_interno enable trigger user`.execute(trx);
  });
  await balanceStock(db);
  expect((await condicion.mira(db))?.remedio).toContain(pieza!.folio);
  await sql`delete from stock_movimiento where pieza_id = ${pieza!.id}`.execute(owner);
  expect(await descuadradas(db)).toContain(pieza!.folio);
});

test('a change of state of many leaves out those that may not, and their labels change nothing', async () => {
  const [una] = await buildPiezas(db, usuarioId, { producto, estado: 'disponible' });
  const [otra] = await buildPiezas(db, usuarioId, { producto, estado: 'baja' });
  const acciones = Object.fromEntries([...estadosDeStock, codigosQr].map((accion) => [accion.accion, accion]));
  const correr = async (accion: string) => {
    const lote = await db.transaction().execute(async (trx) => {
      const filas = [una!.id, otra!.id];
      const id = await prepareBatch(trx, acciones[accion]!, { lista: 'stockInterno', consulta: '', filas, usuarioId });
      await startBatch(trx, acciones[accion]!, id, usuarioId);
      return id;
    });
    await runBatch(db, acciones, lote);
    return (await readPreparedBatch(db, acciones, lote, usuarioId))!.filas.map(({ estado }) => estado);
  };
  expect(await correr('codigosQr')).toEqual(['hecha', 'hecha']);
  expect(await correr('stock.danado')).toEqual(['hecha', 'fuera']);
  const { estado } = await db
    .selectFrom('stockInterno')
    .select('estado')
    .where('id', '=', una!.id)
    .executeTakeFirstOrThrow();
  expect(estado).toBe('danado');
});
