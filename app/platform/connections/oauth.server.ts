import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { enumerate } from '~/core/hechos';
import { seal, unseal } from '~/core/seal.server';
import type { Db } from '~db/client.server';
import { keyring } from './credentials.server';
import { CONNECTIONS } from './registry.server';

const STATE_MINUTES = 15;
/** Bytes of a verifier; RFC 7636 asks for 43 to 128 characters. */
const VERIFIER_BYTES = 48;
const contextOf = (kind: string) => `oauth_state:${kind}`;
/** The person who begins an activation, with the session they do it in; a script has none. */
export type Activador = { id: string; sesion?: string };

const hashOf = (state: string) => createHash('sha256').update(state).digest();

/** Throws `NotAllowed` while settings of our application at the far side are missing: its page would open half filled. */
export function requireAplicacion(kind: string): void {
  const { label, link } = CONNECTIONS.of(kind);
  const falta = link.type === 'oauth' ? (link.falta?.() ?? []) : [];
  if (falta.length > 0)
    throw new NotAllowed(
      'Error de activación.',
      `Falta la aplicación de ${label}: configura ${enumerate(falta)} en el servidor.`,
    );
}

/** Starts an activation and returns the address where the owner of the account consents. Throws `NotAllowed` as `requireAplicacion`. */
export async function startOauth(db: Db, kind: string, usuario: Activador): Promise<string> {
  const { link } = CONNECTIONS.of(kind);
  if (link.type !== 'oauth') throw new Error(`connection ${kind} is not linked by OAuth`);
  requireAplicacion(kind);
  const { state, verifier } = await beginOauth(db, kind, usuario);
  return link.authorizationUrl(state, verifier);
}

/** Keeps that this person began an activation; returns its state and verifier. */
export async function beginOauth(
  db: Db,
  kind: string,
  usuario: Activador,
): Promise<{ state: string; verifier: string }> {
  const state = randomBytes(32).toString('base64url');
  const verifier = randomBytes(VERIFIER_BYTES).toString('base64url');
  await db
    .deleteFrom('oauthState')
    .where('expiresAt', '<', sql<Date>`now()`)
    .execute();
  await db
    .insertInto('oauthState')
    .values({
      stateHash: hashOf(state),
      connection: kind,
      sealed: seal(keyring(), verifier, contextOf(kind)),
      usuarioId: usuario.id,
      sesionHash: usuario.sesion === undefined ? null : hashOf(usuario.sesion),
      expiresAt: sql`now() + make_interval(mins => ${STATE_MINUTES})`,
    })
    .execute();
  return { state, verifier };
}

/**
 * Returns the verifier of an activation that came back, and uses it up. Undefined unless the activation is ours, of this person in the session where
 * it began, and young.
 */
export async function takeOauthState(
  db: Db,
  kind: string,
  usuario: Activador,
  state: string,
): Promise<string | undefined> {
  const started = await db
    .deleteFrom('oauthState')
    .where('stateHash', '=', hashOf(state))
    .where('connection', '=', kind)
    .where('usuarioId', '=', usuario.id)
    .where((is) =>
      is.or([
        is('sesionHash', 'is', null),
        ...(usuario.sesion === undefined ? [] : [is('sesionHash', '=', hashOf(usuario.sesion))]),
      ]),
    )
    .returning(['sealed', sql<boolean>`expires_at > now()`.as('young')])
    .executeTakeFirst();
  return started?.young ? unseal(keyring(), started.sealed, contextOf(kind)).toString('utf8') : undefined;
}
