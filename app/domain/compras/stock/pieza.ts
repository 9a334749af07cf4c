/** What lists show of a piece that nobody knows by name, and of one without a supplier. */
export const ERROR_DE_PRODUCTO = 'Error de producto';
export const ERROR_PROVEEDOR = 'Error proveedor';

/** Its product's name, else what was said of it when it came. */
export const nombreOfPieza = (
  { productoNombre, descripcion }: { productoNombre: string | null; descripcion: string | null },
  nadie: string = ERROR_DE_PRODUCTO,
): string => productoNombre ?? descripcion ?? nadie;
