/** The field of an address that opens the supplier invoices of a sale. */
export const ABRE = 'proveedorFactura';

/** Questions of spec 001, section 8. */
export const editarFactura = (folio: string) => ({ titulo: 'Editar factura', texto: `¿Esta seguro que desea Editar la factura ${folio}?` });
export const eliminarFactura = (folio: string) => ({ titulo: 'Eliminar factura', texto: `¿Esta seguro que desea eliminar la factura ${folio}?` });
