import type { z } from 'zod';
import { Id } from '~/core/fields';
import { readForm } from './readForm.server';
import { readSent } from './sent.server';

type Schemas = Readonly<Record<string, z.ZodObject>>;
type Read<S extends Schemas> =
  { [Que in keyof S]: { que: Que; datos: z.output<S[Que]>; clave: string; de: string } }[keyof S] | { no: string };

const ILEGIBLE = 'No se entiende lo que se envió.';

/** What a phone pressed, perhaps hours ago: `que` names its schema, `clave` is its own for good, and `usuario` says whose it is. */
export async function readEnvio<S extends Schemas>(request: Request, schemas: S): Promise<Read<S>> {
  const form = await readSent(request);
  const [que, clave, de] = [form.get('que'), Id.safeParse(form.get('clave')), Id.safeParse(form.get('usuario'))];
  if (typeof que !== 'string' || !Object.hasOwn(schemas, que) || !clave.success || !de.success) return { no: ILEGIBLE };
  const submission = readForm(form, schemas[que]!);
  if (submission.status !== 'success') return { no: Object.values(submission.error ?? {}).flat()[0] ?? ILEGIBLE };
  return { que, datos: submission.value, clave: clave.data, de: de.data } as Read<S>;
}
