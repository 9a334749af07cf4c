import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { env } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import { type Keyring, seal, sealedWith, unseal } from '~/core/seal.server';
import { record } from '~/platform/bitacora.server';
import { keyring } from '~/platform/connections/credentials.server';
import type { Db, Trx } from '~db/client.server';
import { forgetDispositivos } from './dispositivos.server';
import { CODIGO_LARGO, CODIGOS_DE_RECUPERACION, type SegundoFactor } from './segundoFactor';
import { newCodigoEscrito } from './internal/codigoEscrito.server';
import { obligacionOf } from './internal/obligacion.server';
import { noteSegundoFactor, revokeSessions } from './sesiones.server';
import type { Rol, Usuario } from '~/core/usuario';

/** Parameters of the codes, as every application understands them (RFC 6238). */
const TOTP_OF = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Steps that a telephone may be behind or ahead. */
const WINDOW = 1;
/** How long a new secret waits for its first code, in minutes. */
const NUEVO_MINUTOS = 15;

const AL_ACTIVAR = 'Error de activación.';
/** SQL: now, in seconds, by the database's clock, which all processes share. */
const AHORA = sql<number>`extract(epoch from clock_timestamp())::float8`;

/** Returns whether a role has to have a second factor, now or once its grace is over. */
export const mustHave = (rol: Rol): boolean => obligacionOf(rol) !== null;

/** Returns the state of a person's second factor. */
export async function readSegundoFactor(
  db: Db | Trx,
  { id, rol }: Pick<Usuario, 'id' | 'rol'>,
): Promise<SegundoFactor> {
  const row = await db
    .selectFrom('segundoFactor')
    .select(['confirmadoEn', QUEDAN.as('quedan')])
    .where('usuarioId', '=', id)
    .executeTakeFirst();
  return { confirmadoEn: row?.confirmadoEn ?? null, quedan: row?.quedan ?? 0, obligado: mustHave(rol) };
}

/** SQL: the number of recovery codes that are left. */
const QUEDAN = sql<number>`(
  select count(*)::int from codigo_recuperacion codigo
  where codigo.usuario_id = segundo_factor.usuario_id and codigo.usado_en is null)`;

