import { sql } from 'kysely';
import { z } from 'zod';
import { Money } from '~/core/money';
import { record } from '~/platform/bitacora.server';
import type { AcceptedEffect, Subject } from '~/platform/effects/definition';
import { Refused } from '~/integrations/errors';
import type { Db, Trx } from '~db/client.server';

const Pesos = z.string().nullable();

/** What one call changes of one listing. Null: that stays as it is. `secuencia`: the wish of the follower that it fulfils; null when a person asked. */
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

/** What the marketplace shows of it after that. */
export const Dicho = z.object({
  precio: Pesos,
  stock: z.number().int().nullable(),
  titulo: z.string(),
  estatus: z.string(),
  subestatus: z.array(z.string()),
});
export type Dicho = z.output<typeof Dicho>;

export const subjectsOf = ({ publicacionId }: Cambio): Subject[] => [['publicacion', publicacionId]];

/** Whether what is shown is what was asked. */
export const show = (dicho: Dicho, { precio, stock, titulo, estatus }: Cambio): boolean =>
  (precio === null || (dicho.precio !== null && Money.of(dicho.precio).equals(Money.of(precio)))) &&
  (stock === null || dicho.stock === stock) &&
  (titulo === null || dicho.titulo === titulo) &&
  (estatus === null || dicho.estatus === estatus);

/**
 * Keeps what was told, in the transaction that ends its effect: the listing, its history, and the end of the wish it fulfils, unless a newer one came meanwhile.
 */
export async function settleCambio(
  trx: Trx,
  { id, request, usuarioId }: Pick<AcceptedEffect<Cambio>, 'id' | 'request' | 'usuarioId'>,
  dicho: Dicho,
): Promise<void> {
  const { publicacionId, precio, stock, precioAntes, stockAntes, motivo, desde } = request;
  await sql`update publicacion set precio = ${dicho.precio}, stock = ${dicho.stock}, titulo = ${dicho.titulo}, estatus = ${dicho.estatus}, subestatus = ${dicho.subestatus},
      dicho_en = clock_timestamp(), huella = '', version = version + ${usuarioId === null ? 0 : 1},
      precio_negado = case when ${precio}::numeric is not null and ${dicho.precio}::numeric is distinct from ${precio}::numeric then ${precio}::numeric else precio_negado end
    where id = ${publicacionId}`.execute(trx);
  await trx
    .insertInto('publicacionHistoria')
    .values({
      publicacionId,
      motivo,
      precioAntes,
      precio: precio === null ? null : dicho.precio,
      stockAntes,
      stock: stock === null ? null : dicho.stock,
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
      datos: { antes: { precio: precioAntes, stock: stockAntes }, despues: dicho },
    });
}

/** The wish that was fulfilled goes; a newer one that waited goes next. */
async function release(trx: Trx, { publicacionId, secuencia }: Cambio, effectId: string): Promise<void> {
  if (secuencia === null) return;
  await sql`delete from publicacion_pendiente where publicacion_id = ${publicacionId} and secuencia = ${secuencia} and precio_retenido is null and not stock_retenido`.execute(
    trx,
  );
  await sql`update publicacion_pendiente set effect_id = null, enviada = null, fallas = 0, error = null,
      precio = case when secuencia = ${secuencia} then null else precio end, no_antes = now()
    where publicacion_id = ${publicacionId} and effect_id = ${effectId}`.execute(trx);
}

/** Why a change is not sent after all: said by our own side, and nothing of the listing's fault. */
export const SUPERADO = 'Llegó un valor más nuevo antes de enviarlo.';
export const DETENIDO = 'El seguimiento está detenido.';

export const isOurs = (razon: string): boolean => razon === SUPERADO || razon === DETENIDO;

const ESPERAS_S = [30, 120, 600, 3_600, 21_600];

/** A clear no: the wish waits, longer each time, with its reason in sight. What our own side held back waits for nothing. */
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

/** What follows a supplier is sent only while it is the newest wish, and nobody stopped it. */
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
