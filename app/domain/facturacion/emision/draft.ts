import { z } from 'zod';
import { ClienteGuardado } from '~/domain/facturacion/receptores/clienteGuardado';
import { TASAS_IVA } from '~/domain/facturacion/cfdi/cfdi';

/** A factura being prepared: a row, so it survives a reload, a closed tab and a browser without JavaScript. */
export const DraftArticulo = z.object({
  ordenId: z.string().optional(),
  nombre: z.string(),
  codigoSat: z.string(),
  claveUnidad: z.string(),
  cantidad: z.number(),
  precioUnitario: z.string(),
  importe: z.string(),
  sku: z.string().optional(),
  tasaIva: z.enum(TASAS_IVA),
});

/** `lectura`: known at the PAC and read-only. `edicion`: known, being changed. `nuevo`: nobody knows it yet. */
export const DraftCliente = z.object({
  modo: z.enum(['nuevo', 'edicion', 'lectura']),
  rfc: z.string(),
  razonSocial: z.string(),
  cp: z.string(),
  regimen: z.string(),
  emails: z.array(z.string()),
  usoCfdi: z.string().nullable().default(null),
  uid: z.string().nullable().default(null),
  clienteFiscalId: z.string().nullable().default(null),
  /** The addresses are those on record: a customer sees them masked and never whole. */
  correoRegistrado: z.boolean().default(false),
  /** Several legal names known for the RFC: the person chooses. */
  opciones: z.array(ClienteGuardado).default([]),
  /** The effect that is saving it. */
  guardando: z.string().nullable().default(null),
  /** The PAC could not be asked about this RFC. */
  sinPac: z.boolean().default(false),
  /** Where the values came from, when nobody typed them. */
  origen: z.enum(['mercado', 'registro', 'pac']).nullable().default(null),
});
export type DraftCliente = z.infer<typeof DraftCliente>;

export const DraftRevision = z.object({ formaPago: z.string(), usoCfdi: z.string(), fecha: z.string() });
export type DraftRevision = z.infer<typeof DraftRevision>;

export const clienteVacio = (): DraftCliente => ({
  modo: 'nuevo',
  rfc: '',
  razonSocial: '',
  cp: '',
  regimen: '',
  emails: [],
  usoCfdi: null,
  uid: null,
  clienteFiscalId: null,
  correoRegistrado: false,
  opciones: [],
  guardando: null,
  sinPac: false,
  origen: null,
});

export const PASOS = ['1', '2', '3', 'lista'] as const;
export type Paso = (typeof PASOS)[number];
export const PASO_TITULO: Record<Exclude<Paso, 'lista'>, string> = {
  '1': 'Buscar información de la orden',
  '2': 'Datos de Facturación',
  '3': 'Revisar Datos',
};
