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
