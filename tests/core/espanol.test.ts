import { expect, test } from 'vitest';
import type { z } from 'zod';
import { TextoOpcional } from '~/core/fields';

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
const schemas = Object.entries(modules).flatMap(([path, module]) =>
  Object.entries(module).flatMap(([name, value]) =>
    isSchema(value) ? [{ name: `${path.replace(/^.*\/app\//, '')} ${name}`, schema: value }] : [],
  ),
);

const ODD = [undefined, null, '', 'x', 'x'.repeat(5_000), '\0', 5, -1, 1e12, true, [], [[]], {}, new Date(NaN)];

/** The fields of an object schema, however it is wrapped. */
function fieldsOf(schema: z.ZodType): string[] {
  const def = schema._zod.def as { shape?: object; in?: z.ZodType; innerType?: z.ZodType };
  if (def.shape) return Object.keys(def.shape);
  const inner = def.in ?? def.innerType;
  return inner ? fieldsOf(inner) : [];
}

/** Everything a schema may say: to odd things as a whole, and to each of them in all its fields. */
function messagesOf(schema: z.ZodType): string[] {
  const names = fieldsOf(schema);
  const forms = ODD.map((odd) => Object.fromEntries(names.map((name) => [name, odd])));
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
