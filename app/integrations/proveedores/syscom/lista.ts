import { createLeerLista } from '../lista';

/**
 * Reader of Syscom's price list as customers download it. The format was never documented, so columns are found by name. The price is this account's,
 * never the public one. Only new pieces count as stock, since the total includes graded units.
 */
export const leerListaSyscom = createLeerLista({
  idProveedor: ['producto_id', 'id_producto', 'id'],
  modelo: ['modelo', 'model', 'clave', 'codigo', 'sku'],
  nombre: ['titulo', 'nombre', 'descripcion', 'producto'],
  marca: ['marca', 'fabricante'],
  precio: [
    'precio_descuento',
    'precio_descuentos',
    'tu_precio',
    'mi_precio',
    'precio_distribuidor',
    'precio_neto',
    'costo',
    'precio',
  ],
  moneda: ['moneda', 'divisa'],
  existencia: ['existencia_nuevo', 'nuevo', 'existencia', 'existencias', 'inventario', 'stock'],
});
