import { mostradoEn } from '~/integrations/amazon/oferta';
import { enPalabras } from '~/integrations/amazon/problemas';
import type { Anunciado } from '~/integrations/amazon/wirePublicacion';
import type { PublicacionLeida } from '~/domain/mercados/publicacion';
import { fichaUrl } from './fichaUrl';

/** Returns a listing of Amazon in our nouns. */
export function publicacionAmz(anuncio: Anunciado, raw: unknown): PublicacionLeida {
  const [resumen] = anuncio.summaries ?? [];
  const { precio, stock, ajeno, estatus } = mostradoEn(anuncio);
  const asin = resumen?.asin ?? null;
  return {
    clave: anuncio.sku,
    marketId: asin,
    sku: anuncio.sku,
    titulo: resumen?.itemName || anuncio.sku,
    precio,
    stock,
    vendido: null,
    estatus,
    subestatus: [],
    problemas: (anuncio.issues ?? []).filter(({ severity }) => severity !== 'INFO').map(enPalabras),
    tipo: null,
    categoriaId: resumen?.productType ?? null,
    link: fichaUrl(asin),
    stockAjeno: ajeno,
    piezasAjenas: null,
    productoAlla: null,
    precioAjeno: false,
    // Every offer stands on the page of its ASIN, with the offers of others.
    deCatalogo: asin === null ? null : true,
    variantes: 0,
    fechaCreacion: resumen?.createdDate ?? null,
    cambioEn: resumen?.lastUpdatedDate ?? null,
    datos: raw,
  };
}
