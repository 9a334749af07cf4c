import { z } from 'zod';
import { Cp, Dia, Id, Rfc, Texto, Version } from '~/core/fields';
import { ArticulosForm, EmailReceptor, RazonSocial } from '~/domain/facturacion/cfdi/forms';
import { visto } from './draft';

/** The number of the sale to invoice. The search tells what is wrong with a number, in its words. */
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

/** The RFC as it is typed. The look-up tells what is wrong with an RFC, in its words. */
export const BuscarRfc = z.object({ ...visto, rfc: Texto(40).default('') });

/** One of the legal names on record, by its id at the PAC. */
export const ElegirCliente = z.object({ ...visto, uid: Texto(100) });

/** The step to go back to after a refusal. */
export const Corregir = z.object({ ...visto, paso: z.enum(['1', '2', '3']).catch('3') });

/** Step 1: the rows of the draft. */
export const ArticulosDelDraft = ArticulosForm.extend(visto);

/** 'Limpiar'. Before a sale is found there is no version. */
export const Limpiar = z.object({ version: Version.optional(), mostrado: visto.mostrado });

/** Step 3 as it is confirmed. `pagado` is the payment that the screen showed. */
export const RevisionForm = z.object({
  ...visto,
  pagado: Texto(30),
  formaPago: Texto(10, 'Elige la Forma de Pago.'),
  usoCfdi: Texto(10, 'Elige el Uso de CFDI.'),
  fecha: Dia('Elige la Fecha de Facturación.'),
  diferencia: z.literal('aceptada').optional(),
});

/** A sale that is invoiced as 'Hoy' showed it: the review of step 3, of a sale whose draft may not stand yet. */
export const FacturarVenta = RevisionForm.omit({ diferencia: true }).extend({ numOrden: Texto(120) });

/** Step 3 as far as it was filled in, when the person leaves it by the header. */
export const RevisionEscrita = z.object({
  ...visto,
  formaPago: Texto(10).default(''),
  usoCfdi: Texto(10).default(''),
  fecha: Texto(10).default(''),
});

/** The question before a factura is made. */
export const CONFIRMAR = { titulo: 'Facturación', texto: '¿Estas seguro de generar la factura?' } as const;
/** The question before a request is taken back. */
export const RETIRAR = {
  titulo: 'Facturación',
  texto: '¿Retirar la solicitud? Todavía no se ha enviado al PAC.',
} as const;

/** The draft that an address names. */
export const Borrador = z.object({ borrador: Id.optional().catch(undefined) });
