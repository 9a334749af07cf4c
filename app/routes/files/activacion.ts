import { redirect, type LoaderFunctionArgs } from '@remix-run/node';
import { usuarioOf } from '~/access/session.server';
import { finishActivacion } from '~/domain/mercados/regreso.server';
import { db } from '~db/shared.server';

/**
 * The addresses to which the marketplaces send people back, and at which Amazon starts. A visit changes data, which OAuth requires; the `state` it carries is
 * ours, belongs to this session, and works once.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const { searchParams } = new URL(request.url);
  const quien = { id: usuario.id, sesion: context.sesion?.token };
  const outcome = await finishActivacion(db(), quien, Object.fromEntries(searchParams));
  return redirect(typeof outcome === 'string' ? `/${usuario.rol}/tokens?activacion=${outcome}` : outcome.to);
}
