import { env } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import { requireAplicacion } from './conexion.server';
import { amazonRitmo } from './internal/ritmo.server';
import { AMAZON, amazonLwa, amazonTokens, secretsOf } from './internal/tokens.server';
import { forgetFailures } from '~/platform/connections/breaker.server';
import { findCredential, saveCredential } from '~/platform/connections/credentials.server';
import type { Keys } from '~/platform/connections/definition';
import { type Activador, beginOauth, takeOauthState } from '~/platform/connections/oauth.server';
import { type CatalogoAmz, createCatalogoAmz } from '~/integrations/amazon/catalogo.server';
import { type Amazon, createAmazon, MEXICO } from '~/integrations/amazon/client.server';
import { createGuiasAmz, type GuiasAmz } from '~/integrations/amazon/guias.server';
import { createPublicacionesAmz, type PublicacionesAmz } from '~/integrations/amazon/publicaciones.server';
import { createReportesAmz, type ReportesAmz } from '~/integrations/amazon/reportes.server';
import type { Permiso } from '~/integrations/amazon/lwa.server';
import { SIN_RITMO } from '~/integrations/amazon/pace';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import type { Activacion } from '~/domain/mercados/activacion';
import type { Usuario } from '~/core/usuario';

type Quien = Pick<Usuario, 'id'>;

/** The client of the linked seller; pages give it a short patience, and go before machines. */
export function openAmazon(db: Db, { timeoutMs }: { timeoutMs?: number } = {}): Amazon {
  return createAmazon({
    baseUrl: env().AMAZON_URL,
    tokens: amazonTokens(db, amazonLwa()),
    ritmo: amazonRitmo(db, timeoutMs === undefined ? 'maquina' : 'persona'),
    timeoutMs,
  });
}

/** The settlements of the linked seller. */
export function openReportesAmz(db: Db, { timeoutMs }: { timeoutMs?: number } = {}): ReportesAmz {
  return createReportesAmz({
    baseUrl: env().AMAZON_URL,
    tokens: amazonTokens(db, amazonLwa()),
    ritmo: amazonRitmo(db, timeoutMs === undefined ? 'maquina' : 'persona'),
    timeoutMs,
  });
}

/** The catalogue that sellers share, and what each kind of product asks. */
export function openCatalogoAmz(db: Db, { timeoutMs }: { timeoutMs?: number } = {}): CatalogoAmz {
  return createCatalogoAmz({
    baseUrl: env().AMAZON_URL,
    tokens: amazonTokens(db, amazonLwa()),
    ritmo: amazonRitmo(db, timeoutMs === undefined ? 'maquina' : 'persona'),
    timeoutMs,
  });
}

/** The labels that Amazon sells to the linked seller. */
export function openGuiasAmz(db: Db, { timeoutMs }: { timeoutMs?: number } = {}): GuiasAmz {
  return createGuiasAmz({
    baseUrl: env().AMAZON_URL,
    tokens: amazonTokens(db, amazonLwa()),
    ritmo: amazonRitmo(db, timeoutMs === undefined ? 'maquina' : 'persona'),
    timeoutMs,
  });
}

/** What the linked seller has on sale. */
export function openPublicacionesAmz(db: Db, { timeoutMs }: { timeoutMs?: number } = {}): PublicacionesAmz {
  return createPublicacionesAmz({
    baseUrl: env().AMAZON_URL,
    tokens: amazonTokens(db, amazonLwa()),
    ritmo: amazonRitmo(db, timeoutMs === undefined ? 'maquina' : 'persona'),
    timeoutMs,
  });
}

/** The consent that somebody began at Seller Central: where it goes on, or undefined for an address that is not Amazon's. */
export async function continueAmazon(
  db: Db,
  usuario: Activador,
  begun: { callbackUri: string; amazonState: string },
): Promise<string | undefined> {
  requireAplicacion();
  if (amazonLwa().confirmUrl(begun.callbackUri, begun.amazonState, '') === undefined) return undefined;
  const { state } = await beginOauth(db, AMAZON, usuario);
  return amazonLwa().confirmUrl(begun.callbackUri, begun.amazonState, state);
}

/** Ends an activation with what Amazon sent back. The state is ours, of this person, young and used once. */
export async function linkAmazon(
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

/** Links the account by a token that its owner was given in the developer console. */
export async function linkAmazonToken(db: Db, { sellerId = '', refreshToken = '' }: Keys, usuarioId: string | null) {
  requireAplicacion();
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

/** The name of its shop in México, asked with the new permission before anything is stored; undefined when it has none there. */
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

/** A new link replaces the one there was, becomes a company of Empresas, where people pause it, and starts a sync of everything. */
async function keep(
  db: Db,
  usuarioId: string | null,
  { permiso, sellerId, tienda }: { permiso: Permiso; sellerId: string; tienda: string | null },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = await findCredential(trx, AMAZON);
    // How far we had read was of the other account.
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

/** Longer than this no shop has a number. */
const MAX_TIENDA = 80;

/** A return of a channel that has no screen: nothing of it is kept but that it happened. */
export async function recordTercerCanal(db: Db, usuario: Quien, shopId: string): Promise<void> {
  await record(db, {
    usuarioId: usuario.id,
    entidad: 'credential',
    entidadId: 'tercerCanal',
    accion: 'regresar',
    datos: { tienda: shopId.slice(0, MAX_TIENDA) },
  });
}
