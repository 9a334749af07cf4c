import { enlaceFactura, type EnlaceDeFactura } from '~/domain/compras/directorio/proveedor';

/** The folio of a supplier invoice, linked to the supplier's page of it where such a page exists. */
export function FolioProveedor({ factura }: { factura: EnlaceDeFactura & { folio: string } }) {
  const url = enlaceFactura(factura, factura.folio);
  return url ? (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {factura.folio}
    </a>
  ) : (
    <>{factura.folio}</>
  );
}
