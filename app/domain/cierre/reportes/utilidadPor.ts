import { z } from 'zod';
import { rangoFields } from '~/core/listFields';
import { currentMonth, readRango } from '~/core/list';

/** What the profit of a range is divided by. A product is a SKU at a marketplace, and a basket of several lines is a product of its own. */
export const POR = {
  producto: 'Producto',
  proveedor: 'Proveedor',
  mercado: 'Mercado',
  categoria: 'Categoría',
} as const;
export type Por = keyof typeof POR;

/** The order of the rows: what left most, what left least, what came back most, and of what least is known. */
export const VER = {
  mejores: 'Mejores',
  peores: 'Peores',
  devueltos: 'Devueltos y cancelados',
  sinSaber: 'Sin saber',
} as const;

const palabra = <T extends string>(words: Record<T, string>, omision: NoInfer<T>) =>
  z.enum(Object.keys(words) as [T, ...T[]]).catch(omision);

/** The range and division that are asked for; the present month by product without one. */
export const PedidoDeUtilidad = z
  .object({ ...rangoFields, por: palabra(POR, 'producto'), ver: palabra(VER, 'mejores') })
  .transform(({ por, ver, ...fields }) => ({ por, ver, ...readRango(fields, currentMonth()) }));
export type PedidoDeUtilidad = z.output<typeof PedidoDeUtilidad>;
