import { z } from 'zod';
import type { Usuario } from '~/core/usuario';
import type { Db, Trx } from '~db/client.server';
import { defineCall, type Asked, type Call } from './call.server';
import { ApiProblem, LLENADO } from './problem.server';
import type { Crudo } from './wire';

/** Reads a program's body by the schema of a screen's form. The first fault is told in the words of that form. */
export function formOf<S extends z.ZodType>(schema: S, said: unknown): z.output<S> {
  const read = schema.safeParse(said);
  if (read.success) return read.data;
  const errores = read.error.issues
    .slice(0, 50)
    .map(({ path, message }) => ({ campo: path.join('.').slice(0, 200), texto: message }));
  throw new ApiProblem('datos-invalidos', errores[0]?.texto ?? LLENADO.texto, { titulo: LLENADO.titulo, errores });
}

/** Fields that only pages fill in. */
const DE_PAGINA = ['mostrado', 'volver', 'confirmar'];

type Pedido = Asked<Record<string, string>, undefined, Record<string, unknown> | undefined, Usuario>;
type Formed<F extends z.ZodObject, A extends z.ZodType> = Pick<
  Call,
  'method' | 'path' | 'resumen' | 'alcance' | 'status' | 'conVersion' | 'recibe' | 'secreta' | 'soloLee' | 'sinPrisa'
> & {
  acceso: Exclude<Call['acceso'], 'abierta'>;
  /** Schema of the screen's form. */
  form: F;
  /** Fields of the form that the path holds, each with its name in the path. */
  de?: Readonly<Partial<Record<keyof F['shape'], string>>>;
  answer: A;
  etag?: (answer: z.output<A>) => string;
} & (
    | { run(db: Db, form: z.output<F>, asked: Pedido): Promise<Crudo<z.output<A>>> }
    | { commit(trx: Trx, form: z.output<F>, asked: Pedido): Promise<Crudo<z.output<A>>> }
  );

/**
 * Defines a call that fills in the form of a screen. Its body holds the fields of that form without those that path, If-Match and files give, and its
 * refusals are the form's.
 */
export function defineFormCall<F extends z.ZodObject, A extends z.ZodType>(row: Formed<F, A>): Call {
  const { form, de = {}, ...call } = row;
  const names = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const campo = call.recibe?.campo;
  const fields = Object.entries(form.shape as Record<string, z.ZodType>).filter(
    ([name]) =>
      !(
        Object.hasOwn(de, name) ||
        DE_PAGINA.includes(name) ||
        name === campo ||
        (call.conVersion && name === 'version')
      ),
  );
  const read = (asked: Pedido) =>
    formOf(form, {
      ...asked.body,
      ...Object.fromEntries(
        Object.entries<string | undefined>(de).map(([name, inPath = name]) => [name, asked.params[inPath]]),
      ),
      ...(call.conVersion && { version: asked.version }),
      ...('clave' in form.shape && { clave: asked.clave }),
      ...('confirmar' in form.shape && { confirmar: asked.body?.password }),
      ...(campo && { [campo]: call.recibe!.varios ? asked.archivos : asked.archivos[0] }),
    });
  return defineCall({
    ...call,
    ...(names.length > 0 && {
      params: z.object(
        Object.fromEntries(names.map((name) => [name, /^id$|Id$/.test(name) ? z.uuid() : z.string().min(1).max(120)])),
      ),
    }),
    ...(fields.length > 0 && {
      body: z.object(
        Object.fromEntries(fields.filter(([name]) => name !== 'clave').map(([name, of]) => [name, asJson(of)])),
      ),
    }),
    ...('run' in row
      ? { run: (db: Db, asked: Pedido) => row.run(db, read(asked), asked) }
      : { commit: (trx: Trx, asked: Pedido) => row.commit(trx, read(asked), asked) }),
  } as never);
}

/**
 * Returns a field as JSON writes it, turned into what the form reads. Null is an empty field, so what a GET answers can be sent back; numbers, yes and
 * no become what a form writes for them.
 */
function asJson(field: z.ZodType): z.ZodType {
  const said = describe(field);
  const empty = field.safeParse(undefined).success;
  const yesNo = Array.isArray(said.enum) && said.enum.join() === '0,1';
  const box = field.safeParse(undefined).data === false || String(said.enum ?? said.const) === 'on';
  const read = (value: unknown): unknown => {
    if (value === null || (empty && value === '')) return undefined;
    if (typeof value === 'boolean') return yesNo ? (value ? '1' : '0') : value ? 'on' : undefined;
    if (field.safeParse(value).success) return value;
    return typeof value === 'number' ? String(value) : value;
  };
  const type = yesNo || box ? { type: 'boolean' } : said;
  const shown = empty ? { anyOf: [type, { type: 'null' }] } : type;
  const taken = z.unknown().transform(read).meta(shown);
  return empty ? taken.optional() : taken;
}

function describe(field: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...said } = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' }) as Record<
    string,
    unknown
  >;
  return said;
}
