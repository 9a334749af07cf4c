import type { z } from 'zod';
import { Stale } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import type { Remitente } from '~/domain/mercados/guias';
import type { Db, Trx } from '~db/client.server';
import type { RemitenteForm } from './forms';

const CAMPOS = ['nombre', 'calle', 'colonia', 'ciudad', 'estado', 'cp', 'telefono', 'email'] as const;

/** Reads the sender that the labels of a far side show; undefined until somebody wrote one. */
export async function readRemitente(
  db: Db | Trx,
  conexion: string,
): Promise<(Remitente & { version: number }) | undefined> {
  return db
    .selectFrom('remitente')
    .select([...CAMPOS, 'version'])
    .where('conexion', '=', conexion)
    .executeTakeFirst();
}

/** Keeps the sender for the labels to come: a label that was bought keeps its own. Throws Stale when the sender changed since the form was opened. */
export async function saveRemitente(
  trx: Trx,
  conexion: string,
  { version, colonia = undefined, ...resto }: z.output<typeof RemitenteForm>,
  usuarioId: string,
): Promise<void> {
  const valores = { ...resto, colonia: colonia ?? null };
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('remitente')
    .values({ conexion, ...valores, version: version + 1 })
    .onConflict((on) =>
      on
        .column('conexion')
        .doUpdateSet({ ...valores, version: version + 1 })
        .where('remitente.version', '=', version),
    )
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) throw new Stale();
  await record(trx, { usuarioId, entidad: 'credential', entidadId: conexion, accion: 'modificar el remitente' });
}
