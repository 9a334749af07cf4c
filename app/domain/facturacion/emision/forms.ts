import { z } from 'zod';
import { Cp, Dia, Id, Rfc, Texto, Version } from '~/core/fields';
import { ArticulosForm, EmailReceptor, RazonSocial } from '~/domain/facturacion/cfdi/forms';
import { visto } from './draft';

/** The number of the sale to invoice; what is none is said by the search, in its words. */
export const BuscarVenta = z.object({ numOrden: Texto(120).default('') });

/** Step 2 as it is saved, with the agreed texts. */
export const ClienteForm = z.object({
  ...visto,
  rfc: Rfc,
  razonSocial: RazonSocial,
  cp: Cp,
  regimen: Texto(10),
  email: EmailReceptor,
  email2: EmailReceptor.optional(),
});

/** The RFC as it is typed: what is no RFC is said by the look-up, in its words. */
export const BuscarRfc = z.object({ ...visto, rfc: Texto(40).default('') });

/** One of the legal names on record, by its key at the PAC. */
export const ElegirCliente = z.object({ ...visto, uid: Texto(100) });

export const Corregir = z.object({ ...visto, paso: z.enum(['1', '2', '3']).catch('3') });

/** Step 1. The note of a sale outside the marketplaces has the same lines, and no state yet when they are its first. */
export const ArticulosDelDraft = ArticulosForm.extend(visto);

/** Before a sale is found there is nothing to throw away. */
export const Limpiar = z.object({ version: Version.optional(), mostrado: visto.mostrado });

/** `pagado`: what the screen said was paid. */
export const RevisionForm = z.object({
  ...visto,
  pagado: Texto(30),
  formaPago: Texto(10, 'Elige la Forma de Pago.'),
  usoCfdi: Texto(10, 'Elige el Uso de CFDI.'),
  fecha: Dia('Elige la Fecha de Facturación.'),
  diferencia: z.literal('aceptada').optional(),
});

/** Step 3 as far as it was filled in, when it is left by the header. */
export const RevisionEscrita = z.object({
  ...visto,
  formaPago: Texto(10).default(''),
  usoCfdi: Texto(10).default(''),
  fecha: Texto(10).default(''),
});

export const CONFIRMAR = { titulo: 'Facturación', texto: '¿Estas seguro de generar la factura?' } as const;
export const RETIRAR = {
  titulo: 'Facturación',
  texto: '¿Retirar la solicitud? Todavía no se ha enviado al PAC.',
} as const;

/** Which draft an address means. */
export const Borrador = z.object({ borrador: Id.optional().catch(undefined) });
