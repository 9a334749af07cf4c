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
 * A notice of Mercado Libre. It is not signed, so its path is the secret and its content is believed in nothing but which sale to look at.
 * The answer is 200 as soon as the notice is kept; what is not for us is thanked for and forgotten, or it would come again for an hour.
 */
export async function action({ request, params }: ActionFunctionArgs) {
  const { WEBHOOK_SECRETO } = env();
  if (!WEBHOOK_SECRETO || !isSameSecret(params.secreto ?? '', WEBHOOK_SECRETO)) return noSuchPage();
  const noticia = readNoticia(await request.json().catch(() => null));
  if (!noticia) return taken();
  await takeIn(db(), fuenteMl.source, noticia);
  return taken();
}
