import { z } from 'zod';
import { Lista } from '~/core/fields';

/** Uploaded documents. Browsers send an empty file for a field without any, so empty files are dropped. */
export const XmlSubido = z.object({
  xml: Lista(z.instanceof(File).optional(), 60)
    .transform((files) => files.filter((file) => file !== undefined && file.size > 0) as File[])
    .refine((files) => files.length > 0, 'Elige al menos un archivo XML.'),
});
