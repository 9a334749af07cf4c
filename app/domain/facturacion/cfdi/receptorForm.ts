import { z } from 'zod';
import { EMAIL_NO_VALIDO, isEmail } from '~/core/email';
import { REQUERIDO, Texto } from '~/core/fields';
import { normalizarRazonSocial } from './precheck';

/** A legal name as the SAT has it: in capitals, without the kind of company. */
export const RazonSocial = z
  .string({ error: REQUERIDO })
  .max(1_000, 'Máximo 300 caracteres')
  .transform(normalizarRazonSocial)
  .pipe(Texto(300));

/** Any real address: whoever buys has to receive the invoice. The narrower pattern of the spec binds the forms about staff alone. */
export const EmailReceptor = Texto(254).refine(isEmail, EMAIL_NO_VALIDO);
