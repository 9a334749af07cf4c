import { createLeerLista } from '../lista';

/**
 * Its price list as customers download it: what its file is was never told, so its columns are found by name. The price is this account's, never that of the
 * public. Of stock only new pieces count: its total counts graded units too.
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
