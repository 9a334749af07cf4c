import { readDetalles, readSalud } from '~/domain/mantenimiento/salud.server';
import { db } from '~db/shared.server';

/** For whoever watches the product: 200, or 503 saying what is missing. What does not stop it stands beside, under `detalles`. */
export async function loader() {
  const { sana, ...partes } = await readSalud(db());
  const detalles = partes.database === 'ok' ? await readDetalles(db()) : undefined;
  return Response.json(
    { ...partes, ...(detalles && { detalles }) },
    { status: sana ? 200 : 503, headers: { 'Cache-Control': 'no-store' } },
  );
}
