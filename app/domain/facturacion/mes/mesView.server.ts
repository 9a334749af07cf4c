import { cambiosEntre, writeMostrado, type Mostrado } from '~/core/choque';
import { cuenta } from '~/core/cuenta';
import { Stale } from '~/core/errors';
import type { Money } from '~/core/money';
import { civilDateTime } from '~/core/time';
import type { Db, Trx } from '~db/client.server';
import { type Mes, type Tabla, TABLA_KEYS, TABLAS, isRunning } from './mes';
import { devueltasList, ordenesDelMesList, refacturacionList } from './mesLists.server';
import { sql } from 'kysely';
import { z } from 'zod';
import { batchProgress, itemsOfBatch, lastBatches, type BatchProgress } from '~/platform/batches/batches.server';
import type { EffectState } from '~db/columns';
import { motivoOf } from './lote';
import { excluidasOfMes } from './mes.server';

const LISTA_DE = { ordenes: ordenesDelMesList, refacturacion: refacturacionList, devueltas: devueltasList } as const;

/** What a form of the month carries: which sales its screen showed, and what that said of them. */
export type MesVisto = { huella: string; mostrado: Mostrado };

type Totales = { registros: number; total: Money; ultima: Date | null; cuales: string };

/** What a table of a month holds and adds up to. */
export async function totalesOf(db: Db | Trx, tabla: Tabla, mes: Mes) {
  const lista = LISTA_DE[tabla];
  return lista.totals(db, lista.parse(new URLSearchParams({ mes })));
}

const huellaOf = ({ registros, total, cuales }: Totales) => `${registros}·${total.toString()}·${cuales}`;

const mostradoOf = ({ registros, total, ultima }: Totales): Mostrado => ({
  Ordenes: cuenta(registros),
  Total: `$${total.toFixed(2)}`,
  'Última venta': ultima === null ? '' : civilDateTime(ultima).slice(0, 16).replace('T', ' '),
});

export const marcasOfMes = (totales: Totales) => ({
  huella: huellaOf(totales),
  mostrado: writeMostrado(mostradoOf(totales)),
});

/** What a table holds, for whoever names the sales they saw one by one. Others beside those are refused; those that are not in it are in no document anyway. */
export async function vistoOfVentas(
  db: Db,
  { tabla, mes }: { tabla: Tabla; mes: Mes },
  ids: readonly string[],
): Promise<MesVisto> {
  const lista = LISTA_DE[tabla];
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
 * No document takes sales that nobody saw. It is asked once its sales are held, so what entered since they were read is refused too.
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
export async function readBatchOfMes(
  db: Db,
  id: string,
): Promise<{ lote: LoteView; tabla: Tabla; mes: Mes } | undefined> {
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
