import { createHash } from 'node:crypto';
import { Refused, Unavailable, Uncertain } from '../errors';
import { exchange } from '../http.server';
import { failureOf, readJson, readShape } from './answer';
import { TokenAnswer } from './wire';

export type OauthOptions = {
  baseUrl: string;
  authUrl: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  timeoutMs?: number;
};

export type TokenPair = { accessToken: string; refreshToken: string; expiresInSeconds: number; userId: string };

/**
 * The two token calls of OAuth, and the address that asks for the permission. A refresh token works once: after a lost answer nobody knows
 * whether the token was spent, so both calls fail as `Uncertain` and not as `Unavailable`.
 */
export function createMercadolibreOauth({
  baseUrl,
  authUrl,
  clientId,
  clientSecret,
  redirectUri,
  timeoutMs = 20_000,
}: OauthOptions) {
  async function ask(form: Record<string, string>, what: string): Promise<TokenPair> {
    const answer = await exchange({
      side: { name: 'mercadolibre', root: baseUrl },
      method: 'POST',
      url: `${baseUrl}/oauth/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({ ...form, client_id: clientId, client_secret: clientSecret }).toString(),
      timeoutMs,
    });
    // Only a 429 says that nothing was done; after a 500 the token may be spent.
    if (answer.status >= 500)
      throw new Uncertain(`Mercado Libre contestó ${answer.status} a ${what}`, { status: answer.status });
    if (answer.status < 200 || answer.status > 299) throw failureOf(answer, what);
    const tokens = readShape(TokenAnswer, readJson(answer, what), what);
    if (!tokens.refresh_token) {
      throw new Refused('Mercado Libre no dio un permiso duradero', {
        code: 'no_offline_access',
        detail: 'La aplicación necesita el permiso offline_access.',
      });
    }
    return {
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token,
      expiresInSeconds: tokens.expires_in,
      userId: tokens.user_id,
    };
  }

  return {
    /** Returns the address where the owner of the account says yes. `verifier` stays with us until the code comes back. */
    authorizationUrl(state: string, verifier: string): string {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      });
      return `${authUrl}/authorization?${query}`;
    },

    exchangeCode: (code: string, verifier: string) =>
      ask(
        { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier },
        'oauth/token (code)',
      ),

    refresh: (refreshToken: string) =>
      ask({ grant_type: 'refresh_token', refresh_token: refreshToken }, 'oauth/token (refresh)'),
  };
}

export type MercadolibreOauth = ReturnType<typeof createMercadolibreOauth>;

/** Tells whether a failure means that the refresh token never works again: only a new authorization helps. */
export function isDeadGrant(error: unknown): error is Refused {
  return (
    error instanceof Refused &&
    (error.details.code === 'invalid_grant' ||
      error.details.code === 'unauthorized_client' ||
      error.details.code === 'no_offline_access')
  );
}

/** Tells whether the answer was lost or cannot be read, so that the token may be spent. */
export function isLostAnswer(error: unknown): boolean {
  return !(error instanceof Refused) && !(error instanceof Unavailable);
}
