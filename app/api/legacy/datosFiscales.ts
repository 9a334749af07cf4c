import { z } from 'zod';
import { Cp, Rfc, Texto } from '~/core/fields';
import { EmailReceptor, RazonSocial } from '~/domain/facturacion/cfdi/forms';

/** Stored tax data, as the old client reads them. */
export const Registro = z.object({
  _id: z.string().nullable(),
  rfc: z.string(),
  razonS: z.string(),
  emails: z.array(z.string()),
  cp: z.string(),
  regimen: z.string(),
  uid: z.string().nullable(),
});

/** The same as it writes them. Without `_id`, those of the RFC with that name. */
export const DatosFiscales = z.object({
  _id: z.uuid().optional(),
  rfc: Rfc,
  razonS: RazonSocial,
  // Its rows of two and three stand empty where nobody wrote them.
  emails: z.preprocess(
    (said) => (Array.isArray(said) ? said.filter((one) => typeof one !== 'string' || one.trim() !== '') : said),
    z.array(EmailReceptor).min(1, 'Este dato es requerido').max(3),
  ),
  cp: Cp,
  regimen: Texto(10),
});
