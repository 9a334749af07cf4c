import type { LoaderFunctionArgs } from '@remix-run/node';
import { usuarioOf } from '~/access/session.server';
import { comoPagina, pagina } from '../files/bodegaPagina.server';

/** Answers the shell of the warehouse that a phone keeps to open without signal. The shell names no person. */
export function loader({ context }: LoaderFunctionArgs) {
  const { rol } = usuarioOf(context);
  return comoPagina(pagina({ rol, nonce: context.nonce, apariencia: 'sistema', usuario: null }));
}
