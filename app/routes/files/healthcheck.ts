import { readSalud } from '~/domain/mantenimiento/salud.server';
import { db } from '~db/shared.server';

/** For whoever watches the product: 200, or 503 saying what is missing. */
export async function loader() {
  const { sana, ...partes } = await readSalud(db());
  return Response.json(partes, { status: sana ? 200 : 503, headers: { 'Cache-Control': 'no-store' } });
}
