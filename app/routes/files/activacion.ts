import { redirect, type LoaderFunctionArgs } from '@remix-run/node';
import { usuarioOf } from '~/access/session.server';
import type { Activacion } from '~/domain/cuentas/activacion';
import { linkMercadolibre } from '~/domain/cuentas/mercadolibre.server';
import { db } from '~db/shared.server';

/**
 * Where the marketplace sends people back. The one address that changes something when it is visited: OAuth leaves no choice, and the
 * state it must carry is ours, of this person, and works once.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const { searchParams } = new URL(request.url);
  const back = (outcome: Activacion) => redirect(`/${usuario.rol}/tokens?activacion=${outcome}`);
  const [code, state, error] = ['code', 'state', 'error'].map((name) => searchParams.get(name));
  if (error) return back(error === 'invalid_operator_user_id' ? 'noEsDueno' : 'cancelada');
  if (!code || !state) return back('vencida');
  return back(await linkMercadolibre(db(), usuario, { code, state }));
}
