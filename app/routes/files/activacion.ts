import { redirect, type LoaderFunctionArgs } from '@remix-run/node';
import { usuarioOf } from '~/access/session.server';
import { finishActivacion } from '~/domain/mercados/regreso.server';
import { db } from '~db/shared.server';

/**
 * Where the marketplaces send people back, and where Amazon sends those who begin at its own page. The one address that changes something when it is visited:
 * OAuth leaves no choice, and the state it must carry is ours, of this session, and works once.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const { searchParams } = new URL(request.url);
  const quien = { id: usuario.id, sesion: context.sesion?.token };
  const outcome = await finishActivacion(db(), quien, Object.fromEntries(searchParams));
  return redirect(typeof outcome === 'string' ? `/${usuario.rol}/tokens?activacion=${outcome}` : outcome.to);
}
