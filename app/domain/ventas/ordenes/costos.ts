/** Words for where a typed cost counts. */
export const DONDE_VALE = (soloAlmacen: boolean): string =>
  soloAlmacen ? 'Lo que sale del almacén del mercado' : 'Todas sus ventas sin pedido';
