import { createHash, randomBytes } from 'node:crypto';
import { CLIENT_ID, CLIENT_SECRET, MINUTE, SELLER_ID, SELLER_NICKNAME } from './constants';
import { layout } from '../html';
import { bearerOf, escapeText, html, json, redirect, type SandboxRequest, type SandboxResponse } from '../service';
import { refuse } from './answers';
import type { Switches } from './switches';

interface Code {
  code: string;
  redirectUri: string;
  challenge: string | null;
  method: string | null;
  expiresAt: number;
}

export interface OauthState {
  codes: Code[];
  access: { token: string; expiresAt: number }[];
  /** The refresh token. Only the last one issued works. */
  refresh: string | null;
  expiresIn: number;
  stats: { codes: number; exchanges: number; refreshes: number; invalidGrants: number; unauthorized: number };
}

const CODE_LIFE = 10 * MINUTE;
const KEPT = 20;

export const emptyOauth = (): OauthState => ({
  codes: [],
  access: [],
  refresh: null,
  expiresIn: 10_800,
  stats: { codes: 0, exchanges: 0, refreshes: 0, invalidGrants: 0, unauthorized: 0 },
});

export interface OauthOptions {
  now(): number;
  switches(): Switches;
  changed(): void;
  appUrl(): string | undefined;
}

/** Authorization page and token endpoint of one application and one seller. */
export class Oauth {
  state = emptyOauth();
  constructor(private readonly options: OauthOptions) {}

  /** Answers GET and POST of the authorization page. */
  page(request: SandboxRequest): SandboxResponse {
    const fields = Object.fromEntries(request.url.searchParams);
    if (request.method === 'POST') Object.assign(fields, request.data());
    const problem = this.#problemOf(fields);
    if (problem)
      return html(
        400,
        layout('Autorización', `<h1>No pudimos autorizar la aplicación</h1><p>${escapeText(problem)}</p>`),
      );
    if (request.method === 'POST' || fields.auto) return this.#decide(fields);
    const hidden = ['response_type', 'client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method']
      .map((name) =>
        fields[name] === undefined ? '' : `<input type="hidden" name="${name}" value="${escapeText(fields[name])}">`,
      )
      .join('');
    return html(
      200,
      layout(
        'Mercado Libre (sandbox): autorizar aplicación',
        `<section><h1>Autorizar aplicación</h1>
<p>La aplicación <b>${CLIENT_ID}</b> quiere leer y modificar las ventas de la cuenta <b>${SELLER_NICKNAME}</b> y seguir conectada cuando no estés.</p>
<p class="soft">Volverá a ${escapeText(fields.redirect_uri)}</p>
<form method="post" action="${escapeText(request.url.pathname)}">${hidden}<button name="decision" value="autorizar">Autorizar</button><button name="decision" value="rechazar" class="plain">Rechazar</button></form></section>`,
      ),
    );
  }

