import { sql } from 'kysely';
import { NotAllowed, Stale } from '~/core/errors';
import { type Keyring, seal, sealedWith, unseal } from '~/core/seal.server';
import { env } from '~/core/env.server';
import { record } from '~/platform/bitacora.server';
import { keyring } from '~/platform/connections/credentials.server';
import { direccionesOf, RedPrivada } from '~/integrations/ganchos/direccion.server';
import type { Db, Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import { newSecreto } from './internal/signBody.server';
import type { NuevoGancho } from './forms';
import { lockName } from '~db/locks.server';

const TITULO = 'Error al agregar.';
/** Most receivers: each is told of everything by itself, so more of them would need another design. */
const MAX_GANCHOS = 20;
/** SQL: until when a replaced secret still signs. */
const TRASLAPE = sql<Date>`now() + interval '24 hours'`;

const contexto = (id: string) => `gancho:${id}`;
/** Opens the secret of a receiver. */
export const openSecreto = (id: string, sealed: Buffer, ring: Keyring = keyring()): string =>
  unseal(ring, sealed, contexto(id)).toString('utf8');

/** Returns whether receivers in a private network are allowed (setting GANCHOS_RED_PRIVADA). */
export const allowsRedPrivada = (): boolean => env().GANCHOS_RED_PRIVADA === '1';

/** Returns the ports that a new receiver may have (setting GANCHOS_PUERTOS); null where any may be. */
export const puertosPermitidos = (): string[] | null => (allowsRedPrivada() ? null : env().GANCHOS_PUERTOS.split(','));

/** Returns the port of an address when no new receiver may have it (setting GANCHOS_PUERTOS); null otherwise. */
function puertoAjeno(text: string): string | null {
  const { port, protocol } = new URL(text);
  const puerto = port || (protocol === 'https:' ? '443' : '80');
  return puertosPermitidos()?.includes(puerto) === false ? puerto : null;
}

/**
 * Throws `NotAllowed` for an address that we never send to: without https, or in a private network. Each delivery looks again, since a name may lead
 * elsewhere tomorrow.
 */
export async function requireDireccion(text: string): Promise<void> {
  const refuse = (why: string) => new NotAllowed(TITULO, why, { campo: 'url' });
  const url = new URL(text);
  const privadas = allowsRedPrivada();
  if (url.protocol !== 'https:' && !privadas) throw refuse('La dirección empieza con https://.');
  if (puertoAjeno(text) !== null) throw refuse(`Se avisa solo a estos puertos: ${env().GANCHOS_PUERTOS}.`);
  await direccionesOf(url, { privadas }).catch((error: unknown) => {
    if (error instanceof RedPrivada) throw refuse('Esa dirección lleva a una red privada.');
  });
}

/**
 * Makes a receiver and returns its secret, which is told here and nowhere else. The caller asks `requireDireccion` first. Throws `NotAllowed` when
 * there are too many.
 */
export async function createGancho(trx: Trx, { nombre, url, tipos }: NuevoGancho, usuarioId: string): Promise<string> {
  await lockName(trx, 'ganchos');
  const { cuantos } = await trx
    .selectFrom('gancho')
    .select(({ fn }) => fn.countAll<number>().as('cuantos'))
    .executeTakeFirstOrThrow();
  if (cuantos >= MAX_GANCHOS)
    throw new NotAllowed(TITULO, `Caben ${MAX_GANCHOS} receptores. Quita uno que ya no uses.`);
  const secreto = newSecreto();
  const { rows } = await sql<{ id: string }>`select uuidv7() as id`.execute(trx);
  const { id } = rows[0]!;
  await trx
    .insertInto('gancho')
    .values({
      id,
      nombre,
      url,
      tipos: [...new Set(tipos)],
      secreto: seal(keyring(), secreto, contexto(id)),
      creadoPor: usuarioId,
    })
    .execute();
  await record(trx, { usuarioId, entidad: 'gancho', entidadId: id, accion: 'crear', datos: { nombre, url, tipos } });
  return secreto;
}

/**
 * Gives a receiver another secret and returns it. The old one signs beside it for a day, and one before that no longer. Throws `Stale` when the
 * receiver moved.
 */
export async function rotateSecreto(
  trx: Trx,
  { gancho, version }: { gancho: string; version: number },
  usuarioId: string,
): Promise<string> {
  const secreto = newSecreto();
  const rotado = await trx
    .updateTable('gancho')
    .set((is) => ({
      secretoAnterior: is.ref('secreto'),
      anteriorHasta: TRASLAPE,
      secreto: seal(keyring(), secreto, contexto(gancho)),
      version: version + 1,
    }))
    .where('id', '=', gancho)
    .where('version', '=', version)
    .returning('nombre')
    .executeTakeFirst();
  if (!rotado) throw new Stale();
  await record(trx, { usuarioId, entidad: 'gancho', entidadId: gancho, accion: 'rotar', datos: rotado });
  return secreto;
}

/** Removes a receiver, with everything that waited for it. Throws `Stale` when the receiver moved. */
export async function removeGancho(
  trx: Trx,
  { gancho, version }: { gancho: string; version: number },
  usuarioId: string,
): Promise<void> {
  const quitado = await trx
    .deleteFrom('gancho')
    .where('id', '=', gancho)
    .where('version', '=', version)
    .returning(['nombre', 'url'])
    .executeTakeFirst();
  if (!quitado) throw new Stale();
  await record(trx, { usuarioId, entidad: 'gancho', entidadId: gancho, accion: 'quitar', datos: quitado });
}

/** Sends dead deliveries again, for one more day: one of them, or all of a receiver. Returns how many. */
export async function resend(
  trx: Trx,
  cual: { entrega: string } | { gancho: string },
  usuarioId: string,
): Promise<number> {
  const vueltas = await trx
    .updateTable('ganchoEntrega')
    .set({
      estado: 'pendiente',
      intentos: 0,
      proximoEn: sql<Date>`now()`,
      venceEn: sql<Date>`now() + interval '24 hours'`,
      terminadaEn: null,
    })
    .where('estado', '=', 'muerta')
    .where('entrega' in cual ? 'id' : 'ganchoId', '=', 'entrega' in cual ? cual.entrega : cual.gancho)
    .returning(['id', 'ganchoId'])
    .execute();
  const [primera] = vueltas;
  if (!primera) return 0;
  await trx.updateTable('gancho').set({ esperaHasta: null }).where('id', '=', primera.ganchoId).execute();
  await enqueue(trx, 'ganchos.entregar', { ganchoId: primera.ganchoId });
  await record(trx, {
    usuarioId,
    entidad: 'gancho',
    entidadId: primera.ganchoId,
    accion: 'reenviar',
    datos: { entregas: vueltas.length },
  });
  return vueltas.length;
}

const ULTIMAS = 20;
const MUERTAS = 50;

/** Lists the receivers, each with its last deliveries and its dead ones. `puertoAjeno` is a port that no new receiver could have; the receiver stays. */
export async function listGanchos(db: Db) {
  const ganchos = await db
    .selectFrom('gancho')
    .orderBy('id')
    .select(['id', 'nombre', 'url', 'tipos', 'creadoEn', 'version', 'fallos', 'esperaHasta'])
    .select(sql<Date | null>`case when anterior_hasta > now() then anterior_hasta end`.as('anteriorHasta'))
    .select(
      sql<number>`(
        select count(*)::int from gancho_entrega e
        where e.gancho_id = gancho.id and e.estado = 'pendiente')`.as('pendientes'),
    )
    .select(
      sql<number>`(
        select count(*)::int from gancho_entrega e
        where e.gancho_id = gancho.id and e.estado = 'muerta')`.as('muertas'),
    )
    .execute();
  return Promise.all(
    ganchos.map(async (gancho) => {
      const [ultimas, sinEntregar] = await Promise.all([
        entregasOf(db, gancho.id).limit(ULTIMAS).execute(),
        entregasOf(db, gancho.id).where('ganchoEntrega.estado', '=', 'muerta').limit(MUERTAS).execute(),
      ]);
      return { ...gancho, ultimas, sinEntregar, puertoAjeno: puertoAjeno(gancho.url) };
    }),
  );
}

const entregasOf = (db: Db, ganchoId: string) =>
  db
    .selectFrom('ganchoEntrega')
    .innerJoin('ganchoEvento', 'ganchoEvento.id', 'ganchoEntrega.eventoId')
    .where('ganchoEntrega.ganchoId', '=', ganchoId)
    .orderBy('ganchoEntrega.id', 'desc')
    .select([
      'ganchoEntrega.id',
      'ganchoEntrega.estado',
      'ganchoEntrega.intentos',
      'ganchoEntrega.detalle',
      'ganchoEntrega.status',
      'ganchoEntrega.terminadaEn',
      'ganchoEntrega.proximoEn',
      'ganchoEvento.tipo',
      'ganchoEvento.ocurridoEn',
    ]);

/** Seals again, with the current key, the secrets that an older key sealed. Returns how many receivers changed. */
export async function resealGanchos(db: Db, ring: Keyring = keyring()): Promise<number> {
  const rows = await db.selectFrom('gancho').select(['id', 'version', 'secreto', 'secretoAnterior']).execute();
  let changed = 0;
  for (const { id, version, secreto, secretoAnterior } of rows) {
    const both = secretoAnterior === null ? [secreto] : [secreto, secretoAnterior];
    if (both.every((sealed) => sealedWith(sealed) === ring.current)) continue;
    const again = (sealed: Buffer) => seal(ring, openSecreto(id, sealed, ring), contexto(id));
    const { numUpdatedRows } = await db
      .updateTable('gancho')
      .set({ secreto: again(secreto), secretoAnterior: secretoAnterior && again(secretoAnterior) })
      .where('id', '=', id)
      .where('version', '=', version)
      .executeTakeFirst();
    changed += Number(numUpdatedRows);
  }
  return changed;
}
