import { sql } from 'kysely';
import { z } from 'zod';
import { NotAllowed } from '~/core/errors';
import { createBatch } from '~/domain/effects/batches.server';
import { acceptEnlaceByMessage } from '~/domain/enlaces/enlaceEnvios.server';
import { changeToEntregado } from '~/domain/ordenes/entregar.server';
import { rows } from '~/domain/ordenes/listOrdenes.server';
import { readDirectorio } from '~/domain/proveedores/directorio.server';
import { sendProveedorMail } from '~/domain/proveedores/mailProveedor.server';
import type { Db, Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import { ACCION, impedimentoDe, MAX_LOTE, MISMA_VENTA, OTRA_PERSONA, type Accion } from './lote';

type Nuevo = { lista: string; consulta: string; accion: Accion; ordenes: readonly string[]; usuarioId: string };

/** Writes down what somebody wants done to which sales, each in the version it has now, and why some are left out. Nothing is done yet. */
export async function prepareLote(trx: Trx, nuevo: Nuevo, ahora = new Date()): Promise<string> {
  const { lista, consulta, accion, ordenes, usuarioId } = nuevo;
  if (ordenes.length === 0) throw new NotAllowed('Aviso', 'No elegiste ninguna orden.');
  if (ordenes.length > MAX_LOTE)
    throw new NotAllowed('Aviso', `Se eligieron más de ${MAX_LOTE} ordenes. Filtra la lista y hazlo por partes.`);
  const directorio = await readDirectorio(trx);
  const found = await rows(trx)
    .select('orden.version')
    .where('orden.id', 'in', [...ordenes])
    .execute();
  const byId = new Map(found.map((fila) => [fila.id, fila]));
  const { id } = await trx
    .insertInto('lote')
    .values({ lista, consulta, accion, usuarioId })
    .returning('id')
    .executeTakeFirstOrThrow();
  const ventas = new Set<string>();
  const items = ordenes.flatMap((ordenId, posicion) => {
    const fila = byId.get(ordenId);
    if (!fila) return [];
    const venta = `${fila.market}:${fila.numOrden}`;
    const repetida = accion === 'enlace' && ventas.has(venta);
    ventas.add(venta);
    const impedimento = repetida ? MISMA_VENTA : impedimentoDe(accion, fila, directorio, ahora);
    return [{ loteId: id, ordenId, posicion, version: fila.version, impedimento }];
  });
  if (items.length === 0) throw new NotAllowed('Aviso', 'Las ordenes que elegiste ya no existen.');
  await trx.insertInto('loteOrden').values(items).execute();
  return id;
}

/** Its person said yes: the worker does the rest. A second yes finds it under way. */
export async function startLote(trx: Trx, loteId: string, usuarioId: string): Promise<void> {
  const lote = await trx
    .selectFrom('lote')
    .select(['accion', 'pedidoEn'])
    .where('id', '=', loteId)
    .where('usuarioId', '=', usuarioId)
    .forUpdate()
    .executeTakeFirst();
  if (!lote) throw new NotAllowed('Aviso', 'Lo que elegiste ya no está aquí. Elígelo otra vez.');
  if (lote.pedidoEn) return;
  const { n } = await trx
    .selectFrom('loteOrden')
    .select((is) => is.fn.countAll<number>().as('n'))
    .where('loteId', '=', loteId)
    .where('impedimento', 'is', null)
    .executeTakeFirstOrThrow();
  if (n === 0) throw new NotAllowed('Aviso', 'Ninguna de las ordenes que elegiste califica.');
  const batchId = await createBatch(trx, {
    type: `lote.${lote.accion}`,
    label: ACCION[lote.accion].boton,
    total: n,
    usuarioId,
    clave: loteId,
  });
  await trx.updateTable('lote').set({ pedidoEn: new Date(), batchId }).where('id', '=', loteId).execute();
  await enqueue(trx, 'lote.run', { loteId });
}

/** Does what is left of it, one sale after another. Each stands alone: what is refused says why, and the next goes on. */
export async function runLote(db: Db, loteId: string, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
  const lote = await db
    .selectFrom('lote')
    .select(['accion', 'usuarioId', 'batchId'])
    .where('id', '=', loteId)
    .where('pedidoEn', 'is not', null)
    .executeTakeFirst();
  if (!lote) return;
  const left = await db
    .selectFrom('loteOrden')
    .select('ordenId')
    .where('loteId', '=', loteId)
    .where('impedimento', 'is', null)
    .where('resultado', 'is', null)
    .orderBy('posicion')
    .execute();
  for (const { ordenId } of left) {
    signal?.throwIfAborted();
    const item = { loteId, ordenId };
    try {
      await db.transaction().execute((trx) => runItem(trx, item, lote));
    } catch (error) {
      if (!(error instanceof NotAllowed)) throw error;
      await itemsOf(db, item)
        .set({ resultado: 'rechazada', motivo: error.message })
        .where('resultado', 'is', null)
        .execute();
    }
  }
}

type Item = { loteId: string; ordenId: string };

const itemsOf = (db: Db | Trx, { loteId, ordenId }: Item) =>
  db.updateTable('loteOrden').where('loteId', '=', loteId).where('ordenId', '=', ordenId);

async function runItem(
  trx: Trx,
  item: Item,
  { accion, usuarioId, batchId }: { accion: Accion; usuarioId: string; batchId: string | null },
): Promise<void> {
  const shown = await trx
    .selectFrom('loteOrden')
    .select(['version', 'resultado'])
    .where('loteId', '=', item.loteId)
    .where('ordenId', '=', item.ordenId)
    .forUpdate()
    .executeTakeFirst();
  if (!shown || shown.resultado) return;
  const orden = await trx
    .selectFrom('orden')
    .select(['version', 'numOrden'])
    .where('id', '=', item.ordenId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (orden.version !== shown.version) throw new NotAllowed(ACCION[accion].fallo, OTRA_PERSONA);
  const effects = await act(trx, accion, { ordenId: item.ordenId, numOrden: orden.numOrden, usuarioId, batchId });
  await itemsOf(trx, item).set({ resultado: 'aceptada', effects }).execute();
}

/** What the single button does, with the batch it belongs to. */
async function act(
  trx: Trx,
  accion: Accion,
  {
    ordenId,
    numOrden,
    usuarioId,
    batchId,
  }: { ordenId: string; numOrden: string; usuarioId: string; batchId: string | null },
): Promise<string[]> {
  switch (accion) {
    case 'entregar':
      await changeToEntregado(trx, ordenId, usuarioId);
      return [];
    case 'correo':
      return (await sendProveedorMail(trx, ordenId, usuarioId, batchId)).map(({ id }) => id);
    case 'enlace':
      return [await acceptEnlaceByMessage(trx, numOrden, usuarioId, batchId)];
  }
}

/** How a sale of it stands: `fuera` does not qualify, `pendiente` is still to be done, `camino` waits for the far side. */
export type EstadoEnLote = 'fuera' | 'pendiente' | 'camino' | 'dudosa' | 'hecha' | 'fallida';

/** It with its sales, for the person who asked for it; undefined when there is none of theirs by that id. */
export async function readLote(db: Db, id: string, usuarioId: string) {
  if (!z.uuid().safeParse(id).success) return undefined;
  const lote = await db
    .selectFrom('lote')
    .select(['id', 'lista', 'consulta', 'accion', 'creadoEn', 'pedidoEn'])
    .where('id', '=', id)
    .where('usuarioId', '=', usuarioId)
    .executeTakeFirst();
  if (!lote) return undefined;
  const { rows: ordenes } = await sql<{
    ordenId: string;
    numOrden: string;
    titulo: string;
    estado: EstadoEnLote;
    motivo: string | null;
  }>`
    select i.orden_id, o.num_orden, o.titulo, coalesce(i.impedimento, i.motivo, e.reason) as motivo,
      case when i.impedimento is not null then 'fuera'
        when i.resultado is null then 'pendiente'
        when i.resultado = 'rechazada' or e.refused then 'fallida'
        when e.unclear then 'dudosa'
        when e.waiting then 'camino'
        else 'hecha' end as estado
    from lote_orden i join orden o on o.id = i.orden_id
    left join lateral (
      select bool_or(state in ('refused', 'cancelled')) as refused, bool_or(state in ('unknown', 'manual')) as unclear,
        bool_or(state in ('queued', 'sending')) as waiting, max(reason) filter (where state in ('refused', 'cancelled')) as reason
      from effect where id = any(i.effects)
    ) e on true
    where i.lote_id = ${id} order by i.posicion`.execute(db);
  const count = (...estados: EstadoEnLote[]) => ordenes.filter(({ estado }) => estados.includes(estado)).length;
  const fuera = count('fuera');
  return {
    ...lote,
    ordenes,
    fuera,
    avance: {
      id,
      label: ACCION[lote.accion].boton,
      total: ordenes.length - fuera,
      done: count('hecha'),
      failed: count('fallida'),
      unclear: count('dudosa'),
      waiting: count('pendiente', 'camino'),
    },
  };
}
