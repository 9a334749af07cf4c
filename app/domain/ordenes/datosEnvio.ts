import { z } from 'zod';

/** The couriers of own shipping (spec 001, section 4). */
export const PAQUETERIAS = ['DHL', 'FedEx', 'PaquetExpress', 'Estafeta'] as const;

/** What a person may change of a shipment that we send ourselves, in the order of its form. */
export const CAMPOS_ENVIO = {
  nombreReceptor: 'Nombre de quien recibe', telefono: 'Teléfono', calle: 'Calle', numeroE: 'Número exterior', numeroI: 'Número interior', colonia: 'Colonia', cp: 'Código postal',
  ciudad: 'Ciudad', municipio: 'Municipio', estado: 'Estado', referencia: 'Referencia', paqueteria: 'Paquetería', guia: 'Guía',
} as const;

export type CampoEnvio = keyof typeof CAMPOS_ENVIO;
export type DatosEnvio = Record<CampoEnvio, string | null>;

const texto = (max = 120) => z.string().trim().max(max, `Máximo ${max} caracteres`).optional();

export const DatosEnvioForm = z.object({
  orden: z.uuid(),
  huella: z.string(),
  nombreReceptor: texto(), calle: texto(), numeroE: texto(20), numeroI: texto(20), colonia: texto(), ciudad: texto(), municipio: texto(), estado: texto(), referencia: texto(300), paqueteria: texto(40),
  guia: texto(60),
  telefono: z.string().trim().regex(/^\d{5,10}$/, 'Telefono no valido').optional(),
  cp: z.string().trim().regex(/^\d{5}$/, 'Código Postal No Valido').optional(),
});

/** One line of address: street, number unless there is none, neighbourhood, city, postal code, municipality, state. */
export function direccionCompuesta({ calle, numeroE, numeroI, colonia, ciudad, cp, municipio, estado }: DatosEnvio): string {
  const numero = numeroE && !/^s\/?n$/i.test(numeroE) ? numeroE : null;
  const interior = numeroI && `Int. ${numeroI}`;
  return [[calle, numero, interior].filter(Boolean).join(' '), colonia, ciudad, cp && `C.P. ${cp}`, municipio !== ciudad && municipio, estado].filter(Boolean).join(', ');
}
