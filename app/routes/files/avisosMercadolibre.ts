import { createHash, timingSafeEqual } from 'node:crypto';
import type { ActionFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { env } from '~/core/env.server';
import { findCredential } from '~/domain/connections/credentials.server';
import { fuenteMl } from '~/domain/mercados/ml/fuente.server';
import { parseAviso } from '~/domain/mercados/ml/avisos.server';
import { receiveNotice } from '~/domain/sync/inbox.server';
import { db } from '~db/shared.server';

const Notice = z.object({
  topic: z.string(),
  resource: z.string(),
  user_id: z.union([z.string(), z.number()]).nullish(),
  application_id: z.union([z.string(), z.number()]).nullish(),
});

const hashOf = (text: string) => createHash('sha256').update(text).digest();
const noSuchPage = () =>
  new Response('No existe.', { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' } });
const taken = () => new Response(null, { status: 200 });

/** For whoever looks at the address: there is nothing here. */
export function loader() {
  return noSuchPage();
}

/**
 * A notice of Mercado Libre. It is not signed, so its path is the secret and its content is believed in nothing but which sale to look at.
 * The answer is 200 as soon as the notice is kept; what is not for us is thanked for and forgotten, or it would come again for an hour.
 */
export async function action({ request, params }: ActionFunctionArgs) {
  const { WEBHOOK_SECRETO, MERCADOLIBRE_CLIENT_ID } = env();
  if (!WEBHOOK_SECRETO || !timingSafeEqual(hashOf(params.secreto ?? ''), hashOf(WEBHOOK_SECRETO))) return noSuchPage();
  const parsed = Notice.safeParse(await request.json().catch(() => null));
  if (!parsed.success) return taken();
  const { topic, resource, application_id: application, user_id: user } = parsed.data;
  const notice = parseAviso(topic, resource);
  if (!notice || (application != null && String(application) !== MERCADOLIBRE_CLIENT_ID)) return taken();
  // Text or number, as they come; an account we are not linked to is somebody else's.
  const link = await findCredential(db(), 'mercadolibre');
  if (user == null || !link || String(user) === link.account) await receiveNotice(db(), fuenteMl.source, notice);
  return taken();
}
