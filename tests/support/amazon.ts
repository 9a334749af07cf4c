import { APP_ID, CLIENT_ID, CLIENT_SECRET, SELLER_ID } from '../sandbox/amazon';
import { createAmazon, type Amazon } from '~/integrations/amazon/client.server';
import { createLwa } from '~/integrations/amazon/lwa.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { linkKeys } from '~/domain/operacion/linkCatalog.server';
import type { Db } from '~db/client.server';
import { SIN_RITMO } from '~/integrations/amazon/pace';
import type { SandboxClient } from './sandboxClient';

/** What the sandbox tells of a sale it invented. Amounts of `cargos` are centavos, the others pesos. */
export type AmazonFacts = {
  id: string;
  escenario: string;
  estado: string;
  canal: string;
  total: number;
  productos: number;
  rfc: string | null;
  cargos: { comision: number; surtido: number; ivaRetenido: number; isr: number };
  piezas: { id: string; cantidad: number; enviadas: number }[];
  paquetes: { referencia: string; paqueteria: string; guia: string; piezas: { id: string; cantidad: number }[] }[];
};

/** Says yes at Seller Central's page, and hands back what its address carries. */
export async function consentAmazon(address: string): Promise<URLSearchParams> {
  const response = await fetch(address, { method: 'POST', redirect: 'manual' });
  return new URL(response.headers.get('location')!).searchParams;
}

/** A client with a permission of its own, kept in memory. */
export async function openSandboxAmazon(sandbox: SandboxClient): Promise<Amazon> {
  const lwa = createLwa({
    lwaUrl: `${sandbox.url}/amazon-lwa`,
    sellerUrl: `${sandbox.url}/amazon-seller`,
    appId: APP_ID,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    redirectUri: 'http://127.0.0.1:3000/activacion',
  });
  const back = await consentAmazon(lwa.consentUrl('s'));
  const { accessToken } = await lwa.exchangeCode(back.get('spapi_oauth_code')!);
  const access = { token: accessToken, sellerId: back.get('selling_partner_id')!, version: 1 };
  return createAmazon({
    baseUrl: `${sandbox.url}/amazon`,
    ritmo: SIN_RITMO,
    tokens: {
      current: () => Promise.resolve(access),
      renew: () => Promise.resolve(access),
      reject: () => Promise.resolve(),
    },
  });
}

/** The account of the installation, by a token of the developer console. */
export async function linkSandboxAmazon(
  db: Db,
  sandbox: SandboxClient,
  usuarioId: string | null = null,
): Promise<void> {
  const { refresh_token: refreshToken } = await sandbox
    .proveedor('amazon')
    .post<{ refresh_token: string }>('/autoautoriza', { client_id: CLIENT_ID, client_secret: CLIENT_SECRET });
  await linkKeys(db, CONNECTIONS.of('amazon'), { sellerId: SELLER_ID, refreshToken }, usuarioId);
}