/** Returns whether a person has a second factor in use. */
export async function hasSegundoFactor(db: Db | Trx, usuarioId: string): Promise<boolean> {
  const row = await db
    .selectFrom('segundoFactor')
    .select('usuarioId')
    .where('usuarioId', '=', usuarioId)
    .where('confirmadoEn', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Makes a new secret, which counts for nothing until its first code is given. The one in use stays in use until then. */
export async function startSegundoFactor(trx: Trx, usuario: Pick<Usuario, 'id'>): Promise<void> {
  const nuevo = { nuevoSellado: sealOf(usuario.id, new Secret({ size: 20 }).base32), nuevoEn: sql<Date>`now()` };
  await trx
    .insertInto('segundoFactor')
    .values({ usuarioId: usuario.id, ...nuevo })
    .onConflict((conflict) => conflict.column('usuarioId').doUpdateSet(nuevo))
    .execute();
}

/** Returns the secret that waits for its first code, as text and as the address of a QR code; null when there is none, or when it is too old. */
export async function readNuevo(
  db: Db | Trx,
  { id, usuario }: Pick<Usuario, 'id' | 'usuario'>,
): Promise<{ secreto: string; uri: string } | null> {
  const row = await db
    .selectFrom('segundoFactor')
    .select('nuevoSellado')
    .where('usuarioId', '=', id)
    .where('nuevoEn', '>', sql<Date>`now() - make_interval(mins => ${NUEVO_MINUTOS})`)
    .executeTakeFirst();
  if (!row?.nuevoSellado) return null;
  const secreto = openOf(id, row.nuevoSellado);
  return { secreto, uri: new TOTP({ ...TOTP_OF, issuer: env().MARCA, label: usuario, secret: secreto }).toString() };
}

/**
 * Puts the new secret in use by its first code, and returns the recovery codes, which are never shown again. Every other session of this person ends
 * and no browser is known any more: whoever was in without a code is out. API passwords, which open no screen, stay. `token` is the session that stays. Throws `NotAllowed` for a wrong code or
 * an old secret.
 */
export async function confirmSegundoFactor(
  trx: Trx,
  usuario: Pick<Usuario, 'id' | 'usuario'>,
  token: string,
  codigo: string,
): Promise<string[]> {
  const row = await trx
    .selectFrom('segundoFactor')
    .select(['nuevoSellado', 'confirmadoEn', AHORA.as('ahora')])
    .where('usuarioId', '=', usuario.id)
    .where('nuevoEn', '>', sql<Date>`now() - make_interval(mins => ${NUEVO_MINUTOS})`)
    .forUpdate()
    .executeTakeFirst();
  if (!row?.nuevoSellado) throw new NotAllowed(AL_ACTIVAR, 'La activación venció. Empieza otra vez.');
  const paso = stepOf(openOf(usuario.id, row.nuevoSellado), codigo, row.ahora);
  if (paso === null) {
    const texto =
      'El código no es correcto. Revisa que la hora de tu teléfono sea automática y escribe el que muestra ahora.';
    throw new NotAllowed(AL_ACTIVAR, texto, { campo: 'codigo' });
  }
  await trx
    .updateTable('segundoFactor')
    .set({
      sellado: row.nuevoSellado,
      confirmadoEn: sql<Date>`now()`,
      ultimoPaso: paso,
      nuevoSellado: null,
      nuevoEn: null,
    })
    .where('usuarioId', '=', usuario.id)
    .execute();
  await revokeSessions(trx, usuario.id, { but: token, claves: 'quedan' });
  await noteSegundoFactor(trx, token);
  await forgetDispositivos(trx, usuario.id);
  await tell(trx, usuario.id, usuario.id, row.confirmadoEn === null ? 'activarSegundoFactor' : 'cambiarSegundoFactor');
  return makeCodigos(trx, usuario.id);
}

/** Makes new recovery codes and returns them; the old ones open nothing any more. Throws `NotAllowed` without a second factor. */
export async function renewCodigos(trx: Trx, usuario: Pick<Usuario, 'id'>): Promise<string[]> {
  if (!(await hasSegundoFactor(trx, usuario.id)))
    throw new NotAllowed('Error.', 'No tienes verificación en dos pasos.');
  await tell(trx, usuario.id, usuario.id, 'renovarCodigosDeRecuperacion');
  return makeCodigos(trx, usuario.id);
}

/** Takes a person's own second factor away. Throws `NotAllowed` when the role has to have one. */
export async function dropOwnSegundoFactor(trx: Trx, usuario: Pick<Usuario, 'id' | 'rol'>): Promise<void> {
  if (mustHave(usuario.rol))
    throw new NotAllowed(
      'Error de desactivación.',
      'Tu rol necesita la verificación en dos pasos. Puedes cambiar de teléfono.',
    );
  if (!(await drop(trx, usuario.id))) return;
  await tell(trx, usuario.id, usuario.id, 'quitarSegundoFactor');
}

/**
 * Takes away the second factor of a person who lost their telephone and their recovery codes. Their sessions end, and they enter with their password
 * alone until they have a new one. `actor` is null when an operator does it from the command line. Returns whether there was one; throws `NotAllowed`
 * for one's own.
 */
export async function dropSegundoFactor(
  trx: Trx,
  actor: Pick<Usuario, 'id'> | null,
  usuarioId: string,
): Promise<boolean> {
  if (actor?.id === usuarioId) throw new NotAllowed('Error de desactivación.', 'La tuya se quita en «Editar Datos».');
  if (!(await drop(trx, usuarioId))) return false;
  await revokeSessions(trx, usuarioId);
  await tell(trx, actor?.id ?? null, usuarioId, 'quitarSegundoFactor');
  return true;
}

async function drop(trx: Trx, usuarioId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('segundoFactor')
    .where('usuarioId', '=', usuarioId)
    .executeTakeFirst();
  await trx.deleteFrom('entrada').where('usuarioId', '=', usuarioId).execute();
  await forgetDispositivos(trx, usuarioId);
  return numDeletedRows > 0n;
}

/** Takes a code: returns whether it is the code of now, and uses it up. A code opens once; its step and all before it open nothing any more. */
export async function takeCodigo(db: Db | Trx, usuarioId: string, codigo: string): Promise<boolean> {
  const row = await db
    .selectFrom('segundoFactor')
    .select(['sellado', AHORA.as('ahora')])
    .where('usuarioId', '=', usuarioId)
    .executeTakeFirst();
  const paso = row?.sellado ? stepOf(openOf(usuarioId, row.sellado), codigo, row.ahora) : null;
  if (paso === null) return false;
  const { numUpdatedRows } = await db
    .updateTable('segundoFactor')
    .set({ ultimoPaso: paso })
    .where('usuarioId', '=', usuarioId)
    .where('ultimoPaso', '<', paso)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Takes a recovery code: returns how many are left after it, or null when it is none or was used before. */
export async function takeRecuperacion(db: Db | Trx, usuarioId: string, codigo: string): Promise<number | null> {
  const { numUpdatedRows } = await db
    .updateTable('codigoRecuperacion')
    .set({ usadoEn: sql`now()` })
    .where('usuarioId', '=', usuarioId)
    .where('codigoHash', '=', hashOf(usuarioId, codigo))
    .where('usadoEn', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return null;
  const { quedan } = await db
    .selectFrom('segundoFactor')
    .select(QUEDAN.as('quedan'))
    .where('usuarioId', '=', usuarioId)
    .executeTakeFirstOrThrow();
  await tell(db, usuarioId, usuarioId, 'usarCodigoDeRecuperacion', { quedan });
  return quedan;
}

/** Seals again, with the current key, the secrets that an older key sealed. Returns how many changed. */
export async function resealSegundoFactor(db: Db, ring: Keyring = keyring()): Promise<number> {
  const rows = await db
    .selectFrom('segundoFactor')
    .select(['usuarioId', 'sellado'])
    .where('sellado', 'is not', null)
    .execute();
  let changed = 0;
  for (const { usuarioId, sellado } of rows) {
    if (sealedWith(sellado!) === ring.current) continue;
    const { numUpdatedRows } = await db
      .updateTable('segundoFactor')
      .set({ sellado: sealOf(usuarioId, openOf(usuarioId, sellado!, ring), ring) })
      .where('usuarioId', '=', usuarioId)
      .where('sellado', '=', sellado)
      .executeTakeFirst();
    changed += Number(numUpdatedRows);
  }
  return changed;
}

/** Returns the step that a code belongs to, among those around now; null for none. */
function stepOf(secreto: string, codigo: string, seconds: number): number | null {
  const timestamp = seconds * 1000;
  const delta = TOTP.validate({
    ...TOTP_OF,
    token: codigo,
    secret: Secret.fromBase32(secreto),
    timestamp,
    window: WINDOW,
  });
  return delta === null ? null : TOTP.counter({ period: TOTP_OF.period, timestamp }) + delta;
}

async function makeCodigos(trx: Trx, usuarioId: string): Promise<string[]> {
  const codigos = Array.from({ length: CODIGOS_DE_RECUPERACION }, () => newCodigoEscrito(CODIGO_LARGO));
  await trx.deleteFrom('codigoRecuperacion').where('usuarioId', '=', usuarioId).execute();
  await trx
    .insertInto('codigoRecuperacion')
    .values(codigos.map((codigo) => ({ usuarioId, codigoHash: hashOf(usuarioId, codigo) })))
    .execute();
  return codigos;
}

const contextOf = (usuarioId: string) => `segundoFactor:${usuarioId}`;
const sealOf = (usuarioId: string, secreto: string, ring: Keyring = keyring()) =>
  seal(ring, secreto, contextOf(usuarioId));
const openOf = (usuarioId: string, sellado: Buffer, ring: Keyring = keyring()) =>
  unseal(ring, sellado, contextOf(usuarioId)).toString('utf8');
const hashOf = (usuarioId: string, codigo: string) => createHash('sha256').update(`${usuarioId}:${codigo}`).digest();

const tell = (db: Db | Trx, actorId: string | null, entidadId: string, accion: string, datos = {}) =>
  record(db, { usuarioId: actorId, entidad: 'usuario', entidadId, accion, datos });
