import { env } from '~/core/env.server';
import { record } from '~/platform/bitacora.server';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import { createMercadolibre, type Mercadolibre } from '~/integrations/mercadolibre/client.server';
import { type Categorias, createCategorias } from '~/integrations/mercadolibre/categorias.server';
import { createReportesMp, type ReportesMp } from '~/integrations/mercadolibre/reportes.server';
import { type MercadolibreOauth, type TokenPair } from '~/integrations/mercadolibre/oauth.server';
import type { Db } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import type { Activacion } from '~/domain/mercados/activacion';
import { findCredential, saveCredential } from '~/platform/connections/credentials.server';
import { forgetFailures } from '~/platform/connections/breaker.server';
import { type Activador, startOauth, takeOauthState } from '~/platform/connections/oauth.server';
import { mercadolibreOauth } from './conexion.server';
import { noteEtiquetas } from './internal/cuentaMl.server';
import { mercadolibreTokens } from './internal/tokens.server';

/**
 * Opens the client of the linked seller. A page gives it a short patience (`timeoutMs`). Here and below, the first call throws `Unavailable` (`account`)
 * while no seller is linked.
 */
export function openMercadolibre(
  db: Db,
  { oauth = mercadolibreOauth(), timeoutMs }: { oauth?: MercadolibreOauth; timeoutMs?: number } = {},
): Mercadolibre {
  const { MERCADOLIBRE_URL, MERCADOPAGO_URL } = env();
  return createMercadolibre({
    baseUrl: MERCADOLIBRE_URL,
    paymentsUrl: MERCADOPAGO_URL,
    tokens: mercadolibreTokens(db, oauth),
    timeoutMs,
  });
}

/** Opens the questions that come before something is put on sale. */
export function openCategorias(db: Db, { timeoutMs }: { timeoutMs?: number } = {}): Categorias {
  return createCategorias({
    baseUrl: env().MERCADOLIBRE_URL,
    tokens: mercadolibreTokens(db, mercadolibreOauth()),
    timeoutMs,
  });
}

/** Opens the reports of the money that was paid out. */
export function openReportesMp(db: Db, { timeoutMs }: { timeoutMs?: number } = {}): ReportesMp {
  return createReportesMp({
    paymentsUrl: env().MERCADOPAGO_URL,
    tokens: mercadolibreTokens(db, mercadolibreOauth()),
    timeoutMs,
  });
}

/** Starts an activation, and returns the address where the owner of the account says yes. */
export const startLink = (db: Db, usuario: Activador): Promise<string> => startOauth(db, 'mercadolibre', usuario);

/** Reads a return of Mercado Libre; undefined for the return of another marketplace. */
export async function regresoMl(
  db: Db,
  usuario: Activador,
  { code, state, error }: Readonly<Record<string, string | undefined>>,
): Promise<Activacion | undefined> {
  if (error) return error === 'invalid_operator_user_id' ? 'noEsDueno' : 'cancelada';
  if (!code) return undefined;
  return state ? await linkMercadolibre(db, usuario, { code, state }) : 'vencida';
}

/**
 * Ends an activation with what Mercado Libre sent back. The state is ours, of this person, young and used once, so the address can
 * be visited by nobody else and only one time. A new link replaces the one there was and starts a sync of everything.
 */
export async function linkMercadolibre(
  db: Db,
  usuario: Activador,
  back: { code: string; state: string },
  oauth: MercadolibreOauth = mercadolibreOauth(),
): Promise<Activacion> {
  const verifier = await takeOauthState(db, 'mercadolibre', usuario, back.state);
  if (verifier === undefined) return 'vencida';

  let pair: TokenPair;
  let seller: Awaited<ReturnType<Mercadolibre['usersMe']>>;
  try {
    pair = await oauth.exchangeCode(back.code, verifier);
    seller = await sellerOf(pair);
  } catch (error) {
    if (error instanceof Refused)
      return error.details.code === 'no_offline_access' ? 'sinPermisoDuradero' : 'rechazada';
    if (error instanceof Unavailable || error instanceof Uncertain || error instanceof UnexpectedShape)
      return 'sinConexion';
    throw error;
  }
  if (seller.site_id !== 'MLM') return 'otroPais';

  await db.transaction().execute(async (trx) => {
    const before = await findCredential(trx, 'mercadolibre');
    // The cursors are of the other account.
    if (before && before.account !== seller.id)
      await trx.deleteFrom('syncCursor').where('source', 'like', 'mercadolibre:%').execute();
    await saveCredential(trx, 'mercadolibre', {
      account: seller.id,
      label: seller.nickname,
      secrets: { accessToken: pair.accessToken, refreshToken: pair.refreshToken },
      validForSeconds: pair.expiresInSeconds,
    });
    await noteEtiquetas(trx, seller.id, seller.tags);
    await record(trx, {
      usuarioId: usuario.id,
      entidad: 'credential',
      entidadId: 'mercadolibre',
      accion: 'vincular',
      datos: { cuenta: seller.id },
    });
    await forgetFailures(trx, 'mercadolibre');
    await enqueueSync(trx);
    await enqueue(trx, 'publicaciones.sync', { market: 'ml', modo: 'todas' });
  });
  return 'lista';
}

/** Returns the seller of a new pair of tokens, asked with the pair before anything is stored. */
async function sellerOf(pair: TokenPair) {
  const access = { token: pair.accessToken, sellerId: pair.userId, version: 0 };
  const unlinked = new Unavailable('el permiso nuevo no sirvió', { account: true });
  const { MERCADOLIBRE_URL, MERCADOPAGO_URL } = env();
  const client = createMercadolibre({
    baseUrl: MERCADOLIBRE_URL,
    paymentsUrl: MERCADOPAGO_URL,
    tokens: {
      current: () => Promise.resolve(access),
      renew: () => Promise.reject(unlinked),
      reject: () => Promise.resolve(),
    },
  });
  return await client.usersMe();
}

/** Asks for a run of each kind. A run that waits already is not doubled. */
export async function enqueueSync(trx: Parameters<typeof enqueue>[0]): Promise<void> {
  for (const kind of ['sweep', 'cancelled', 'missed', 'atencion'] as const)
    await enqueue(trx, 'ventas.sync', { market: 'ml', kind });
}
