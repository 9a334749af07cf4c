import { redirect, type LoaderFunctionArgs } from '@remix-run/node';
import { usuarioOf } from '~/access/session.server';
import type { Activador } from '~/domain/connections/oauth.server';
import type { Activacion } from '~/domain/cuentas/activacion';
import { continueAmazon, linkAmazon, recordTercerCanal } from '~/domain/cuentas/amazon.server';
import { linkMercadolibre } from '~/domain/cuentas/mercadolibre.server';
import { db } from '~db/shared.server';

/**
 * Where the marketplaces send people back, and where Amazon sends those who begin at its own page. The one address that changes something when it is visited:
 * OAuth leaves no choice, and the state it must carry is ours, of this session, and works once.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const { searchParams } = new URL(request.url);
  const quien = { id: usuario.id, sesion: context.sesion?.token };
  const outcome = await outcomeOf(quien, Object.fromEntries(searchParams));
  return redirect(typeof outcome === 'string' ? `/${usuario.rol}/tokens?activacion=${outcome}` : outcome.to);
}

/** Letters and digits; how many, nobody has said. */
const VENDEDOR = /^\w{1,40}$/;

async function outcomeOf(usuario: Activador, said: Record<string, string>): Promise<Activacion | { to: string }> {
  const { code, state, error } = said;
  if (said.shop_id !== undefined) {
    await recordTercerCanal(db(), usuario, said.shop_id);
    return 'tercerCanal';
  }
  if (said.amazon_callback_uri !== undefined) {
    const begun = { callbackUri: said.amazon_callback_uri, amazonState: said.amazon_state ?? '' };
    const to = await continueAmazon(db(), usuario, begun);
    return to === undefined ? 'direccionAjena' : { to };
  }
  if (said.spapi_oauth_code !== undefined) {
    const { spapi_oauth_code, selling_partner_id: sellerId } = said;
    if (!state || !sellerId || !VENDEDOR.test(sellerId)) return 'amazonVencida';
    return await linkAmazon(db(), usuario, { code: spapi_oauth_code, state, sellerId });
  }
  if (error) return error === 'invalid_operator_user_id' ? 'noEsDueno' : 'cancelada';
  if (!code || !state) return 'vencida';
  return await linkMercadolibre(db(), usuario, { code, state });
}
