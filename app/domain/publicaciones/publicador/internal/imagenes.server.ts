import { env } from '~/core/env.server';
import type { Foto } from '~/domain/compras/catalogo/fotos';
import { bringFotos, readFotos } from '~/domain/compras/catalogo/fotos.server';
import type { Db } from '~db/client.server';
import type { Imagen } from '../publicador';

const sirve = ({ estado }: Foto) => estado === 'lista' || estado === 'ajena';

/**
 * Returns the chosen pictures as they stand: own ones first, each with its reason where it cannot be used. Pictures that the worker has not brought yet
 * are brought now, since a person waits.
 */
export async function reviewImagenes(db: Db, productoId: string, urls: readonly string[]): Promise<Imagen[]> {
  const elegidas = async () => (await readFotos(db, productoId)).filter(({ url }) => urls.includes(url));
  let fotos = await elegidas();
  if (fotos.some(({ estado }) => estado === 'pendiente')) {
    await bringFotos(db, productoId);
    fotos = await elegidas();
  }
  return fotos.map((foto) => {
    const { url, ancho, alto, archivoId, problema } = foto;
    return { url, ancho, alto, archivoId, problema: sirve(foto) ? null : (problema ?? 'Todavía no llega.') };
  });
}

/** Returns the pictures of an offer that can be used today: one that was removed since it was chosen is left out. */
export const vigentesOf = (fotos: readonly Foto[], imagenes: readonly Imagen[]): Foto[] =>
  imagenes.flatMap(({ url }) => fotos.filter((foto) => foto.url === url && sirve(foto)));

/** Returns the address under which a marketplace fetches a picture: our copy, where we are reached over https or nobody else has it. */
export function sourceOf({ url, copia }: Foto): string {
  const { APP_URL } = env();
  return copia !== null && (APP_URL.startsWith('https:') || !url.startsWith('https:')) ? `${APP_URL}${copia}` : url;
}
