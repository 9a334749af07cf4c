import { readSalud } from '~/domain/mantenimiento/salud.server';
import { db } from '~db/shared.server';

/** For whoever watches the product: 200 when web, database and a worker are there, 503 saying which is not. */
export async function loader() {
  const salud = await readSalud(db());
  return Response.json(salud, { status: salud.worker === 'ok' ? 200 : 503, headers: { 'Cache-Control': 'no-store' } });
}
