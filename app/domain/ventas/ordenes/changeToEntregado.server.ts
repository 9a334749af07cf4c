import { NotAllowed } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import type { Trx } from '~db/client.server';
import { mayBeEntregada } from './activas';
import { estatusLabel } from './estatus';

const FALLO_ESTATUS = 'Error al realizar el cambio de estatus.';

/**
 * Marks a sale in preparation as delivered because a person says so: after 48 hours, or at once when the sale was handed over in person. Throws
 * NotAllowed otherwise, also to the second of two people who say so at once.
 */
export async function changeToEntregado(trx: Trx, ordenId: string, usuarioId: string, now = new Date()): Promise<void> {
  const orden = await trx
    .selectFrom('orden')
    .select(['numOrden', 'estatus', 'clase', 'fechaCreacion', 'acordada'])
    .where('id', '=', ordenId)
    .forUpdate()
    .executeTakeFirst();
  if (!orden) throw new NotAllowed(FALLO_ESTATUS, 'La orden ya no existe.');
  if (orden.estatus !== 'enPreparacion') {
    throw new NotAllowed(
      FALLO_ESTATUS,
      `Otra persona modificó este registro. Vuelve a cargarlo. La orden está en estatus ${estatusLabel(orden.estatus)}.`,
    );
  }
  if (!mayBeEntregada(orden, now))
    throw new NotAllowed(FALLO_ESTATUS, 'La orden todavía no cumple 48 horas en preparación.');
  await trx
    .updateTable('orden')
    .set((is) => ({ estatus: 'entregado', version: is('version', '+', 1) }))
    .where('id', '=', ordenId)
    .execute();
  const { numOrden, clase } = orden;
  await record(trx, {
    usuarioId,
    entidad: 'orden',
    entidadId: ordenId,
    accion: 'estado',
    datos: { numOrden, antes: { estatus: orden.estatus, clase }, despues: { estatus: 'entregado', clase } },
  });
}
