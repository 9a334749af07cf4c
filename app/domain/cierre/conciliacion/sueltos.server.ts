import { sql } from 'kysely';
import { z } from 'zod';
import { NotAllowed, Stale } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import type { BusquedaDeSuelto, MotivoDicho } from './conciliacionForm';
import { NOMBRE_DE_SUELTO } from './internal/gatherSueltos.server';

/** Most lines that a panel shows. */
const LINEAS = 200;

/** Returns a loose amount with its lines, at most `LINEAS`; null when no row has that id, as once its lines found their sale. */
export async function readSuelto(db: Db | Trx, id: string) {
  if (!z.uuid().safeParse(id).success) return null;
  const suelto = await db
    .selectFrom('suelto')
    .leftJoin('usuario', 'usuario.id', 'suelto.motivoPor')
    .leftJoin('deposito', 'deposito.id', 'suelto.depositoId')
    .selectAll('suelto')
    .select(['usuario.usuario as quien', 'deposito.fecha as depositadoEn'])
    .where('suelto.id', '=', id)
    .executeTakeFirst();
  if (!suelto) return null;
  const renglones = await db
    .selectFrom('movimiento as m')
    .select(['m.id', 'm.concepto', 'm.importe', 'm.fecha', 'm.detalle'])
    .where('m.market', '=', suelto.market)
    .where('m.ordenId', 'is', null)
    .where('m.concepto', '<>', 'reserva')
    .where(NOMBRE_DE_SUELTO, '=', suelto.clave)
    .orderBy('m.fecha')
    .orderBy('m.id')
    .limit(LINEAS)
    .execute();
  return { ...suelto, renglones };
}

/** Writes the reason of a loose amount, or takes it back, with a line of the audit trail. Throws Stale when the row moved since the screen showed it. */
export async function decideSuelto(trx: Trx, { id, version, motivo }: MotivoDicho, usuarioId: string): Promise<void> {
  const saved = await trx
    .updateTable('suelto')
    .set({
      motivo: motivo ?? null,
      motivoPor: motivo ? usuarioId : null,
      motivoEn: motivo ? sql<Date>`now()` : null,
      version: sql<number>`version + 1`,
    })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  if (saved.numUpdatedRows === 0n) throw new Stale();
  await record(trx, { usuarioId, entidad: 'suelto', entidadId: id, accion: 'anotar', datos: { motivo } });
}

/**
 * Has the sale of a loose amount searched at its marketplace by the next run, which is asked for. Throws Stale when the row moved since the screen showed
 * it, NotAllowed when it names no sale.
 */
export async function requestVenta(trx: Trx, { id, version }: BusquedaDeSuelto, usuarioId: string): Promise<void> {
  const suelto = await trx
    .updateTable('suelto')
    .set({ pedidoEn: sql<Date>`now()`, buscadoEn: null, hallazgo: null, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .where('version', '=', version)
    .returning(['market', 'numero'])
    .executeTakeFirst();
  if (!suelto) throw new Stale();
  if (suelto.numero === null) throw new NotAllowed('Error.', 'El mercado no dice de qué venta es.');
  await record(trx, {
    usuarioId,
    entidad: 'suelto',
    entidadId: id,
    accion: 'buscar',
    datos: { numero: suelto.numero },
  });
  await enqueue(trx, 'liquidacion.traer', { market: suelto.market });
}
