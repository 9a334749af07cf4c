import type { z } from 'zod';
import { ApiProblem, LLENADO } from './problem.server';

/** What a form of a screen reads in what a program says; the first of its faults is what people read, in that form's words. */
export function formOf<S extends z.ZodType>(schema: S, said: unknown): z.output<S> {
  const read = schema.safeParse(said);
  if (read.success) return read.data;
  const errores = read.error.issues
    .slice(0, 50)
    .map(({ path, message }) => ({ campo: path.join('.').slice(0, 200), texto: message }));
  throw new ApiProblem('datos-invalidos', errores[0]?.texto ?? LLENADO.texto, { titulo: LLENADO.titulo, errores });
}
