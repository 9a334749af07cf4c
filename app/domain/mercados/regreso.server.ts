import type { Activador } from '~/platform/connections/oauth.server';
import type { Db } from '~db/client.server';
import type { Activacion } from './activacion';
import { continueAmazon, linkAmazon, recordTercerCanal } from '~/domain/mercados/amz/cuenta.server';
import { linkMercadolibre } from '~/domain/mercados/ml/cuenta.server';

/** Letters and digits; how many, nobody has said. */
const VENDEDOR = /^\w{1,40}$/;

/** What a marketplace sent back with a person, or what began at its own page: how the activation ended, or where it goes on. */
export async function finishActivacion(
  db: Db,
  usuario: Activador,
  said: Readonly<Record<string, string | undefined>>,
): Promise<Activacion | { to: string }> {
  const { code, state, error } = said;
  if (said.shop_id !== undefined) {
    await recordTercerCanal(db, usuario, said.shop_id);
    return 'tercerCanal';
  }
  if (said.amazon_callback_uri !== undefined) {
    const begun = { callbackUri: said.amazon_callback_uri, amazonState: said.amazon_state ?? '' };
    const to = await continueAmazon(db, usuario, begun);
    return to === undefined ? 'direccionAjena' : { to };
  }
  if (said.spapi_oauth_code !== undefined) {
    const { spapi_oauth_code, selling_partner_id: sellerId } = said;
    if (!state || !sellerId || !VENDEDOR.test(sellerId)) return 'amazonVencida';
    return await linkAmazon(db, usuario, { code: spapi_oauth_code, state, sellerId });
  }
  if (error) return error === 'invalid_operator_user_id' ? 'noEsDueno' : 'cancelada';
  if (!code || !state) return 'vencida';
  return await linkMercadolibre(db, usuario, { code, state });
}
