import type { Trx } from '~db/client.server';

type State = { estatus: string; clase: string };
export type StateChange = { id: string; numOrden: string; before: State; after: State };

/** The audit trail of what became of sales; a reading that changes neither state nor class leaves no line. */
export async function recordStates(trx: Trx, changes: StateChange[]): Promise<void> {
  const real = changes.filter(({ before, after }) => before.estatus !== after.estatus || before.clase !== after.clase);
  if (real.length === 0) return;
  await trx
    .insertInto('bitacora')
    .values(real.map(({ id, numOrden, before, after }) => ({ usuarioId: null, entidad: 'orden', entidadId: id, accion: 'estado', datos: JSON.stringify({ numOrden, antes: before, despues: after }) })))
    .execute();
}
