import type { ActionFunctionArgs } from '@remix-run/node';
import { env } from '~/core/env.server';
import { isSameSecret } from '~/core/seal.server';
import { fuenteMl } from '~/domain/mercados/ml/fuente.server';
import { readNoticia } from '~/domain/mercados/ml/avisos.server';
import { takeIn } from '~/domain/sync/takeIn.server';
import { db } from '~db/shared.server';

const noSuchPage = () =>
  new Response('No existe.', { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' } });
const taken = () => new Response(null, { status: 200 });

/** A visit to the address by a browser finds nothing. */
export function loader() {
  return noSuchPage();
}

/**
 * Takes a notice of Mercado Libre. Notices are not signed, so the path is the secret, and a notice only tells which sale to read. The answer is 200 as soon as
 * the notice is saved; a notice for somebody else is answered with 200 too, since it would come again for an hour.
 */
export async function action({ request, params }: ActionFunctionArgs) {
  const { WEBHOOK_SECRETO } = env();
  if (!WEBHOOK_SECRETO || !isSameSecret(params.secreto ?? '', WEBHOOK_SECRETO)) return noSuchPage();
  const noticia = readNoticia(await request.json().catch(() => null));
  if (!noticia) return taken();
  await takeIn(db(), fuenteMl.source, noticia);
  return taken();
}
