import { z } from 'zod';
import { Id, Lista, Texto, Version } from '~/core/fields';
import { EVIDENCIA, MAX_MENSAJE, RESOLUCIONES } from './reclamo';

const visto = { reclamo: Id, version: Version };

/** An empty file is what a browser sends for a field without any. */
const Evidencia = Lista(z.instanceof(File).optional(), 10)
  .transform((files) => files.filter((file) => file !== undefined && file.size > 0) as File[])
  .refine((files) => files.length <= EVIDENCIA.archivos, `No más de ${EVIDENCIA.archivos} archivos en un mensaje.`)
  .refine(
    (files) => files.every(({ size }) => size <= EVIDENCIA.MB * 1024 * 1024),
    `Un archivo pasa de ${EVIDENCIA.MB} MB.`,
  );

/** The form of a message to the buyer or to the mediator, with at most three files. */
export const EscribirEnReclamo = z.object({
  ...visto,
  para: z.enum(['complainant', 'mediator']),
  texto: Texto(MAX_MENSAJE),
  archivos: Evidencia,
});
export type EscribirEnReclamo = z.infer<typeof EscribirEnReclamo>;

/** The form that ends a claim. */
export const ResolverReclamo = z.object({
  ...visto,
  resolucion: z.enum(RESOLUCIONES),
  /** Percentage of a partial refund: one of those that the marketplace lets us give. */
  porcentaje: z
    .string()
    .regex(/^\d{1,3}(\.\d{1,4})?$/)
    .transform(Number)
    .optional(),
  /** The reason, the words and the evidence of an objection to what came back. */
  motivo: Texto(40).optional(),
  texto: Texto(MAX_MENSAJE).optional(),
  archivos: Evidencia,
});
export type ResolverReclamo = z.infer<typeof ResolverReclamo>;

/** 'Enviar correo' to the suppliers of what was sold. */
export const CorreoDeReclamo = z.object({ reclamo: Id });
