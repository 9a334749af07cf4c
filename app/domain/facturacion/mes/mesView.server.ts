import { sql } from 'kysely';
import { z } from 'zod';
import { batchProgress, itemsOfBatch, lastBatches, type BatchProgress } from '~/platform/effects/batches.server';
import type { Db } from '~db/client.server';
import type { EffectState } from '~db/columns';
import { isRunning } from './global.server';
import { motivoOf } from './lote';
import { TABLA_KEYS, TABLAS, type Mes, type Tabla } from './mes';
import { excluidasOfMes } from './mes.server';
import { marcasOfMes, totalesOf } from './mesVisto.server';

export type LoteView = BatchProgress;

/** A month as the screen shows it: what each table holds and adds up to, what is left out and why, and the last batch of each button. */
export async function readMes(db: Db, mes: Mes, now = new Date()) {
  const [totales, excluidas, lotes] = await Promise.all([
    Promise.all(TABLA_KEYS.map((tabla) => totalesOf(db, tabla, mes))),
    excluidasOfMes(db, mes),
    lastBatches(
      db,
      TABLA_KEYS.map((tabla) => TABLAS[tabla].lote),
      mes,
    ),
  ]);
  const tablas = TABLA_KEYS.map((tabla, at) => {
    const { registros, subTotal, iva, total } = totales[at]!;
    return {
      tabla,
      registros,
      subTotal,
      iva,
      total,
      visto: marcasOfMes(totales[at]!),
      lote: lotes.find(({ type }) => type === TABLAS[tabla].lote) ?? null,
    };
  });
  return { mes, enCurso: isRunning(mes, now), tablas, excluidas };
}

/** A batch of a month's closing and the table whose button began it. */
export async function readLote(db: Db, id: string): Promise<{ lote: LoteView; tabla: Tabla; mes: Mes } | undefined> {
  const lote = z.uuid().safeParse(id).success ? await batchProgress(db, id) : undefined;
  const tabla = TABLA_KEYS.find((key) => TABLAS[key].lote === lote?.type);
  return lote && tabla ? { lote, tabla, mes: lote.clave } : undefined;
}

export type MotivoDeLote = { motivo: string; partidas: number; ejemplos: string[] };
/** More reasons than these are read in the list. */
const MOST_MOTIVOS = 8;

/** Why items of a batch are not stamped, whole and once each: they fail by the hundred for one reason. */
export async function motivosOfLote(db: Db, id: string): Promise<MotivoDeLote[]> {
  const { rows } = await sql<{
    type: string;
    state: EffectState;
    reason: string | null;
    detail: string | null;
    partidas: number;
    ejemplos: string[];
  }>`
    select type, state, reason, detail, count(*)::int as partidas, (array_agg(ref order by id))[1:3] as ejemplos
    from ${itemsOfBatch(sql`${id}`)} last
    where state in ('refused', 'cancelled', 'manual') group by 1, 2, 3, 4 order by partidas desc, min(ref) limit ${MOST_MOTIVOS}`.execute(
    db,
  );
  return rows.map(({ partidas, ejemplos, ...partida }) => ({
    motivo: motivoOf(partida) ?? 'Sin motivo conocido.',
    partidas,
    ejemplos,
  }));
}

/** The items of an orden, as its row expands to. */
export async function readArticulosOf(db: Db, id: string) {
  if (!z.uuid().safeParse(id).success) return [];
  return db
    .selectFrom('articulo')
    .innerJoin('orden', 'orden.id', 'articulo.ordenId')
    .where((eb) =>
      eb.or([
        eb('orden.id', '=', id),
        eb('orden.id', 'in', (sub) =>
          sub.selectFrom('refacturacion').select('ordenId').where('refacturacion.id', '=', id),
        ),
      ]),
    )
    .select([
      'articulo.id',
      'articulo.nombre',
      'articulo.sku',
      'articulo.cantidad',
      'articulo.precioUnitario',
      'articulo.importe',
    ])
    .orderBy('articulo.posicion')
    .execute();
}
