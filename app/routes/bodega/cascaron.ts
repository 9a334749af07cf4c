import type { LoaderFunctionArgs } from '@remix-run/node';
import { usuarioOf } from '~/access/session.server';
import { comoPagina, pagina } from '../files/bodegaPagina.server';

/** What a phone keeps to open the warehouse without signal: the page without anybody in it. */
export function loader({ context }: LoaderFunctionArgs) {
  const { rol } = usuarioOf(context);
  return comoPagina(pagina({ rol, nonce: context.nonce, apariencia: 'sistema', usuario: null }));
}
