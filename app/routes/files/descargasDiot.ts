import type { LoaderFunctionArgs } from '@remix-run/node';
import { isMes } from '~/core/text';
import { readDiotTxt } from '~/domain/compras/pagos/diot.server';
import { downloadMade } from '~/http/download.server';
import { db } from '~db/shared.server';

/** Sends the DIOT of a month as the SAT's text file. A month without a line in it has no file. */
export async function loader({ request, params: { mes = '' } }: LoaderFunctionArgs) {
  if (!isMes(mes)) throw new Response('No existe.', { status: 404 });
  const search = new URL(request.url).searchParams;
  const contenido = await readDiotTxt(db(), mes, {
    vacios: search.get('vacios') === '1',
    marca: search.get('marca') === '1',
  });
  if (contenido === null) throw new Response('No existe.', { status: 404 });
  return downloadMade({ nombre: `DIOT ${mes}.txt`, tipo: 'text/plain; charset=utf-8', contenido });
}
