import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { NotAllowed, Stale } from '~/core/errors';
import { record } from '~/domain/bitacora.server';
import type { Trx } from '~db/client.server';
import { CAMPOS_ENVIO, type CampoEnvio, type DatosEnvio, type DatosEnvioForm } from './datosEnvio';

export const CAMPOS = Object.keys(CAMPOS_ENVIO) as CampoEnvio[];

/** Changes with anything that may be changed of a shipment's data, whoever wrote it: what an edit says it started from. */
export function huellaOf(envio: DatosEnvio): string {
  return createHash('sha256').update(JSON.stringify(CAMPOS.map((campo) => envio[campo]))).digest('base64url').slice(0, 22);
}

const TITULO = 'Error de actualización.';

/** Writes what a person changed of a shipment that we send ourselves; what the marketplace sends is the marketplace's. */
export async function saveDatosEnvio(trx: Trx, { orden: ordenId, huella, ...form }: z.infer<typeof DatosEnvioForm>, usuarioId: string): Promise<void> {
  const orden = await trx.selectFrom('orden').select(['envioId', 'envioPropio', 'numOrden']).where('id', '=', ordenId).executeTakeFirst();
  if (!orden?.envioId) throw new NotAllowed(TITULO, 'La orden todavía no tiene un envío.');
  const envio = await trx.selectFrom('envio').select(['id', 'propio', ...CAMPOS]).where('id', '=', orden.envioId).forUpdate().executeTakeFirstOrThrow();
  if (!envio.propio && !orden.envioPropio) throw new NotAllowed(TITULO, 'El marketplace lleva este envío y sus datos no se cambian aquí.');
  if (huellaOf(envio) !== huella) throw new Stale();
  const cambios = Object.fromEntries(CAMPOS.flatMap((campo) => ((form[campo] ?? null) === envio[campo] ? [] : [[campo, form[campo] ?? null]]))) as Partial<DatosEnvio>;
  const campos = Object.keys(cambios) as CampoEnvio[];
  if (campos.length === 0) return;
  // An address older than this one does not take its place (see internal/saveEnvios).
  const direccionEn = campos.every((campo) => campo === 'guia' || campo === 'paqueteria') ? {} : { direccionEn: new Date() };
  await trx.updateTable('envio').set({ ...cambios, ...direccionEn }).where('id', '=', envio.id).execute();
  await record(trx, { usuarioId, entidad: 'envio', entidadId: envio.id, accion: 'modificar', datos: { numOrden: orden.numOrden, campos: campos.map((campo) => CAMPOS_ENVIO[campo]) } });
}
