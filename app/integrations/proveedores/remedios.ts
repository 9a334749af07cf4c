/** Remedies that several suppliers share. */
export const COMO_SE_COMPRA =
  'Elige otra en Configuración de tiendas, Proveedores, «Cómo se compra», y haz el pedido otra vez.';
export const DATOS_DEL_ENVIO = 'Completa los datos del envío en la orden y haz el pedido otra vez.';
export const SIN_EXISTENCIA =
  'El almacén ya no tiene las piezas. Elige otro almacén u otro proveedor y haz el pedido otra vez.';
