import { sql } from 'kysely';
import { z } from 'zod';
import { NotAllowed } from '~/core/errors';
import { Money } from '~/core/money';
import { createBatch } from '~/platform/effects/batches.server';
import type { Db, Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import { MAX_LOTE, OTRA_PERSONA, type Rotulos } from './lote';

/** A row as it stands before anything is done: what it is called and worth, the state it is seen in, and why it is left out. */
export type FilaVista = {
  id: string;
  clave: string;
  titulo: string;
  importe: Money | null;
  /** Whatever tells this state of the row from another. */
  visto: string;
  impedimento: string | null;
};

export type DeQuien = { usuarioId: string; batchId: string | null };

/** What the page of the question said of a row. */
export type Mostrada = Pick<FilaVista, 'importe'>;

/** Something that can be done to many rows of a list. Declared in the room of what it does, and named in `loteCatalog`. */
export type Accion = Rotulos & {
  /** What forms and rows call it. */
  accion: string;
  /** The rows of these ids, in any order. One that is gone is left out. */
  mira: (trx: Trx, ids: readonly string[], ahora: Date) => Promise<FilaVista[]>;
} & (
    | {
        /** Locks the row and tells the state it is in now, as `visto` was told; undefined when it is gone. */
        visto: (trx: Trx, id: string) => Promise<string | undefined>;
        /** What the single button does, in the transaction of this row, about what was shown of it. Returns the effects it accepted. */
        aplica: (trx: Trx, id: string, quien: DeQuien, mostrada: Mostrada) => Promise<string[]>;
        /** What is asked of the outside before a row is done: no transaction waits for it. It changes nothing there. */
        antes?: (db: Db, id: string) => Promise<void>;
        trae?: never;
      }
    | {
        /** Once for each run: brings what a row lacks from outside. It changes nothing there, and refuses with the reason why it could not. */
        trae: (db: Db) => (id: string) => Promise<void>;
        visto?: never;
        aplica?: never;
        antes?: never;
      }
  );

export type Acciones = Readonly<Record<string, Accion>>;

type Nuevo = { lista: string; consulta: string; filas: readonly string[]; usuarioId: string };

const ordered = (ids: readonly string[], filas: readonly FilaVista[]) => {
  const byId = new Map(filas.map((fila) => [fila.id, fila]));
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
};

/** Writes down what somebody wants done to which rows, each in the state it has now, and why some are left out. Nothing is done yet. */
export async function prepareLote(trx: Trx, accion: Accion, nuevo: Nuevo, ahora = new Date()): Promise<string> {
  const { lista, consulta, usuarioId } = nuevo;
  const { muchas } = accion.nombres;
  if (nuevo.filas.length === 0) throw new NotAllowed('Aviso', 'No elegiste nada de la lista.');
  if (nuevo.filas.length > MAX_LOTE)
    throw new NotAllowed('Aviso', `Se eligieron más de ${MAX_LOTE} ${muchas}. Filtra la lista y hazlo por partes.`);
  const filas = ordered(nuevo.filas, await accion.mira(trx, nuevo.filas, ahora));
  if (filas.length === 0) throw new NotAllowed('Aviso', 'Lo que elegiste ya no existe.');
  const { id: loteId } = await trx
    .insertInto('lote')
    .values({ lista, consulta, accion: accion.accion, usuarioId })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('loteFila')
    .values(filas.map(({ id, ...fila }, posicion) => ({ ...fila, loteId, filaId: id, posicion })))
    .execute();
  return loteId;
}

/** Its person said yes: the worker does the rest. A second yes finds it under way. */
export async function startLote(trx: Trx, accion: Accion, loteId: string, usuarioId: string): Promise<void> {
  const lote = await trx
    .selectFrom('lote')
    .select('pedidoEn')
    .where('id', '=', loteId)
    .where('usuarioId', '=', usuarioId)
    .forUpdate()
    .executeTakeFirst();
  if (!lote) throw new NotAllowed('Aviso', 'Lo que elegiste ya no está aquí. Elígelo otra vez.');
  if (lote.pedidoEn) return;
  const { n } = await trx
    .selectFrom('loteFila')
    .select((is) => is.fn.countAll<number>().as('n'))
    .where('loteId', '=', loteId)
    .where('impedimento', 'is', null)
    .executeTakeFirstOrThrow();
  if (n === 0) throw new NotAllowed('Aviso', 'Nada de lo que elegiste califica.');
  const batchId = await createBatch(trx, {
    type: `lote.${accion.accion}`,
    label: accion.boton,
    total: n,
    usuarioId,
    clave: loteId,
  });
  await trx.updateTable('lote').set({ pedidoEn: new Date(), batchId }).where('id', '=', loteId).execute();
  await enqueue(trx, 'lote.run', { loteId });
}

/** Does what is left of it, one row after another. Each stands alone: what is refused says why, and the next goes on. */
export async function runLote(
  db: Db,
  acciones: Acciones,
  loteId: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  const lote = await db
    .selectFrom('lote')
    .select(['accion', 'usuarioId', 'batchId'])
    .where('id', '=', loteId)
    .where('pedidoEn', 'is not', null)
    .executeTakeFirst();
  const accion = lote && acciones[lote.accion];
  if (!accion) return;
  const left = await db
    .selectFrom('loteFila')
    .select('filaId')
    .where('loteId', '=', loteId)
    .where('impedimento', 'is', null)
    .where('resultado', 'is', null)
    .orderBy('posicion')
    .execute();
  const trae = accion.trae?.(db);
  for (const { filaId } of left) {
    signal?.throwIfAborted();
    const item = { loteId, filaId };
    try {
      if (trae) {
        await trae(filaId);
        await itemsOf(db, item).set({ resultado: 'aceptada' }).where('resultado', 'is', null).execute();
      } else {
        await accion.antes?.(db, filaId);
        await db.transaction().execute((trx) => runItem(trx, accion, item, lote));
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

type Item = { loteId: string; filaId: string };

const itemsOf = (db: Db | Trx, { loteId, filaId }: Item) =>
  db.updateTable('loteFila').where('loteId', '=', loteId).where('filaId', '=', filaId);

async function runItem(trx: Trx, accion: Accion, item: Item, quien: DeQuien): Promise<void> {
  if (!accion.aplica) return;
  const shown = await trx
    .selectFrom('loteFila')
    .select(['visto', 'importe', 'resultado'])
    .where('loteId', '=', item.loteId)
    .where('filaId', '=', item.filaId)
    .forUpdate()
    .executeTakeFirst();
  if (!shown || shown.resultado) return;
  if ((await accion.visto(trx, item.filaId)) !== shown.visto) throw new NotAllowed(accion.fallo, OTRA_PERSONA);
  const effects = await accion.aplica(trx, item.filaId, quien, shown);
  await itemsOf(trx, item).set({ resultado: 'aceptada', effects }).execute();
}

/** How a row of it stands: `fuera` does not qualify, `pendiente` is still to be done, `camino` waits for the far side. */
export type EstadoEnLote = 'fuera' | 'pendiente' | 'camino' | 'dudosa' | 'hecha' | 'fallida';

/** It with its rows, for the person who asked for it; undefined when there is none of theirs by that id. */
export async function readLote(db: Db, acciones: Acciones, id: string, usuarioId: string) {
  if (!z.uuid().safeParse(id).success) return undefined;
  const lote = await db
    .selectFrom('lote')
    .select(['id', 'lista', 'consulta', 'accion', 'creadoEn', 'pedidoEn'])
    .where('id', '=', id)
    .where('usuarioId', '=', usuarioId)
    .executeTakeFirst();
  const accion = lote && acciones[lote.accion];
  if (!accion) return undefined;
  const { rows: filas } = await sql<{
    filaId: string;
    clave: string;
    titulo: string;
    importe: Money | null;
    estado: EstadoEnLote;
    motivo: string | null;
  }>`
    select i.fila_id, i.clave, i.titulo, i.importe, coalesce(i.impedimento, i.motivo, e.reason) as motivo,
      case when i.impedimento is not null then 'fuera'
        when i.resultado is null then 'pendiente'
        when i.resultado = 'rechazada' or e.refused then 'fallida'
        when e.unclear then 'dudosa'
        when e.waiting then 'camino'
        else 'hecha' end as estado
    from lote_fila i
    left join lateral (
      select bool_or(state in ('refused', 'cancelled')) as refused, bool_or(state in ('unknown', 'manual')) as unclear,
        bool_or(state in ('queued', 'sending')) as waiting, max(reason) filter (where state in ('refused', 'cancelled')) as reason
      from effect where id = any(i.effects)
    ) e on true
    where i.lote_id = ${id} order by i.posicion`.execute(db);
  const count = (...estados: EstadoEnLote[]) => filas.filter(({ estado }) => estados.includes(estado)).length;
  const fuera = count('fuera');
  return {
    ...lote,
    filas,
    fuera,
    suma: Money.sum(filas.flatMap(({ estado, importe }) => (estado === 'fuera' || !importe ? [] : [importe]))),
    avance: {
      id,
      label: accion.boton,
      total: filas.length - fuera,
      done: count('hecha'),
      failed: count('fallida'),
      unclear: count('dudosa'),
      waiting: count('pendiente', 'camino'),
    },
  };
}

/** Those of a person that are under way, or of which something was not done, of the last day; the newest first. */
export async function recentLotes(db: Db, usuarioId: string, limit: number) {
  const { rows } = await sql<{
    id: string;
    label: string;
    pedidoEn: Date;
    total: number;
    hechas: number;
    fallidas: number;
  }>`
    select l.id, b.label, l.pedido_en, b.total, f.* from lote l join batch b on b.id = l.batch_id, lateral (
      select count(*) filter (where resultado = 'aceptada')::int as hechas, count(*) filter (where resultado = 'rechazada')::int as fallidas
      from lote_fila where lote_id = l.id
    ) f
    where l.usuario_id = ${usuarioId} and l.pedido_en > now() - interval '1 day' and f.hechas < b.total
    order by l.id desc limit ${limit}`.execute(db);
  return rows;
}
