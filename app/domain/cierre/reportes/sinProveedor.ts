/** In place of a supplier of the directory: sales whose SKU names none. Their cost is typed, or nobody knows it. */
export const SIN_PROVEEDOR = { value: 'ninguno', label: 'Sin proveedor' };
