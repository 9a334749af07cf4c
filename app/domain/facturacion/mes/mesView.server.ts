import { cambiosEntre, writeMostrado, type Mostrado } from '~/core/choque';
import { writeCount } from '~/core/count';
import { Stale } from '~/core/errors';
import { enPesos } from '~/core/importe';
import type { Money } from '~/core/money';
import { civilDateTime } from '~/core/time';
import type { Db, Trx } from '~db/client.server';
import { type Mes, type Tabla, TABLA_KEYS, TABLAS, isRunning } from './mes';
import { listasDelMes } from './mesLists.server';
import { sql } from 'kysely';
import { z } from 'zod';
import { batchProgress, itemsOfBatch, lastBatches, type BatchProgress } from '~/platform/batches/batches.server';
import type { EffectState } from '~db/columns';
import { motivoOf } from './lote';
import { excluidasOfMes } from './mes.server';

/** The sales that a screen showed: their hash, and number, sum and newest in words. */
export type MesVisto = { huella: string; mostrado: Mostrado };

type Totales = { registros: number; total: Money; ultima: Date | null; cuales: string };

/** The number of sales of a table, their sums and their hash. */
export async function totalesOf(db: Db | Trx, tabla: Tabla, mes: Mes) {
  const lista = listasDelMes[tabla];
  return lista.totals(db, lista.parse(new URLSearchParams({ mes })));
}

const huellaOf = ({ registros, total, cuales }: Totales) => `${registros}·${total.toString()}·${cuales}`;

const mostradoOf = ({ registros, total, ultima }: Totales): Mostrado => ({
  Ordenes: writeCount(registros),
  Total: enPesos(total),
  'Última venta': ultima === null ? '' : civilDateTime(ultima).slice(0, 16).replace('T', ' '),
});

/** The marks of a table, for the form of its button. */
export const marcasOfMes = (totales: Totales) => ({
  huella: huellaOf(totales),
  mostrado: writeMostrado(mostradoOf(totales)),
});

/**
 * The mark of a table for a caller that names the sales it saw by id. Throws Stale when the table holds another sale; named sales that it
 * does not hold change nothing.
 */
export async function vistoOfVentas(
  db: Db,
  { tabla, mes }: { tabla: Tabla; mes: Mes },
  ids: readonly string[],
): Promise<MesVisto> {
  const lista = listasDelMes[tabla];
  const filtro = lista.parse(new URLSearchParams({ mes }));
  const seen = new Set(ids);
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const totales = await lista.totals(trx, filtro);
      for await (const { id } of lista.stream(trx, filtro))
        if (!seen.has(id))
          throw new Stale(
            { cambios: [{ campo: 'Ventas', mio: 'las que se veían', suyo: 'otras' }], marcas: marcasOfMes(totales) },
            { texto: 'Hay ventas del mes que no estaban entre las que se vieron.' },
          );
      return { huella: huellaOf(totales), mostrado: mostradoOf(totales) };
    });
}

/**
 * Throws Stale when a table holds other sales than were shown: no document takes sales that nobody saw. The caller has locked the sales, so
 * none enters afterwards.
 */
export async function requireMesVisto(
  trx: Trx,
  titulo: string,
  { tabla, mes, visto }: { tabla: Tabla; mes: Mes; visto: MesVisto },
): Promise<void> {
  const totales = await totalesOf(trx, tabla, mes);
  if (huellaOf(totales) === visto.huella) return;
  const cambios = cambiosEntre(visto.mostrado, mostradoOf(totales));
  throw new Stale(
    {
      cambios:
        cambios.length > 0
          ? cambios
          : [{ campo: 'Ventas', mio: 'las que se veían', suyo: 'otras, que suman lo mismo' }],
      marcas: marcasOfMes(totales),
    },
    { titulo, texto: 'Las ventas de la tabla cambiaron mientras las veías.' },
  );
}

/** A batch of a month's closing. */
export type LoteView = BatchProgress;

/** Reads a month for its screen: the sums of each table, the sales that are left out with the reason, and the last batch of each button. */
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

/** A batch of a month's closing, with its month and the table whose button began it; undefined when there is none by that id. */
export async function readBatchOfMes(
  db: Db,
  id: string,
): Promise<{ lote: LoteView; tabla: Tabla; mes: Mes } | undefined> {
  const lote = z.uuid().safeParse(id).success ? await batchProgress(db, id) : undefined;
  const tabla = TABLA_KEYS.find((key) => TABLAS[key].lote === lote?.type);
  return lote && tabla ? { lote, tabla, mes: lote.clave } : undefined;
}

/** A reason, the number of its items, and three of their references. */
export type MotivoDeLote = { motivo: string; partidas: number; ejemplos: string[] };
/** Most reasons that are shown; the list has the rest. */
const MOST_MOTIVOS = 8;

/** The reasons for which items of a batch are not stamped, each once: items fail by the hundred for one reason. */
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
    where state in ('refused', 'cancelled', 'manual') group by 1, 2, 3, 4 order by partidas desc, min(ref)
    limit ${MOST_MOTIVOS}`.execute(db);
  return rows.map(({ partidas, ejemplos, ...partida }) => ({
    motivo: motivoOf(partida) ?? 'Sin motivo conocido.',
    partidas,
    ejemplos,
  }));
}

/** The articulos of an orden, by its id or by that of its row of `refacturacion`. */
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
