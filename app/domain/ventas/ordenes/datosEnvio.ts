/** Fields that a person may change of a shipment that we send ourselves, in the order of the form. */
export const CAMPOS_ENVIO = {
  nombreReceptor: 'Nombre de quien recibe',
  telefono: 'Teléfono',
  calle: 'Calle',
  numeroE: 'Número exterior',
  numeroI: 'Número interior',
  colonia: 'Colonia',
  cp: 'Código postal',
  ciudad: 'Ciudad',
  municipio: 'Municipio',
  estado: 'Estado',
  referencia: 'Referencia',
  paqueteria: 'Paquetería',
  guia: 'Guía',
} as const;

export type CampoEnvio = keyof typeof CAMPOS_ENVIO;
export type DatosEnvio = Record<CampoEnvio, string | null>;

/** Returns the address in one line: street, number if there is one, neighbourhood, city, postal code, municipality, state. */
export function direccionCompuesta({
  calle,
  numeroE,
  numeroI,
  colonia,
  ciudad,
  cp,
  municipio,
  estado,
}: DatosEnvio): string {
  const numero = numeroE && !/^s\/?n$/i.test(numeroE) ? numeroE : null;
  const interior = numeroI && `Int. ${numeroI}`;
  return [
    [calle, numero, interior].filter(Boolean).join(' '),
    colonia,
    ciudad,
    cp && `C.P. ${cp}`,
    municipio !== ciudad && municipio,
    estado,
  ]
    .filter(Boolean)
    .join(', ');
}
