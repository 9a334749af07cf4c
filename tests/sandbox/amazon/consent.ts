import { escapeText, html, redirect, type SandboxRequest, type SandboxResponse } from '../service';
import { APP_ID, SELLER_ID } from './constants';
import type { Lwa } from './lwa';

type Options = {
  lwa: Lwa;
  /** The registered addresses: the one to which people come back, and the one at which Amazon begins the other flow. */
  redirectUri(): string;
  loginUri(): string;
  baseUrl(): string;
};

/** States of flows that began in Seller Central and have not come back yet. */
const begun = new Set<string>();
let count = 0;

const page = (body: string) => html(200, `<!doctype html><meta charset="utf-8"><title>Seller Central</title>${body}`);
const wrong = (code: string, text: string) =>
  html(400, `<!doctype html><meta charset="utf-8"><h1>${code}</h1><p>${text}</p>`);

/** Returns the pages of Seller Central: consent that the site asks for, and consent that begins at Amazon. */
export function createConsent({ lwa, redirectUri, loginUri, baseUrl }: Options) {
  function back(to: string, state: string): SandboxResponse {
    const address = new URL(to);
    address.searchParams.set('state', state);
    address.searchParams.set('selling_partner_id', SELLER_ID);
    address.searchParams.set('spapi_oauth_code', lwa.issueCode(to));
    return redirect(address.href);
  }

  /** Returns the refusal of a consent unless the registered application asks for it, with a registered address. */
  function refusal(asked: URLSearchParams): SandboxResponse | undefined {
    if (asked.get('application_id') !== APP_ID) return wrong('MD1000', 'The application is not known.');
    if ((asked.get('redirect_uri') ?? redirectUri()) !== redirectUri())
      return wrong('MD5101', 'redirect_uri is not registered.');
    return undefined;
  }

  function consent(request: SandboxRequest): SandboxResponse {
    const asked = request.url.searchParams;
    const no = refusal(asked);
    if (no) return no;
    if (request.method === 'POST') return back(redirectUri(), asked.get('state') ?? '');
    return page(
      `<h1>Autorizar aplicación</h1><p>¿Das acceso a tu cuenta de vendedor ${SELLER_ID}?</p>
       <form method="post" action="${escapeText(request.url.pathname + request.url.search)}"><button>Confirmar</button></form>`,
    );
  }

  function manage(): SandboxResponse {
    const state = `amz-${++count}`;
    begun.add(state);
    const address = new URL(loginUri());
    address.searchParams.set('amazon_callback_uri', `${baseUrl()}/amazon-seller/apps/authorize/confirm/${APP_ID}`);
    address.searchParams.set('amazon_state', state);
    address.searchParams.set('selling_partner_id', SELLER_ID);
    return page(`<h1>Administrar aplicaciones</h1><a href="${escapeText(address.href)}">Autorizar</a>`);
  }

  function confirm(request: SandboxRequest): SandboxResponse {
    const asked = request.url.searchParams;
    const amazonState = asked.get('amazon_state') ?? '';
    if (!begun.delete(amazonState)) return wrong('MD9100', 'amazon_state is not known.');
    if (asked.get('redirect_uri') !== redirectUri()) return wrong('MD5101', 'redirect_uri is not registered.');
    return back(redirectUri(), asked.get('state') ?? '');
  }

  return (request: SandboxRequest): SandboxResponse => {
    if (request.path === '/apps/authorize/consent') return consent(request);
    if (request.path === '/apps/manage') return manage();
    if (request.path === `/apps/authorize/confirm/${APP_ID}`) return confirm(request);
    const orden = /^\/orders-v3\/order\/([\d-]+)$/.exec(request.path);
    if (orden) return page(`<h1>Pedido ${escapeText(orden[1])}</h1>`);
    return html(404, '<h1>404</h1>');
  };
}
