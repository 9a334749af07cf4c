import { enlaceFactura, type EnlaceDeFactura } from '~/domain/proveedores/proveedor';

/** The folio of a supplier's invoice, with the page where the supplier shows it, if there is one. */
export function FolioProveedor({ factura }: { factura: EnlaceDeFactura & { folio: string } }) {
  const enlace = enlaceFactura(factura, factura.folio);
  return enlace ? <a href={enlace} target="_blank" rel="noopener noreferrer">{factura.folio}</a> : <>{factura.folio}</>;
}
