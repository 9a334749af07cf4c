import { Refused, Unavailable } from '../errors';
import { exchange, type HttpAnswer } from '../http.server';
import { retryAfterOf } from '../retryAfter';
import { readJson, readShape } from './answer';
import { LwaError, TokenAnswer } from './wire';

export type LwaOptions = {
  lwaUrl: string;
  sellerUrl: string;
  appId: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  timeoutMs?: number;
};

export type Permiso = { accessToken: string; refreshToken: string | null; expiresInSeconds: number };

/** Login with Amazon: the addresses where the seller says yes, and the two token calls. A renewal keeps the refresh token, so a lost answer costs nothing. */
export function createLwa({
  lwaUrl,
  sellerUrl,
  appId,
  clientId,
  clientSecret,
  redirectUri,
  timeoutMs = 20_000,
}: LwaOptions) {
  async function ask(form: Record<string, string>, what: string): Promise<Permiso> {
    const answer = await exchange({
      side: { name: 'amazon-lwa', root: lwaUrl },
      method: 'POST',
      url: `${lwaUrl}/auth/o2/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8', accept: 'application/json' },
      body: new URLSearchParams({ ...form, client_id: clientId, client_secret: clientSecret }).toString(),
      timeoutMs,
    });
    if (answer.status < 200 || answer.status > 299) throw failureOf(answer, what);
    const read = readShape(TokenAnswer, readJson(answer, what), what);
    return {
      accessToken: read.access_token,
      refreshToken: read.refresh_token ?? null,
      expiresInSeconds: read.expires_in,
    };
  }

  return {
    /** Returns the address of a consent that begins at our page. */
    consentUrl: (state: string) => `${sellerUrl}/apps/authorize/consent?${query({ application_id: appId, state })}`,

    /**
     * Returns where a consent goes on that began at Seller Central. Only an address of Amazon is followed, or one that the settings name, so that nobody
     * sends our people elsewhere; undefined for any other address.
     */
    confirmUrl(callbackUri: string, amazonState: string, state: string): string | undefined {
      if (!isAmazon(callbackUri, sellerUrl)) return undefined;
      const separator = callbackUri.includes('?') ? '&' : '?';
      return `${callbackUri}${separator}${query({ redirect_uri: redirectUri, amazon_state: amazonState, state })}`;
    },

    exchangeCode: (code: string) =>
      ask({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }, 'permiso'),
    /** Asks for a token of the application alone, for calls that are about no account. */
    ofApplication: (scope: string) => ask({ grant_type: 'client_credentials', scope }, 'permiso de la aplicación'),
    refresh: (refreshToken: string) => ask({ grant_type: 'refresh_token', refresh_token: refreshToken }, 'renovación'),
  };
}

export type Lwa = ReturnType<typeof createLwa>;

const query = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

const AMAZON_HOST = /^(?:[\w-]+\.)*amazon\.(?:com|com\.mx)$/;

function isAmazon(address: string, sellerUrl: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, origin, username, pathname } = new URL(address);
  if (username !== '' || !pathname.includes('/apps/authorize/confirm/')) return false;
  return origin === new URL(sellerUrl).origin || (protocol === 'https:' && AMAZON_HOST.test(hostname));
}

function failureOf(answer: HttpAnswer, what: string): Refused | Unavailable {
  const { status, headers } = answer;
  if (status === 429 || status >= 500)
    return new Unavailable(`Amazon no está disponible (${status}, ${what})`, {
      status,
      retryAfterMs: retryAfterOf(headers),
    });
  const said = LwaError.safeParse(jsonOrNothing(answer, what)).data;
  const code = said?.error ?? undefined;
  // The keys of the application are wrong or were rotated: the seller's permission stands, and works again with new keys.
  if (status === 401 || code === 'invalid_client')
    return new Unavailable(
      'Amazon no reconoce las llaves de la aplicación: revisa AMAZON_CLIENT_SECRET, que vence cada 180 días',
      {
        status,
        account: true,
      },
    );
  return new Refused(`Amazon dijo que no (${status}${code ? ` ${code}` : ''}, ${what})`, {
    status,
    code,
    detail: said?.error_description ?? undefined,
    raw: answer.body.toString('utf8'),
  });
}

function jsonOrNothing(answer: HttpAnswer, what: string): unknown {
  try {
    return readJson(answer, what);
  } catch {
    return {};
  }
}

/** Tells whether a failure means that the permission ended: only a new authorization helps. */
export const isDeadGrant = (error: unknown): error is Refused =>
  error instanceof Refused && (error.details.code === 'invalid_grant' || error.details.code === 'unauthorized_client');
