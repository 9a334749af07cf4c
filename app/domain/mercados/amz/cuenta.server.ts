import { env } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import { amazonRitmo } from './internal/ritmo.server';
import { AMAZON, amazonLwa, amazonTokens, secretsOf } from './internal/tokens.server';
import { forgetFailures } from '~/platform/connections/breaker.server';
import { findCredential, saveCredential } from '~/platform/connections/credentials.server';
import type { Keys } from '~/platform/connections/definition';
import { type Activador, beginOauth, takeOauthState } from '~/platform/connections/oauth.server';
import { type CatalogoAmz, createCatalogoAmz } from '~/integrations/amazon/catalogo.server';
import { type Amazon, createAmazon, MEXICO } from '~/integrations/amazon/client.server';
import { type ComisionesAmz, createComisionesAmz } from '~/integrations/amazon/comisiones.server';
import { createGuiasAmz, type GuiasAmz } from '~/integrations/amazon/guias.server';
import { createPublicacionesAmz, type PublicacionesAmz } from '~/integrations/amazon/publicaciones.server';
import { createReportesAmz, type ReportesAmz } from '~/integrations/amazon/reportes.server';
import type { Permiso } from '~/integrations/amazon/lwa.server';
import { SIN_RITMO } from '~/integrations/amazon/pace';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import type { Activacion } from '~/domain/mercados/activacion';
import { requireAplicacion } from '~/platform/connections/oauth.server';

/**
 * Opens the client of the linked seller. A page gives it a short patience (`timeoutMs`) and goes before machines. Here and below, the first call throws
 * `Unavailable` (`account`) while no seller is linked.
 */
export function openAmazon(db: Db, { timeoutMs }: { timeoutMs?: number } = {}): Amazon {
  return createAmazon({
    baseUrl: env().AMAZON_URL,
    tokens: amazonTokens(db, amazonLwa()),
    ritmo: amazonRitmo(db, timeoutMs === undefined ? 'maquina' : 'persona'),
    timeoutMs,
  });
}

/** Opens the settlements of the linked seller. */
export function openReportesAmz(db: Db, { timeoutMs }: { timeoutMs?: number } = {}): ReportesAmz {
  return createReportesAmz({
    baseUrl: env().AMAZON_URL,
    tokens: amazonTokens(db, amazonLwa()),
    ritmo: amazonRitmo(db, timeoutMs === undefined ? 'maquina' : 'persona'),
    timeoutMs,
  });
}

/** Opens the catalogue that sellers share, and the questions of each product type. */
export function openCatalogoAmz(db: Db, { timeoutMs }: { timeoutMs?: number } = {}): CatalogoAmz {
  return createCatalogoAmz({
    baseUrl: env().AMAZON_URL,
    tokens: amazonTokens(db, amazonLwa()),
    ritmo: amazonRitmo(db, timeoutMs === undefined ? 'maquina' : 'persona'),
    timeoutMs,
  });
}

/** Opens the estimates of fees of the linked seller. */
export function openComisionesAmz(db: Db, { timeoutMs }: { timeoutMs?: number } = {}): ComisionesAmz {
  return createComisionesAmz({
    baseUrl: env().AMAZON_URL,
    tokens: amazonTokens(db, amazonLwa()),
    ritmo: amazonRitmo(db, timeoutMs === undefined ? 'maquina' : 'persona'),
    timeoutMs,
  });
}

/** Opens the labels that Amazon sells to the linked seller. */
export function openGuiasAmz(db: Db, { timeoutMs }: { timeoutMs?: number } = {}): GuiasAmz {
  return createGuiasAmz({
    baseUrl: env().AMAZON_URL,
    tokens: amazonTokens(db, amazonLwa()),
    ritmo: amazonRitmo(db, timeoutMs === undefined ? 'maquina' : 'persona'),
    timeoutMs,
  });
}

/** Opens the listings of the linked seller. */
export function openPublicacionesAmz(db: Db, { timeoutMs }: { timeoutMs?: number } = {}): PublicacionesAmz {
  return createPublicacionesAmz({
    baseUrl: env().AMAZON_URL,
    tokens: amazonTokens(db, amazonLwa()),
    ritmo: amazonRitmo(db, timeoutMs === undefined ? 'maquina' : 'persona'),
    timeoutMs,
  });
}

/** Returns where a consent goes on that somebody began at Seller Central; undefined for an address that is not Amazon's. */
async function continueAmazon(
  db: Db,
  usuario: Activador,
  begun: { callbackUri: string; amazonState: string },
): Promise<string | undefined> {
  requireAplicacion(AMAZON);
  if (amazonLwa().confirmUrl(begun.callbackUri, begun.amazonState, '') === undefined) return undefined;
  const { state } = await beginOauth(db, AMAZON, usuario);
  return amazonLwa().confirmUrl(begun.callbackUri, begun.amazonState, state);
}

/** Letters and digits; nobody has said how many. */
const VENDEDOR = /^\w{1,40}$/;

