import { createHash } from 'node:crypto';
import { storeArchivo } from '~/platform/files/archivos.server';
import { imagenesSeguras } from '~/domain/compras/catalogo/productos.server';
import { Unavailable, Uncertain, Refused } from '~/integrations/errors';
import { fetchImagen } from '~/integrations/imagenes/client.server';
import { type Medidas, medidasOf } from '~/integrations/imagenes/medidas';
import type { Db } from '~db/client.server';
import { type Imagen, LADO_MINIMO, MAX_BYTES } from '../publicador';

/** Looks at the chosen pictures and keeps those that serve. A picture that cannot be fetched from here is left to the marketplace. */
export async function reviewImagenes(db: Db, urls: readonly string[], antes: readonly Imagen[]): Promise<Imagen[]> {
  return await Promise.all(
    imagenesSeguras(urls).map(async (url) => antes.find((one) => one.url === url && one.archivoId) ?? review(db, url)),
  );
}

async function review(db: Db, url: string): Promise<Imagen> {
  const nadaSabido = { url, ancho: null, alto: null, archivoId: null };
  try {
    const contenido = await fetchImagen(url);
    const medidas = medidasOf(contenido);
    const problema = problemaOf(medidas, contenido.length);
    if (problema || !medidas)
      return { ...nadaSabido, ...(medidas && { ancho: medidas.ancho, alto: medidas.alto }), problema };
    return {
      url,
      ancho: medidas.ancho,
      alto: medidas.alto,
      archivoId: await save(db, contenido, medidas),
      problema: null,
    };
  } catch (error) {
    if (error instanceof Unavailable || error instanceof Uncertain || error instanceof Refused)
      return { ...nadaSabido, problema: null };
    throw error;
  }
}

function problemaOf(medidas: Medidas | null, bytes: number): string | null {
  if (!medidas) return 'No es JPG ni PNG.';
  if (bytes > MAX_BYTES) return 'Pesa más de 10 MB.';
  const { ancho, alto } = medidas;
  return Math.max(ancho, alto) < LADO_MINIMO ? `Mide ${ancho} × ${alto} px: hacen falta ${LADO_MINIMO}.` : null;
}

/** Keeps a picture and returns its file. The same bytes are kept once. */
async function save(db: Db, contenido: Buffer, { tipo }: Medidas): Promise<string> {
  const sha256 = createHash('sha256').update(contenido).digest();
  const kept = await db
    .selectFrom('archivo')
    .select('id')
    .where('sha256', '=', sha256)
    .where('tipo', '=', tipo)
    .executeTakeFirst();
  const nombre = `foto.${tipo === 'image/png' ? 'png' : 'jpg'}`;
  return kept?.id ?? storeArchivo(db, { nombre, tipo, contenido });
}
