import { readPortada } from '~/domain/sync/portada.server';
import { db } from '~db/shared.server';

/** Whether the home would show something else by now: a few bytes, asked every few seconds by every home that somebody looks at. */
export async function loader() {
  const { marca } = await readPortada(db());
  return Response.json({ marca }, { headers: { 'cache-control': 'no-store' } });
}
