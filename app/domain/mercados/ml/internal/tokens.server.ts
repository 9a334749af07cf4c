import type { Db } from '~db/client.server';
import { isDeadGrant, isLostAnswer, type MercadolibreOauth } from '~/integrations/mercadolibre/oauth.server';
import type { Tokens } from '~/integrations/mercadolibre/tokens';
import { type LeasedAccess, leasedTokens } from '~/platform/connections/leasedTokens.server';

/** Opens the tokens of the linked seller. A refresh token works once. */
export function mercadolibreTokens(db: Db, oauth: MercadolibreOauth): Tokens {
  const { current, renew, reject } = leasedTokens(db, {
    connection: 'mercadolibre',
    label: 'Mercado Libre',
    ended: 'Mercado Libre dio por terminado el permiso. Vuelve a activar la cuenta.',
    tokenOf: ({ accessToken = '' }) => accessToken,
    async renew({ refreshToken = '' }) {
      const pair = await refreshOnceMore(oauth, refreshToken);
      const { accessToken, expiresInSeconds } = pair;
      return { secrets: { accessToken, refreshToken: pair.refreshToken }, expiresInSeconds };
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

/** Refreshes once more after a lost answer, which may have spent the token. A no to the second try is final. */
async function refreshOnceMore(oauth: MercadolibreOauth, refreshToken: string) {
  try {
    return await oauth.refresh(refreshToken);
  } catch (error) {
    if (!isLostAnswer(error)) throw error;
    return await oauth.refresh(refreshToken);
  }
}
