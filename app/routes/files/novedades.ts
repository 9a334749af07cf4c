import type { LoaderFunctionArgs } from '@remix-run/node';
import { usuarioOf } from '~/access/session.server';
import { db } from '~db/shared.server';
import { readPagina } from '../inicio/hoy/pagina';

/** Answers whether 'Hoy' changed: a few bytes, asked every few seconds by each open page. */
export async function loader({ context }: LoaderFunctionArgs) {
  const { marca } = await readPagina(db(), usuarioOf(context));
  return Response.json({ marca }, { headers: { 'cache-control': 'no-store' } });
}