  #problemOf(fields: Record<string, string>): string | undefined {
    if (fields.client_id !== CLIENT_ID) return 'No existe una aplicación con ese client_id.';
    if (fields.response_type !== 'code') return 'response_type debe ser code.';
    if (!this.acceptsRedirect(fields.redirect_uri)) return 'La redirect_uri no es la que registró la aplicación.';
    if (fields.code_challenge === undefined && this.options.switches().pkceObligatorio)
      return 'La aplicación usa PKCE: falta code_challenge.';
    if (fields.code_challenge_method !== undefined && !['S256', 'plain'].includes(fields.code_challenge_method))
      return 'code_challenge_method debe ser S256 o plain.';
    return undefined;
  }

  acceptsRedirect(uri: string | undefined): boolean {
    if (!uri) return false;
    const appUrl = this.options.appUrl();
    return (
      /^http:\/\/(127\.0\.0\.1|localhost|[\w-]+\.test)(:\d+)?\/activacion$/.test(uri) ||
      (appUrl !== undefined && uri === `${appUrl.replace(/\/$/, '')}/activacion`)
    );
  }

  #decide(fields: Record<string, string>): SandboxResponse {
    const back = new URL(fields.redirect_uri!);
    if (fields.state !== undefined) back.searchParams.set('state', fields.state);
    const refuse = (error: string, description: string) => {
      back.searchParams.set('error', error);
      back.searchParams.set('error_description', description);
      return redirect(back.href);
    };
    if (fields.decision === 'rechazar') return refuse('access_denied', 'The user denied the authorization');
    if (this.options.switches().colaborador)
      return refuse('invalid_operator_user_id', 'A collaborator can not authorize the application');
    back.searchParams.set('code', this.issueCode(fields));
    return redirect(back.href);
  }

  issueCode(fields: Record<string, unknown>): string {
    const code = `TG-${randomBytes(16).toString('hex')}-${SELLER_ID}`;
    const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
    this.state.codes.push({
      code,
      redirectUri: String(fields.redirect_uri),
      challenge: text(fields.code_challenge),
      method: text(fields.code_challenge_method),
      expiresAt: this.options.now() + CODE_LIFE,
    });
    this.state.codes.splice(0, this.state.codes.length - KEPT);
    this.state.stats.codes++;
    this.options.changed();
    return code;
  }

  /** `POST /oauth/token`. */
  token(request: SandboxRequest): SandboxResponse {
    const refuse = (error: string, description: string) => {
      if (error === 'invalid_grant') {
        this.state.stats.invalidGrants++;
        this.options.changed();
      }
      return json(400, { error_description: description, error, status: 400, cause: [] });
    };
    if (!String(request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded'))
      return refuse('invalid_request', 'the body must be form-urlencoded');
    const params = new URLSearchParams(request.body.toString('utf8'));
    const repeated = [...params.keys()].find((key) => params.getAll(key).length > 1);
    if (repeated) return refuse('invalid_request', `repeated parameter ${repeated}`);
    const form = Object.fromEntries(params);
    if (form.client_id !== CLIENT_ID || form.client_secret !== CLIENT_SECRET)
      return refuse('invalid_client', 'invalid client_id or client_secret');
    if (form.grant_type === 'authorization_code') return this.#exchange(form, refuse);
    if (form.grant_type === 'refresh_token') return this.#refresh(form, refuse);
    return refuse('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  }

  #exchange(
    form: Record<string, string>,
    refuse: (error: string, description: string) => SandboxResponse,
  ): SandboxResponse {
    if (!form.code || !form.redirect_uri) return refuse('invalid_request', 'code and redirect_uri are required');
    const at = this.state.codes.findIndex(({ code }) => code === form.code);
    const code = this.state.codes[at];
    if (!code || code.expiresAt < this.options.now() || code.redirectUri !== form.redirect_uri) {
      return refuse(
        'invalid_grant',
        'Error validating grant. Your authorization code or refresh token may be expired or it was already used',
      );
    }
    if (code.challenge !== null) {
      if (!form.code_verifier) return refuse('invalid_request', 'code_verifier is a required parameter');
      const sent =
        code.method === 'S256'
          ? createHash('sha256').update(form.code_verifier).digest('base64url')
          : form.code_verifier;
      if (sent !== code.challenge)
        return refuse('invalid_grant', 'the code_verifier does not match the code_challenge');
    }
    this.state.codes.splice(at, 1);
    this.state.stats.exchanges++;
    return this.#issue();
  }

  #refresh(
    form: Record<string, string>,
    refuse: (error: string, description: string) => SandboxResponse,
  ): SandboxResponse {
    if (!form.refresh_token) return refuse('invalid_request', 'refresh_token is required');
    if (form.refresh_token !== this.state.refresh) {
      return refuse(
        'invalid_grant',
        'Error validating grant. Your authorization code or refresh token may be expired or it was already used',
      );
    }
    this.state.stats.refreshes++;
    return this.#issue();
  }

  #issue(): SandboxResponse {
    const now = this.options.now();
    const stamp = new Date(now).toISOString().slice(5, 13).replace(/\D/g, '');
    const access = {
      token: `APP_USR-${CLIENT_ID}-${stamp}-${randomBytes(16).toString('hex')}-${SELLER_ID}`,
      expiresAt: now + this.state.expiresIn * 1000,
    };
    this.state.access = [...this.state.access.filter(({ expiresAt }) => expiresAt > now).slice(-KEPT), access];
    this.state.refresh = `TG-${randomBytes(16).toString('hex')}-${SELLER_ID}`;
    this.options.changed();
    return json(200, {
      access_token: access.token,
      token_type: 'Bearer',
      expires_in: this.state.expiresIn,
      scope: 'offline_access read write',
      user_id: SELLER_ID,
      refresh_token: this.state.refresh,
    });
  }

  /** Returns the refusal of a call without a living token; undefined when the call may pass. */
  guard(request: SandboxRequest): SandboxResponse | undefined {
    const token = bearerOf(request);
    const known = token === undefined ? undefined : this.state.access.find((one) => one.token === token);
    if (known && known.expiresAt > this.options.now()) return undefined;
    this.state.stats.unauthorized++;
    const message =
      token === undefined ? 'authorization value not present' : known ? 'expired_token' : 'invalid access token';
    return refuse(401, 'unauthorized', message);
  }

  expireNow(): void {
    const past = this.options.now() - 1;
    for (const one of this.state.access) one.expiresAt = Math.min(one.expiresAt, past);
    this.options.changed();
  }

  revoke(): void {
    this.state.access = [];
    this.state.refresh = null;
    this.options.changed();
  }

  /** Facts about the tokens, without the tokens themselves. */
  summary() {
    const now = this.options.now();
    return {
      ...this.state.stats,
      expiresIn: this.state.expiresIn,
      living: this.state.access.filter(({ expiresAt }) => expiresAt > now).length,
      linked: this.state.refresh !== null,
    };
  }
}
