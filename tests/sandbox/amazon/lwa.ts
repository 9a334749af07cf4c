import { randomBytes } from 'node:crypto';
import { bodyOf, json, type SandboxRequest, type SandboxResponse } from '../service';
import { denied, invalid, type TokenKind, type World } from './answers';
import { CLIENT_ID, CLIENT_SECRET, DAY, MINUTE } from './constants';

const CODE_LIFE = 5 * MINUTE;
/** Life of a public application's permission: one year. */
const GRANT_LIFE = 365 * DAY;
const KEPT = 50;

export type LwaState = {
  codes: { code: string; redirectUri: string; expiresAt: number }[];
  access: { token: string; expiresAt: number }[];
  refresh: { token: string; until: number } | null;
  expiresIn: number;
  /** Whether new access tokens are dead from the start. */
  bornDead: boolean;
  secret: string;
  stats: { exchanges: number; refreshes: number; refused: number };
};

export const emptyLwa = (): LwaState => ({
  codes: [],
  access: [],
  refresh: null,
  expiresIn: 3_600,
  bornDead: false,
  secret: CLIENT_SECRET,
  stats: { exchanges: 0, refreshes: 0, refused: 0 },
});

const SCOPE = 'sellingpartnerapi::notifications';

const no = (status: number, error: string, description: string) =>
  json(status, { error, error_description: description });

/** Login with Amazon: codes of one use, access tokens of an hour, and a refresh token that lives until it is revoked or a year is over. */
export class Lwa {
  state = emptyLwa();
  readonly #ofApplication: { token: string; expiresAt: number }[] = [];
  readonly #restricted: { token: string; method: string; path: string; expiresAt: number }[] = [];
  constructor(readonly options: Pick<World, 'now' | 'interruptores' | 'changed'>) {}

  issueCode(redirectUri: string): string {
    const code = `AN${randomBytes(9).toString('hex')}`;
    this.state.codes.push({ code, redirectUri, expiresAt: this.options.now() + CODE_LIFE });
    this.state.codes.splice(0, this.state.codes.length - KEPT);
    this.options.changed();
    return code;
  }

  /** `POST /auth/o2/token`, with a form or with JSON. */
  token(request: SandboxRequest): SandboxResponse {
    const { interruptores } = this.options;
    if (interruptores.is('limiteDeFichas', 'si')) return no(429, 'rate_limit_exceeded', 'Too many requests');
    const form = fieldsOf(request);
    if (form.client_id !== CLIENT_ID || form.client_secret !== this.state.secret)
      return this.#refuse(401, 'invalid_client', 'Client authentication failed');
    if (form.grant_type === 'authorization_code') return this.#exchange(form);
    if (form.grant_type === 'refresh_token') return this.#refresh(form);
    if (form.grant_type === 'client_credentials')
      return form.scope === SCOPE
        ? this.#grantless()
        : this.#refuse(400, 'invalid_scope', 'The request has an invalid scope');
    return this.#refuse(400, 'unsupported_grant_type', 'The authorization grant type is not supported');
  }

