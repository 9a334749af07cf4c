import type { Anunciado, Problema } from '~/integrations/amazon/wirePublicacion';
import type { PublicacionLeida } from '../publicacion';

/** What keeps a listing from being sold, as Amazon tells it. */
export const esGrave = ({ severity, enforcements }: Problema): boolean =>
  severity === 'ERROR' || (enforcements?.actions ?? []).some(({ action }) => action !== 'ATTRIBUTE_SUPPRESSED');

export const enPalabras = ({ message, code }: Problema): string => message ?? code ?? 'Amazon no dice qué';

/** What a listing shows of its offer. With pieces and not for sale, a grave problem is what keeps it; without pieces, that alone does. */
export function mostradoEn({ summaries, issues, offers, fulfillmentAvailability }: Anunciado) {
  const [resumen] = summaries ?? [];
  const disponible = fulfillmentAvailability?.[0];
  const ajeno = disponible?.fulfillmentChannelCode?.startsWith('AMAZON') ?? false;
  const stock = ajeno ? null : (disponible?.quantity ?? null);
  const oferta = offers?.find(({ offerType }) => offerType === 'B2C' || !offerType);
  const aLaVenta = (resumen?.status ?? []).includes('BUYABLE');
  const grave = (issues ?? []).some(esGrave);
  return {
    precio: oferta && (oferta.price.currencyCode ?? 'MXN') === 'MXN' ? oferta.price.amount : null,
    stock,
    ajeno,
    estatus: aLaVenta ? 'DONE' : grave && stock !== 0 ? 'FATAL' : 'inactiva',
  };
}

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
    link: asin && `https://www.amazon.com.mx/dp/${encodeURIComponent(asin)}`,
    stockAjeno: ajeno,
    variantes: 0,
    fechaCreacion: resumen?.createdDate ?? null,
    cambioEn: resumen?.lastUpdatedDate ?? null,
    datos: raw,
  };
}
