import { createHash } from 'node:crypto';
import { env } from '~/core/env.server';
import { createLwa, isDeadGrant, type Lwa } from '~/integrations/amazon/lwa.server';
import type { Access, Tokens } from '~/integrations/amazon/tokens';
import type { Db } from '~db/client.server';
import { type LeasedAccess, leasedTokens } from '~/platform/connections/leasedTokens.server';

export const AMAZON = 'amazon';

/** Opens the application's token calls, with the addresses and the identity of this installation. */
export function amazonLwa(): Lwa {
  const { AMAZON_LWA_URL, AMAZON_SELLER_URL, AMAZON_APP_ID, AMAZON_CLIENT_ID, AMAZON_CLIENT_SECRET, APP_URL } = env();
  return createLwa({
    lwaUrl: AMAZON_LWA_URL,
    sellerUrl: AMAZON_SELLER_URL,
    appId: AMAZON_APP_ID,
    clientId: AMAZON_CLIENT_ID,
    clientSecret: AMAZON_CLIENT_SECRET,
    redirectUri: `${APP_URL}/activacion`,
  });
}

/** Opens the tokens of the linked seller. A renewal may bring another refresh token, which is kept. */
export function amazonTokens(db: Db, lwa: Lwa): Tokens {
  const { current, renew, reject } = leasedTokens(db, {
    connection: AMAZON,
    label: 'Amazon',
    ended: 'Amazon dio por terminado el permiso. Vuelve a activar la cuenta.',
    tokenOf: ({ accessToken = '' }) => accessToken,
    async renew(secrets) {
      const permiso = await lwa.refresh(secrets.refreshToken ?? '');
      return { secrets: secretsOf(permiso, secrets), expiresInSeconds: permiso.expiresInSeconds };
    },
    isDead: isDeadGrant,
  });
  const accessOf = ({ account, ...access }: LeasedAccess) => ({ ...access, sellerId: account });
  return {
    current: async () => accessOf(await current()),
    renew: async (seen) => accessOf(await renew(seen)),
    reject,
  };
}

const AVISOS = 'sellingpartnerapi::notifications';

/** Opens the token of the application alone, which says where its notices are left. */
export function amazonOfApplication(lwa: Lwa): Tokens {
  let kept: Access | undefined;
  async function renew(): Promise<Access> {
    const { accessToken: token } = await lwa.ofApplication(AVISOS);
    return (kept = { token, sellerId: '', version: (kept?.version ?? 0) + 1 });
  }
  return {
    current: async () => kept ?? (await renew()),
    renew,
    reject: () => {
      kept = undefined;
      return Promise.resolve();
    },
  };
}

/** Returns the secrets of a permission, with the day since which the application's secret is in use here: Amazon tells nobody when a secret ends. */
export function secretsOf(
  { accessToken, refreshToken }: { accessToken: string; refreshToken: string | null },
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const secretMark = createHash('sha256').update(env().AMAZON_CLIENT_SECRET).digest('base64url').slice(0, 16);
  const same = before.secretMark === secretMark && before.secretSince;
  return {
    accessToken,
    refreshToken: refreshToken ?? before.refreshToken ?? '',
    secretMark,
    secretSince: same || new Date().toISOString(),
  };
}
