import { enlaceFactura, type EnlaceDeFactura } from '~/domain/compras/directorio/proveedor';

/** A folio, linked to the supplier's own page of it where there is one. */
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
