import type { Trx } from '~db/client.server';

type State = { estatus: string; clase: string };
export type StateChange = { id: string; numOrden: string; before: State; after: State };

/** Records what became of sales in the audit trail. A reading that changes neither state nor class leaves no line. */
export async function recordStates(trx: Trx, changes: StateChange[]): Promise<void> {
  const real = changes.filter(({ before, after }) => before.estatus !== after.estatus || before.clase !== after.clase);
  if (real.length === 0) return;
  await trx
    .insertInto('bitacora')
    .values(
      real.map(({ id, numOrden, before, after }) => ({
        usuarioId: null,
        entidad: 'orden',
        entidadId: id,
        accion: 'estado',
        datos: JSON.stringify({ numOrden, antes: before, despues: after }),
      })),
    )
    .execute();
}

export type EnvioChange = {
  id: string;
  marketId: string;
  before: { estatus: string; subestatus: string | null };
  after: { estatus: string; subestatus: string | null };
};

/** Records how far shipments had got, and how far they are. */
export async function recordShipments(trx: Trx, changes: EnvioChange[]): Promise<void> {
  if (changes.length === 0) return;
  await trx
    .insertInto('bitacora')
    .values(
      changes.map(({ id, marketId, before, after }) => ({
        usuarioId: null,
        entidad: 'envio',
        entidadId: id,
        accion: 'estado',
        datos: JSON.stringify({ envio: marketId, antes: before, despues: after }),
      })),
    )
    .execute();
}