  #refuse(status: number, error: string, description: string) {
    this.state.stats.refused++;
    this.options.changed();
    return no(status, error, description);
  }

  #exchange(form: Record<string, string>) {
    const at = this.state.codes.findIndex(({ code }) => code === form.code);
    const found = this.state.codes[at];
    if (
      !found ||
      found.expiresAt < this.options.now() ||
      (form.redirect_uri ?? found.redirectUri) !== found.redirectUri
    )
      return this.#refuse(400, 'invalid_grant', 'The request has an invalid grant parameter : code');
    this.state.codes.splice(at, 1);
    this.state.stats.exchanges++;
    this.state.refresh = newRefresh(this.options.now());
    return this.#issue();
  }

  #refresh(form: Record<string, string>) {
    const { refresh } = this.state;
    if (!refresh || form.refresh_token !== refresh.token || refresh.until < this.options.now())
      return this.options.interruptores.is('revocado', 'invalid_grant')
        ? this.#refuse(
            400,
            'invalid_grant',
            "The request has an invalid grant parameter : refresh_token . User may have revoked or didn't grant the permission.",
          )
        : this.#refuse(400, 'unauthorized_client', 'Not authorized for requested operation');
    this.state.stats.refreshes++;
    if (this.options.interruptores.is('refresco', 'otro'))
      this.state.refresh = { ...newRefresh(this.options.now()), until: refresh.until };
    return this.#issue();
  }

  #issue() {
    const now = this.options.now();
    const token = `Atza|${randomBytes(24).toString('base64url')}`;
    const living = this.state.access.filter(({ expiresAt }) => expiresAt > now).slice(-KEPT);
    this.state.access = [
      ...living,
      { token, expiresAt: this.state.bornDead ? now - 1 : now + this.state.expiresIn * 1000 },
    ];
    this.options.changed();
    return json(200, {
      access_token: token,
      token_type: 'bearer',
      expires_in: this.state.expiresIn,
      refresh_token: this.state.refresh!.token,
    });
  }

  /** A token of the application alone, for one scope. */
  #grantless() {
    const token = `Atc|${randomBytes(24).toString('base64url')}`;
    this.#ofApplication.push({ token, expiresAt: this.options.now() + this.state.expiresIn * 1000 });
    return json(200, { access_token: token, token_type: 'bearer', expires_in: this.state.expiresIn });
  }

  /** `POST /tokens/2021-03-01/restrictedDataToken`: a token for the resources that the request names, and for no others. */
  restrict(request: SandboxRequest): SandboxResponse {
    const { interruptores } = this.options;
    const { restrictedResources: named = [] } = bodyOf(request) as {
      restrictedResources?: { method?: string; path?: string }[];
    };
    if (interruptores.is('datosDePersonas', '403'))
      return invalid('Application do not have access to some or all requested resource', 403);
    if (named.length === 0 || named.length > 50 || named.some(({ method, path }) => !method || !path))
      return invalid('restrictedResources is invalid.');
    const token = `Atz.sprdt|${randomBytes(24).toString('base64url')}`;
    const expiresAt = this.options.now() + 3_600_000;
    for (const { method = '', path = '' } of named) this.#restricted.push({ token, method, path, expiresAt });
    const body = { restrictedDataToken: token, expiresIn: 3600 };
    return json(200, interruptores.is('sobreDeFicha', 'con') ? { payload: body } : body);
  }

  /** Returns the refusal of a call without a living token; undefined when the call may pass. */
  guard(request: SandboxRequest, kind: TokenKind = 'deVendedor'): SandboxResponse | undefined {
    const header = request.headers['x-amz-access-token'];
    if (kind === 'restringida' && !this.options.interruptores.is('datosDePersonas', 'sinFicha')) {
      const given = this.#restricted.find(
        ({ token, method, path }) => token === header && method === request.method && path === request.path,
      );
      if (given && given.expiresAt > this.options.now()) return undefined;
      return denied();
    }
    const known = [...(kind === 'deAplicacion' ? this.#ofApplication : this.state.access), ...this.#restricted].find(
      ({ token }) => token === header,
    );
    if (known && known.expiresAt > this.options.now()) return undefined;
    const details =
      header === undefined
        ? 'Access token is missing in the request header.'
        : known
          ? 'The access token you provided has expired.'
          : 'The access token you provided is revoked, malformed or invalid.';
    return denied(details);
  }

  expireNow() {
    for (const one of this.state.access) one.expiresAt = Math.min(one.expiresAt, this.options.now() - 1);
    this.options.changed();
  }

  revoke() {
    this.state.access = [];
    this.state.refresh = null;
    this.options.changed();
  }

  /** Changes the secret of the application. The old one stops at once. */
  rotate(secret: string) {
    this.state.secret = secret;
    this.options.changed();
  }
}

const newRefresh = (now: number) => ({
  token: `Atzr|${randomBytes(32).toString('base64url')}`,
  until: now + GRANT_LIFE,
});

function fieldsOf(request: SandboxRequest): Record<string, string> {
  if (String(request.headers['content-type'] ?? '').startsWith('application/json'))
    return bodyOf(request) as Record<string, string>;
  return Object.fromEntries(new URLSearchParams(request.body.toString('utf8')));
}
