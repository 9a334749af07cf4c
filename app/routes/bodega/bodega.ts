import { redirect, redirectDocument, type LoaderFunctionArgs } from '@remix-run/node';
import { usuarioOf } from '~/access/session.server';
import { codeIn } from '~/domain/compras/stock/pieza';
import { readApariencia } from '~/http/aspecto.server';
import { comoPagina, pagina } from '../files/bodegaPagina.server';

/** The page of the warehouse. A number typed without JavaScript leads to its piece. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { pathname, searchParams, search } = new URL(request.url);
  if (context.byRouter) throw redirectDocument(pathname + search);
  const texto = searchParams.get('texto')?.trim();
  if (texto) throw redirect(`/siqr/${encodeURIComponent(codeIn(texto))}`);
  const { id, rol } = usuarioOf(context);
  const apariencia = await readApariencia(request);
  return comoPagina(pagina({ rol, nonce: context.nonce, apariencia, usuario: id }));
}
