/** The field of an address that opens the supplier invoices of a sale. */
export const ABRE = 'proveedorFactura';

/** What a link to a sale that is not here answers, with a 404. */
export const ORDEN_AUSENTE = {
  titulo: 'La orden no existe',
  texto: 'El enlace nombra una orden que no está aquí. Puede que se haya copiado incompleto.',
};

/** Questions of spec 001, section 8. */
export const editarFactura = (folio: string) => ({
  titulo: 'Editar factura',
  texto: `¿Esta seguro que desea Editar la factura ${folio}?`,
});
export const eliminarFactura = (folio: string) => ({
  titulo: 'Eliminar factura',
  texto: `¿Esta seguro que desea eliminar la factura ${folio}?`,
});

/** What was read of several documents, and why the others were not. */
export type XmlLeido = { leidos: string[]; motivos: string };
