import { expect, test } from 'vitest';
import type { z } from 'zod';
import { TextoOpcional } from '~/core/fields';
import { datosClienteForm } from '~/domain/ventas/envios/forms';

/** Every module of the domain that a form may take its schema from. */
const modules = import.meta.glob<Record<string, unknown>>(
  [
    '../../app/domain/**/*.ts',
    '!../../app/domain/**/*.server.ts',
    '../../app/core/*.ts',
    '!../../app/core/*.server.ts',
  ],
  { eager: true },
);
const isSchema = (value: unknown): value is z.ZodType =>
  typeof value === 'object' && value !== null && '_zod' in value && 'safeParse' in value;
const schemas: { name: string; schema: z.ZodType }[] = Object.entries(modules).flatMap(([path, module]) =>
  Object.entries(module).flatMap(([name, value]) =>
    isSchema(value) ? [{ name: `${path.replace(/^.*\/app\//, '')} ${name}`, schema: value }] : [],
  ),
);
// One that is made of what is known of a postal code.
schemas.push({ name: 'datosClienteForm', schema: datosClienteForm(null) });

const ODD = [undefined, null, '', 'x', 'x'.repeat(5_000), '\0', 5, -1, 1e12, true, [], [[]], {}, new Date(NaN)];

type Def = {
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  in?: z.ZodType;
  innerType?: z.ZodType;
  options?: z.ZodType[];
};

/** A form of that schema in which every field is `odd`, those of its rows and of what stands inside them too. */
function filledWith(schema: z.ZodType, odd: unknown): unknown {
  const def = schema._zod.def as Def;
  if (def.shape)
    return Object.fromEntries(Object.entries(def.shape).map(([name, field]) => [name, filledWith(field, odd)]));
  if (def.element) return [filledWith(def.element, odd)];
  const inner = def.in ?? def.innerType ?? def.options?.[0];
  return inner ? filledWith(inner, odd) : odd;
}

/** Everything a schema may say: to odd things as a whole, and to each of them in all its fields. */
function messagesOf(schema: z.ZodType): string[] {
  const forms = ODD.map((odd) => filledWith(schema, odd));
  return [...ODD, ...forms].flatMap((input) => {
    const read = schema.safeParse(input);
    return read.success ? [] : read.error.issues.flatMap(textsOf);
  });
}

function textsOf(issue: z.core.$ZodIssue): string[] {
  const nested = 'errors' in issue ? issue.errors.flat().flatMap(textsOf) : [];
  return [issue.message, ...nested];
}

test('many schemas are walked', () => {
  expect(schemas.length).toBeGreaterThan(50);
});

test('no schema says a word of English', () => {
  const english = /\b(invalid|expected|required|received|must|too (?:big|small)|unrecognized|string|number|input)\b/i;
  const said = schemas.flatMap(({ name, schema }) =>
    [...new Set(messagesOf(schema))].filter((text) => english.test(text)).map((text) => `${name}: ${text}`),
  );
  expect(said).toEqual([]);
});

test('what may be left out is null, by a form and by a program', () => {
  expect([TextoOpcional(5).parse(undefined), TextoOpcional(5).parse('a')]).toEqual([null, 'a']);
});
