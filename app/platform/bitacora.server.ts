import type { Db, Trx } from '~db/client.server';

/** One line of the audit trail: who did what to which thing. */
export type Hecho = {
  /** The person; null when nobody was signed in, as with the worker or a customer with a link. */
  usuarioId: string | null;
  entidad: string;
  entidadId: string;
  accion: string;
  /** The change. Never a password, a token or a body of an outside API. */
  datos?: Record<string, unknown>;
};

/** Writes one line of the audit trail, in the transaction of the change that it tells. The table refuses updates and deletes. */
export async function record(
  trx: Trx | Db,
  { usuarioId, entidad, entidadId, accion, datos = {} }: Hecho,
): Promise<void> {
  await trx
    .insertInto('bitacora')
    .values({ usuarioId, entidad, entidadId, accion, datos: JSON.stringify(datos) })
    .execute();
}
