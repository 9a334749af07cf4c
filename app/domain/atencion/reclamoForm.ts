import { z } from 'zod';
import { Id, Texto, Version } from '~/core/fields';
import { RESOLUCIONES } from './reclamo';

const visto = { reclamo: Id, version: Version };

export const EscribirEnReclamo = z.object({ ...visto, para: z.enum(['complainant', 'mediator']), texto: Texto(1_000) });
export type EscribirEnReclamo = z.infer<typeof EscribirEnReclamo>;

export const ResolverReclamo = z.object({
  ...visto,
  resolucion: z.enum(RESOLUCIONES),
  /** Of a part: one of those the marketplace lets us give. */
  porcentaje: z
    .string()
    .regex(/^\d{1,3}(\.\d{1,4})?$/)
    .transform(Number)
    .optional(),
});
export type ResolverReclamo = z.infer<typeof ResolverReclamo>;

/** 'Enviar correo' to the suppliers of what was sold. */
export const CorreoDeReclamo = z.object({ reclamo: Id });
