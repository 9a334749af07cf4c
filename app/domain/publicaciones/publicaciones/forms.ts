import { z } from 'zod';
import { enteroEscrito, importeEscrito } from '~/core/escrito';
import { Huella, Id, opcional, REQUERIDO, SiNo, Texto, Version } from '~/core/fields';
import { type Market, MARKETS } from '~/core/market';

/** The fields of a listing that people change. All four are required. */
export const PublicacionEditada = z.object({
  id: Id,
  version: Version,
  titulo: Texto(200),
  precio: importeEscrito(REQUERIDO, 'El precio no es válido.', { min: '0.01', max: '9999999.99' }),
  stock: enteroEscrito(REQUERIDO, 'Son de 0 a 99999 piezas.', { min: '0', max: '99999' }).transform(Number),
  estatus: Texto(40),
  autoSync: SiNo,
});
export type PublicacionEditada = z.infer<typeof PublicacionEditada>;

export const UnaPublicacion = z.object({ id: Id });

/** The decision about a held change. `huella` is the mark of the wish that was shown. */
export const DecidirRetenida = z.object({
  id: Id,
  huella: Huella,
  aplicar: SiNo,
});
export type DecidirRetenida = z.infer<typeof DecidirRetenida>;

/** The exclusion of a listing because of a promotion. `huella` is the mark of the promotion that was shown. */
export const ExcluirPromocion = z.object({ id: Id, huella: Huella });
export type ExcluirPromocion = z.infer<typeof ExcluirPromocion>;

/** Stops or resumes what follows the suppliers at one marketplace. */
export const Palanca = z.object({ market: z.enum(MARKETS, { error: REQUERIDO }), detener: SiNo });

export const LeerAlmacenes = z.object({ market: z.enum(MARKETS, { error: REQUERIDO }) });

/** The store of a marketplace's account in which our pieces lie. */
export const AlmacenForm = LeerAlmacenes.extend({ almacen: Texto(100), huella: Huella });
export type AlmacenForm = z.infer<typeof AlmacenForm>;

const Colchon = enteroEscrito(REQUERIDO, 'Son de 0 a 9999 piezas.', { min: '0', max: '9999' });
const Tope = opcional(enteroEscrito(REQUERIDO, 'Son de 0 a 99999 piezas.', { min: '0', max: '99999' }));

/** The pieces of a supplier that are kept back at each marketplace (`Colchon`), and the most that is shown there (`Tope`). Without a cap all the rest is shown. */
export const ReglaDeStockForm = z.object({
  huella: Huella,
  ...(Object.fromEntries(
    MARKETS.flatMap((market) => [
      [`${market}Colchon`, Colchon],
      [`${market}Tope`, Tope],
    ]),
  ) as Record<`${Market}Colchon`, typeof Colchon> & Record<`${Market}Tope`, typeof Tope>),
});
export type ReglaDeStockForm = z.infer<typeof ReglaDeStockForm>;
