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

/** How many prices move at once: up or down, each by a part of it or by pesos. */
export const COMO_CAMBIA = {
  subeParte: 'Subir un porcentaje',
  bajaParte: 'Bajar un porcentaje',
  sube: 'Subir pesos',
  baja: 'Bajar pesos',
} as const;
type ComoCambia = keyof typeof COMO_CAMBIA;

const CUANTO = {
  como: z.enum(Object.keys(COMO_CAMBIA) as [ComoCambia, ...ComoCambia[]], { error: REQUERIDO }),
  cuanto: importeEscrito(REQUERIDO, 'Escribe cuánto, de 0.01 en adelante.', { min: '0.01', max: '999999.99' }),
};
const isInRange = ({ como, cuanto }: { como: string; cuanto: string }) =>
  !como.endsWith('Parte') || Number(cuanto) < 100;
const FUERA = { path: ['cuanto'], error: 'Un porcentaje va de 0.01 a 99.99.' };

/** What a person says of many prices at once. A part goes up to 99.99 %. */
export const CambioDePrecios = z.object(CUANTO).refine(isInRange, FUERA);
export type CambioDePrecios = z.infer<typeof CambioDePrecios>;

/** The form that says it for a prepared batch. */
export const DecirPrecio = z.object({ ...CUANTO, lote: Id }).refine(isInRange, FUERA);

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
