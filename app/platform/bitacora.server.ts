import type { Db, Trx } from '~db/client.server';

export type Hecho = {
  /** Null when nobody was signed in: the worker, a customer with a link. */
  usuarioId: string | null;
  entidad: string;
  entidadId: string;
  accion: string;
  /** What changed. Never a password, a token or a body of an outside API. */
  datos?: Record<string, unknown>;
};

/** Writes one line of the audit trail, in the transaction of the change it tells. The table refuses updates and deletes. */
export async function record(
  trx: Trx | Db,
  { usuarioId, entidad, entidadId, accion, datos = {} }: Hecho,
): Promise<void> {
  await trx
    .insertInto('bitacora')
    .values({ usuarioId, entidad, entidadId, accion, datos: JSON.stringify(datos) })
    .execute();
}
