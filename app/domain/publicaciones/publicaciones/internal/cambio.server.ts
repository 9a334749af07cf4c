import { sql } from 'kysely';
import { z } from 'zod';
import { record } from '~/platform/bitacora.server';
import type { AcceptedEffect, Subject } from '~/platform/effects/definition';
import type { PublicacionDicha } from '~/domain/mercados/efectos';
import { Refused } from '~/integrations/errors';
import type { Db, Trx } from '~db/client.server';

const Pesos = z.string().nullable();

/**
 * The change of one listing, as its effect is asked for; null leaves that part as it is. `secuencia` is the wish of the follower that the change
 * fulfils; null when a person asked.
 */
export const Cambio = z.object({
  publicacionId: z.string(),
  clave: z.string(),
  variantes: z.number().int().default(0),
  precio: Pesos,
  stock: z.number().int().min(0).nullable(),
  titulo: z.string().nullable().default(null),
  estatus: z.string().nullable().default(null),
  precioAntes: Pesos,
  stockAntes: z.number().int().nullable(),
  motivo: z.string(),
  desde: z.string().nullable(),
  secuencia: z.number().nullable(),
});
export type Cambio = z.output<typeof Cambio>;

export const subjectsOf = ({ publicacionId }: Cambio): Subject[] => [['publicacion', publicacionId]];

/**
 * Writes a change that its marketplace shows, in the transaction that ends the effect: the listing, its history, and the end of the wish that the
 * change fulfils, unless a newer wish came meanwhile.
 */
export async function settleCambio(
  trx: Trx,
  { id, request, usuarioId }: Pick<AcceptedEffect<Cambio>, 'id' | 'request' | 'usuarioId'>,
  dicha: PublicacionDicha,
): Promise<void> {
  const { publicacionId, precio, stock, precioAntes, stockAntes, motivo, desde } = request;
  await sql`update publicacion set precio = ${dicha.precio}, stock = ${dicha.stock}, titulo = ${dicha.titulo}, estatus = ${dicha.estatus}, subestatus = ${dicha.subestatus},
      dicho_en = clock_timestamp(), huella = '', version = version + ${usuarioId === null ? 0 : 1},
      precio_negado = case when ${precio}::numeric is not null and ${dicha.precio}::numeric is distinct from ${precio}::numeric then ${precio}::numeric else precio_negado end
    where id = ${publicacionId}`.execute(trx);
  await trx
    .insertInto('publicacionHistoria')
    .values({
      publicacionId,
      motivo,
      precioAntes,
      precio: precio === null ? null : dicha.precio,
      stockAntes,
      stock: stock === null ? null : dicha.stock,
      desde,
      effectId: id,
      usuarioId,
    })
    .execute();
  await release(trx, request, id);
  if (usuarioId !== null)
    await record(trx, {
      usuarioId,
      entidad: 'publicacion',
      entidadId: publicacionId,
      accion: 'editar',
      datos: { antes: { precio: precioAntes, stock: stockAntes }, despues: dicha },
    });
}

/** Deletes the wish that was fulfilled. A newer wish that waited is due at once. */
async function release(trx: Trx, { publicacionId, secuencia }: Cambio, effectId: string): Promise<void> {
  if (secuencia === null) return;
  await sql`delete from publicacion_pendiente where publicacion_id = ${publicacionId} and secuencia = ${secuencia} and precio_retenido is null and not stock_retenido`.execute(
    trx,
  );
  await sql`update publicacion_pendiente set effect_id = null, enviada = null, fallas = 0, error = null,
      precio = case when secuencia = ${secuencia} then null else precio end, no_antes = now()
    where publicacion_id = ${publicacionId} and effect_id = ${effectId}`.execute(trx);
}

/** Reasons of our own side for not sending a change: the listing did nothing wrong, and its wish waits for nothing. */
export const SUPERADO = 'Llegó un valor más nuevo antes de enviarlo.';
export const DETENIDO = 'El seguimiento está detenido.';

/** Tells whether a change was held back by our own side, and not by the marketplace. */
export const isOurs = (razon: string): boolean => razon === SUPERADO || razon === DETENIDO;

const ESPERAS_S = [30, 120, 600, 3_600, 21_600];

/** Gives a wish back after a clear no: the wish waits, longer each time, with the reason in sight. After a reason of our own side it is due at once. */
export async function giveBackCambio(
  trx: Trx,
  { id, request }: Pick<AcceptedEffect<Cambio>, 'id' | 'request'>,
  razon: string,
): Promise<void> {
  const { publicacionId, secuencia, motivo, precio, precioAntes, stock, stockAntes, desde } = request;
  const nuestro = isOurs(razon);
  if (!nuestro)
    await trx
      .insertInto('publicacionHistoria')
      .values({ publicacionId, motivo, precioAntes, precio, stockAntes, stock, desde, effectId: id, error: razon })
      .execute();
  if (secuencia === null) return;
  await sql`update publicacion_pendiente set effect_id = null, enviada = null,
      fallas = case when ${nuestro} then fallas else least(fallas + 1, 100) end, error = case when ${nuestro} then error else ${razon} end,
      no_antes = case when ${nuestro} then now() else now() + make_interval(secs => (${ESPERAS_S}::float8[])[least(fallas + 1, ${ESPERAS_S.length})]) end
    where publicacion_id = ${publicacionId} and effect_id = ${id}`.execute(trx);
}

/** Throws Refused for a wish of the follower that is not the newest any more, or whose marketplace was stopped. A person's change has no wish and passes. */
export async function requireVigente(db: Db, effectId: string, { publicacionId, secuencia }: Cambio): Promise<void> {
  if (secuencia === null) return;
  const { rows } = await sql<{ secuencia: string | null; detenido: boolean }>`
    select (select n.secuencia from publicacion_pendiente n where n.publicacion_id = p.id and n.effect_id = ${effectId})::text as secuencia,
      s.detenido_en is not null as detenido
    from publicacion p join seguimiento s on s.market = p.market where p.id = ${publicacionId}`.execute(db);
  const fila = rows[0];
  if (!fila || fila.secuencia !== String(secuencia)) throw new Refused(SUPERADO);
  if (fila.detenido) throw new Refused(DETENIDO);
}
