import { skuOf } from '../../world/catalogo';
import { DE_MERCADO_LIBRE, type Categoria } from '../../world/tienda';

/** The catalogue of the demo's reseller. */
export interface Product {
  index: number;
  itemId: string;
  userProductId: string | null;
  title: string;
  sku: string;
  /** Price in centavos, VAT included. */
  price: number;
  categoryId: string;
  grams: number;
  listingType: string;
}

const CATEGORIAS: Readonly<Record<Categoria, string>> = {
  CAMARAS: 'MLM167538',
  GRABADORES: 'MLM167544',
  REDES: 'MLM1700',
  CABLES: 'MLM4637',
  ENERGIA: 'MLM1718',
  GABINETES: 'MLM189320',
  ACCESO: 'MLM190998',
};

export const PRODUCTS: Product[] = DE_MERCADO_LIBRE.map((articulo, index) => ({
  index,
  itemId: `MLM${2900010001 + index * 137}`,
  userProductId: index % 5 === 4 ? null : `MLMU${3900010001 + index * 211}`,
  title: articulo.titulo,
  sku: skuOf(articulo),
  price: articulo.precio,
  categoryId: CATEGORIAS[articulo.categoria],
  grams: articulo.gramos,
  listingType: articulo.tipo,
}));

/** The price from which shipping is free. */
export const FREE_SHIPPING_FROM = 29900;
export const DEAR_PRODUCTS = PRODUCTS.filter(
  (product) => product.price >= FREE_SHIPPING_FROM && product.price < 700000,
);
export const CHEAP_PRODUCTS = PRODUCTS.filter((product) => product.price < FREE_SHIPPING_FROM);

export function productOfModel(model: string): Product {
  const product = PRODUCTS.find((one) => one.sku.endsWith(`|${model}`));
  if (!product) throw new Error(`no demo product ${model}`);
  return product;
}