/** Reads a return of Amazon, or a consent that began at Seller Central; undefined for the return of another marketplace. */
export async function regresoAmz(
  db: Db,
  usuario: Activador,
  said: Readonly<Record<string, string | undefined>>,
): Promise<Activacion | { to: string } | undefined> {
  if (said.amazon_callback_uri !== undefined) {
    const begun = { callbackUri: said.amazon_callback_uri, amazonState: said.amazon_state ?? '' };
    const to = await continueAmazon(db, usuario, begun);
    return to === undefined ? 'direccionAjena' : { to };
  }
  if (said.spapi_oauth_code === undefined) return undefined;
  const { spapi_oauth_code: code, selling_partner_id: sellerId, state } = said;
  if (!state || !sellerId || !VENDEDOR.test(sellerId)) return 'amazonVencida';
  return await linkAmazon(db, usuario, { code, state, sellerId });
}

/** Ends an activation with what Amazon sent back. The state is ours, of this person, young and used once. */
async function linkAmazon(
  db: Db,
  usuario: Activador,
  back: { code: string; state: string; sellerId: string },
): Promise<Activacion> {
  if ((await takeOauthState(db, AMAZON, usuario, back.state)) === undefined) return 'amazonVencida';
  let permiso: Permiso;
  let tienda: string | null | undefined;
  try {
    permiso = await amazonLwa().exchangeCode(back.code);
    tienda = await tiendaOf(permiso, back.sellerId);
  } catch (error) {
    if (error instanceof Refused) return 'amazonRechazada';
    if (isSilence(error)) return 'amazonSinConexion';
    throw error;
  }
  if (!permiso.refreshToken) return 'amazonRechazada';
  if (tienda === undefined) return 'amazonOtroPais';
  await keep(db, usuario.id, { permiso, sellerId: back.sellerId, tienda });
  return 'amazonLista';
}

const TITULO = 'Error de actualización.';

/** Links the account by a token that its owner was given in the developer console. Throws NotAllowed for a token or an account that does not serve. */
export async function linkAmazonToken(db: Db, { sellerId = '', refreshToken = '' }: Keys, usuarioId: string | null) {
  requireAplicacion(AMAZON);
  const read = async () => {
    const permiso = await amazonLwa().refresh(refreshToken);
    return { permiso, tienda: await tiendaOf(permiso, sellerId) };
  };
  const { permiso, tienda } = await read().catch((cause: unknown) => {
    if (cause instanceof Refused)
      throw new NotAllowed(TITULO, 'Amazon no reconoce ese token. Revisa que sea de esta aplicación.', { cause });
    if (isSilence(cause))
      throw new NotAllowed(
        TITULO,
        'Amazon no contesta en este momento. Tu token no se guardó; inténtalo en unos minutos.',
        { cause },
      );
    throw cause;
  });
  if (tienda === undefined) throw new NotAllowed(TITULO, 'La cuenta no vende en Amazon México.');
  await keep(db, usuarioId, { permiso: { ...permiso, refreshToken }, sellerId, tienda });
}

const isSilence = (error: unknown) =>
  error instanceof Unavailable || error instanceof Uncertain || error instanceof UnexpectedShape;

/** Returns the name of the account's shop in México, asked with the new permission before anything is stored; undefined when the account has none there. */
async function tiendaOf({ accessToken }: Permiso, sellerId: string): Promise<string | null | undefined> {
  const unlinked = new Unavailable('el permiso nuevo no sirvió', { account: true });
  const client = createAmazon({
    baseUrl: env().AMAZON_URL,
    ritmo: SIN_RITMO,
    tokens: {
      current: () => Promise.resolve({ token: accessToken, sellerId, version: 0 }),
      renew: () => Promise.reject(unlinked),
      reject: () => Promise.resolve(),
    },
  });
  const mexico = (await client.participations()).find(({ marketplaceId }) => marketplaceId === MEXICO);
  return mexico?.participa ? mexico.tienda : undefined;
}

/** Keeps a link in the place of the one before, adds the company of Empresas by which people pause it, and starts a sync of everything. */
async function keep(
  db: Db,
  usuarioId: string | null,
  { permiso, sellerId, tienda }: { permiso: Permiso; sellerId: string; tienda: string | null },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = await findCredential(trx, AMAZON);
    // The cursors are of the other account.
    if (before && before.account !== sellerId)
      await trx.deleteFrom('syncCursor').where('source', 'like', `${AMAZON}:%`).execute();
    await saveCredential(trx, AMAZON, {
      account: sellerId,
      label: tienda,
      secrets: secretsOf(permiso),
      validForSeconds: permiso.expiresInSeconds,
    });
    await trx
      .insertInto('empresa')
      .values({ nombre: 'Amazon', conexion: AMAZON })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await record(trx, {
      usuarioId,
      entidad: 'credential',
      entidadId: AMAZON,
      accion: 'vincular',
      datos: { cuenta: sellerId },
    });
    await forgetFailures(trx, AMAZON);
    await enqueue(trx, 'ventas.sync', { market: 'amz', kind: 'sweep' });
    await enqueue(trx, 'publicaciones.sync', { market: 'amz', modo: 'todas' });
  });
}
