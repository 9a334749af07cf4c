import { sql } from 'kysely';
import { z } from 'zod';
import { NotAllowed } from '~/core/errors';
import { Money } from '~/core/money';
import { rowOf } from '~/core/table';
import type { EffectCatalog } from '~/platform/effects/definition';
import { withRechazo } from '~/platform/effects/rechazos.server';
import { withdrawEffect } from '~/platform/effects/resolve.server';
import { createBatch } from './batches.server';
import type { Db, Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import { MAX_BATCH, type Rotulos } from './batch';

const OTRA_PERSONA = 'Otra persona modificó este registro. Vuelve a cargarlo.';

/**
 * A batch over rows that a person chose in a list. The batch is prepared first: tables `lote` and `lote_fila` keep the rows as the question shows
 * them, until their person says yes. From then on it is a row of `batch` as well, and the worker does one row after another. `id` is always that of
 * the prepared batch.
 */

/** A row as the question shows it, before anything is done. */
export type FilaVista = {
  id: string;
  clave: string;
  titulo: string;
  importe: Money | null;
  /** Mark of the state in which the row is seen; any change of the row changes the mark. */
  visto: string;
  /** Why the row is left out; null when the act may be done to it. */
  impedimento: string | null;
};

/** Whose batch it is, and what its person said for all rows; `datos` is null until then, and for an act that asks nothing. */
export type DeQuien = { usuarioId: string; batchId: string | null; datos: unknown };

/** The part of a row that the page of the question showed. */
export type Mostrada = Pick<FilaVista, 'importe' | 'visto'>;

/** An act that can be done to many rows of a list. The noun of the act declares it, and `batchCatalog` lists it. */
export type Accion = Rotulos & {
  /** Name of the act in forms and rows. Stored: it never changes. */
  accion: string;
  /** The most rows of one batch, where a look at a row takes longer than elsewhere; absent, `MAX_BATCH`. */
  most?: number;
  /** What a person has to say once for all rows before the yes; absent, nothing. */
  pide?: {
    /** Shape of what is said. */
    Datos: z.ZodType;
    /** The screen that asks it, which opens with the id of the batch (`lote`), and the text that leads there. Absent: the page of the batch asks. */
    aparte?: { pantalla: string; boton: string };
    /** Returns in one line what was said. Absent: the page of the batch shows it. */
    dicho?: (datos: unknown) => string;
    /** Returns what the batch keeps, once the outside was asked about it. Throws `NotAllowed` at what is wrong. */
    complete?: (db: Db, datos: unknown) => Promise<unknown>;
  };
  /** Name of the act that takes this one back, which asks as any other. */
  inverso?: string;
  /** True where an effect waits a moment before it leaves: a batch that is stopped takes it back. */
  detenible?: true;
  /** Returns the ids that chosen rows of a list stand for. Absent: the rows themselves. */
  rowsOf?: (trx: Trx, lista: string, filas: readonly string[]) => Promise<string[]>;
  /** Returns the rows of these ids as this person may do them, in any order; a row that is gone is left out. */
  look: (trx: Trx, ids: readonly string[], ahora: Date, quien: Omit<DeQuien, 'batchId'>) => Promise<FilaVista[]>;
} & (
    | {
        /** Locks the row and returns the mark of its state now, to be compared with `visto`; undefined when the row is gone. */
        lock: (trx: Trx, id: string, quien: DeQuien) => Promise<string | undefined>;
        /** Does to one row, in a transaction of its own, as much as its single button does. Returns the effects it accepted. */
        apply: (trx: Trx, id: string, quien: DeQuien, mostrada: Mostrada) => Promise<string[]>;
        /** Asks the outside before a row is done, while no transaction waits. Changes nothing there. */
        before?: (db: Db, id: string, quien: DeQuien) => Promise<void>;
        consult?: never;
        bring?: never;
      }
    | {
        lock: (trx: Trx, id: string, quien: DeQuien) => Promise<string | undefined>;
        /**
         * Asks the outside about one row while no transaction waits, and changes nothing there. Returns what does the act to the row, in a transaction of its
         * own, and returns the effects it accepted.
         */
        consult: (db: Db, id: string, quien: DeQuien, mostrada: Mostrada) => Promise<(trx: Trx) => Promise<string[]>>;
        apply?: never;
        before?: never;
        bring?: never;
      }
    | {
        /**
         * Called once for each run. The returned function brings from outside what a row lacks, changes nothing there, and throws `NotAllowed` with
         * the reason when it could not.
         */
        bring: (db: Db) => (id: string) => Promise<void>;
        lock?: never;
        apply?: never;
        before?: never;
        consult?: never;
      }
  );

/** The acts of the process, by their names. */
export type Acciones = Readonly<Record<string, Accion>>;

type Nuevo = { lista: string; consulta: string; filas: readonly string[]; usuarioId: string; datos?: unknown };

const ordered = (ids: readonly string[], filas: readonly FilaVista[]) => {
  const byId = new Map(filas.map((fila) => [fila.id, fila]));
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
};

/**
 * Keeps which act a person wants done to which rows, each row in the state it has now, and what they said for all of them. Nothing is done yet.
 * Returns the id of the prepared batch. A prepared batch never changes: other words are another batch. Throws `NotAllowed` when no row or more rows
 * than the act takes are chosen.
 */
export async function prepareBatch(trx: Trx, accion: Accion, nuevo: Nuevo, ahora = new Date()): Promise<string> {
  const { lista, consulta, usuarioId, datos = null } = nuevo;
  const { muchas } = accion.nombres;
  if (datos !== null && !accion.pide) throw new NotAllowed('Aviso', 'Esta acción no pide nada.');
  if (nuevo.filas.length === 0) throw new NotAllowed('Aviso', 'No elegiste nada de la lista.');
  const most = accion.most ?? MAX_BATCH;
  if (nuevo.filas.length > most)
    throw new NotAllowed('Aviso', `Se eligieron más de ${most} ${muchas}. Filtra la lista y hazlo por partes.`);
  const filas = ordered(nuevo.filas, await accion.look(trx, nuevo.filas, ahora, { usuarioId, datos }));
  if (filas.length === 0) throw new NotAllowed('Aviso', 'Lo que elegiste ya no existe.');
  const { id } = await trx
    .insertInto('lote')
    .values({ lista, consulta, accion: accion.accion, usuarioId, datos: datos === null ? null : JSON.stringify(datos) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('loteFila')
    .values(filas.map(({ id: filaId, ...fila }, posicion) => ({ ...fila, loteId: id, filaId, posicion })))
    .execute();
  return id;
}

/** Prepares a batch, and starts it at once where its act asks nothing first. */
export async function beginBatch(trx: Trx, accion: Accion, nuevo: Nuevo): Promise<string> {
  const id = await prepareBatch(trx, accion, nuevo);
  if (!accion.pregunta) await startBatch(trx, accion, id, nuevo.usuarioId);
  return id;
}

/** As `beginBatch`, for rows that were chosen in the list: those that they stand for. */
export async function beginChosen(trx: Trx, accion: Accion, nuevo: Nuevo): Promise<string> {
  const filas =
    accion.rowsOf && nuevo.filas.length > 0 ? await accion.rowsOf(trx, nuevo.lista, nuevo.filas) : nuevo.filas;
  return beginBatch(trx, accion, { ...nuevo, filas });
}

/** Returns whether an act still asks its person for something. */
export const isOpen = ({ pide }: Pick<Accion, 'pide'>, { datos }: { datos: unknown }): boolean =>
  !!pide && datos === null;

/**
 * Starts a prepared batch, once its person said yes: the worker does the rest. A second yes finds it under way. Throws `NotAllowed` when no row of it
 * qualifies, and while what the act asks for was not said.
 */
export async function startBatch(trx: Trx, accion: Accion, id: string, usuarioId: string): Promise<void> {
  const prepared = await trx
    .selectFrom('lote')
    .select(['pedidoEn', 'datos'])
    .where('id', '=', id)
    .where('usuarioId', '=', usuarioId)
    .forUpdate()
    .executeTakeFirst();
  if (!prepared) throw new NotAllowed('Aviso', 'Lo que elegiste ya no está aquí. Elígelo otra vez.');
  if (prepared.pedidoEn) return;
  if (isOpen(accion, prepared)) throw new NotAllowed('Aviso', 'Falta lo que es igual para todo lo elegido.');
  const { n } = await trx
    .selectFrom('loteFila')
    .select((is) => is.fn.countAll<number>().as('n'))
    .where('loteId', '=', id)
    .where('impedimento', 'is', null)
    .executeTakeFirstOrThrow();
  if (n === 0) throw new NotAllowed('Aviso', 'Nada de lo que elegiste califica.');
  const batchId = await createBatch(trx, {
    type: `lote.${accion.accion}`,
    label: accion.boton,
    total: n,
    usuarioId,
    clave: id,
  });
  await trx.updateTable('lote').set({ pedidoEn: new Date(), batchId }).where('id', '=', id).execute();
  await enqueue(trx, 'lote.run', { loteId: id });
}

/** Does the act to the rows that are left, one after another. Each row stands alone: a refused row keeps its reason, and the next one goes on. */
export async function runBatch(
  db: Db,
  acciones: Acciones,
  id: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  const prepared = await db
    .selectFrom('lote')
    .select(['accion', 'usuarioId', 'batchId', 'datos'])
    .where('id', '=', id)
    .where('pedidoEn', 'is not', null)
    .executeTakeFirst();
  if (!prepared) return;
  const accion = rowOf(acciones, prepared.accion);
  // A newer process offers it: its worker takes the job when it is tried again.
  if (!accion) throw new Error(`no hay una acción ${prepared.accion}`);
  const left = await db
    .selectFrom('loteFila')
    .select(['filaId', 'visto', 'importe'])
    .where('loteId', '=', id)
    .where('impedimento', 'is', null)
    .where('resultado', 'is', null)
    .orderBy('posicion')
    .execute();
  const bring = accion.bring?.(db);
  for (const { filaId, ...mostrada } of left) {
    signal?.throwIfAborted();
    const item = { loteId: id, filaId };
    try {
      if (bring) {
        await bring(filaId);
        await itemsOf(db, item).set({ resultado: 'aceptada' }).where('resultado', 'is', null).execute();
      } else {
        await accion.before?.(db, filaId, prepared);
        const does = await accion.consult?.(db, filaId, prepared, mostrada);
        await db.transaction().execute((trx) => runItem(trx, accion, item, prepared, does));
      }
    } catch (error) {
      if (!(error instanceof NotAllowed)) throw error;
      await itemsOf(db, item)
        .set({ resultado: 'rechazada', motivo: error.message })
        .where('resultado', 'is', null)
        .execute();
    }
  }
}

/**
 * Stops a batch that is under way: what was not done stays undone, and of an act that is `detenible` what has not left is taken back. What left stays.
 * Returns how many rows were stopped.
 */
export async function stopBatch(
  trx: Trx,
  catalog: EffectCatalog,
  accion: Accion,
  id: string,
  usuarioId: string,
): Promise<number> {
  const prepared = await trx
    .selectFrom('lote')
    .select('id')
    .where('id', '=', id)
    .where('usuarioId', '=', usuarioId)
    .where('pedidoEn', 'is not', null)
    .executeTakeFirst();
  if (!prepared) throw new NotAllowed('Aviso', 'Lo que elegiste ya no está aquí. Elígelo otra vez.');
  const undone = await trx
    .updateTable('loteFila')
    .set({ resultado: 'detenida', motivo: 'Se detuvo antes de hacerla.' })
    .where('loteId', '=', id)
    .where('impedimento', 'is', null)
    .where('resultado', 'is', null)
    .returning('filaId')
    .execute();
  if (!accion.detenible) return undone.length;
  const { rows } = await sql<{ id: string }>`
    select effect.id
    from effect
    where effect.id in (select unnest(effects) from lote_fila where lote_id = ${id}) and effect.state = 'queued'
    order by effect.id
    for update`.execute(trx);
  for (const effect of rows) await withdrawEffect(trx, catalog, effect.id, usuarioId);
  return undone.length + rows.length;
}

type Item = { loteId: string; filaId: string };

const itemsOf = (db: Db | Trx, { loteId, filaId }: Item) =>
  db.updateTable('loteFila').where('loteId', '=', loteId).where('filaId', '=', filaId);

async function runItem(
  trx: Trx,
  accion: Accion,
  item: Item,
  quien: DeQuien,
  does: ((trx: Trx) => Promise<string[]>) | undefined,
): Promise<void> {
  if (!accion.lock) return;
  const shown = await trx
    .selectFrom('loteFila')
    .select(['visto', 'importe', 'resultado'])
    .where('loteId', '=', item.loteId)
    .where('filaId', '=', item.filaId)
    .forUpdate()
    .executeTakeFirst();
  if (!shown || shown.resultado) return;
  if ((await accion.lock(trx, item.filaId, quien)) !== shown.visto) throw new NotAllowed(accion.fallo, OTRA_PERSONA);
  const effects = does ? await does(trx) : await accion.apply!(trx, item.filaId, quien, shown);
  await itemsOf(trx, item).set({ resultado: 'aceptada', effects }).execute();
}

/**
 * State of a row in its batch: `fuera` does not qualify, `pendiente` is still to be done, `camino` waits for the far side, `detenida` was taken back by its
 * person.
 */
export type EstadoDeFila = 'fuera' | 'pendiente' | 'camino' | 'dudosa' | 'hecha' | 'fallida' | 'detenida';

/**
 * Returns a prepared batch with its rows and its progress; undefined when this person has none by that id. `effectId` is the effect of a row that a far side
 * refused.
 */
export async function readPreparedBatch(db: Db, acciones: Acciones, id: string, usuarioId: string) {
  if (!z.uuid().safeParse(id).success) return undefined;
  const prepared = await db
    .selectFrom('lote')
    .select(['id', 'lista', 'consulta', 'accion', 'datos', 'creadoEn', 'pedidoEn'])
    .where('id', '=', id)
    .where('usuarioId', '=', usuarioId)
    .executeTakeFirst();
  const accion = prepared && rowOf(acciones, prepared.accion);
  if (!accion) return undefined;
  // Of another act, what was withdrawn is put right where it was accepted.
  const detenible = accion.detenible === true;
  const { rows: filas } = await sql<{
    filaId: string;
    clave: string;
    titulo: string;
    importe: Money | null;
    estado: EstadoDeFila;
    motivo: string | null;
    effectId: string | null;
    /** True where the act left and came to nothing; false for a row that was refused here. */
    negada: boolean;
  }>`
    select fila.fila_id, fila.clave, fila.titulo, fila.importe, sent.effect_id, coalesce(sent.refused, false) as negada,
      coalesce(fila.impedimento, fila.motivo, sent.reason) as motivo,
      case
        when fila.impedimento is not null then 'fuera'
        when fila.resultado is null then 'pendiente'
        when fila.resultado = 'detenida' then 'detenida'
        when fila.resultado = 'rechazada' or sent.refused then 'fallida'
        when sent.stopped then 'detenida'
        when sent.unclear then 'dudosa'
        when sent.waiting then 'camino'
        else 'hecha'
      end as estado
    from lote_fila fila
    left join lateral (
      select bool_or(state = 'refused' or (state = 'cancelled' and not ${detenible})) as refused,
        bool_or(state = 'cancelled') as stopped,
        bool_or(state in ('unknown', 'manual')) as unclear,
        bool_or(state in ('queued', 'sending')) as waiting,
        max(reason) filter (where state in ('refused', 'cancelled')) as reason,
        (array_agg(id order by id desc) filter (where state = 'refused'))[1] as effect_id
      from effect where id = any(fila.effects)
    ) sent on true
    where fila.lote_id = ${id}
    order by fila.posicion`.execute(db);
  const count = (...estados: EstadoDeFila[]) => filas.filter(({ estado }) => estados.includes(estado)).length;
  const fuera = count('fuera');
  return {
    ...prepared,
    filas,
    fuera,
    suma: Money.sum(filas.flatMap(({ estado, importe }) => (estado === 'fuera' || !importe ? [] : [importe]))),
    avance: {
      id,
      label: accion.boton,
      total: filas.length - fuera,
      done: count('hecha'),
      failed: count('fallida'),
      stopped: count('detenida'),
      unclear: count('dudosa'),
      waiting: count('pendiente', 'camino'),
    },
  };
}

/** Returns the batch of `readPreparedBatch` with the remedy of each row that a far side refused: null where no remedy is known. */
export async function readBatchWithRemedies(db: Db, acciones: Acciones, id: string, usuarioId: string) {
  const lote = await readPreparedBatch(db, acciones, id, usuarioId);
  if (!lote) return undefined;
  const filas = await withRechazo(db, lote.filas);
  return { ...lote, filas: filas.map(({ rechazo, ...fila }) => ({ ...fila, remedio: rechazo?.remedio ?? null })) };
}

/** Lists the started batches of a person of the last day that are under way or left something undone, the newest first. */
export async function recentPreparedBatches(db: Db, usuarioId: string, limit: number) {
  const { rows } = await sql<{
    id: string;
    label: string;
    pedidoEn: Date;
    total: number;
    hechas: number;
    fallidas: number;
  }>`
    select lote.id, batch.label, lote.pedido_en, batch.total, filas.*
    from lote
    join batch on batch.id = lote.batch_id,
    lateral (
      select count(*) filter (where resultado = 'aceptada')::int as hechas,
        count(*) filter (where resultado = 'rechazada')::int as fallidas
      from lote_fila where lote_id = lote.id
    ) filas
    where lote.usuario_id = ${usuarioId}
      and lote.pedido_en > now() - interval '1 day'
      and filas.hechas < batch.total
    order by lote.id desc
    limit ${limit}`.execute(db);
  return rows;
}
