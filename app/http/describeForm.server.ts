import { createHash } from 'node:crypto';
import type { $ZodCheck, $ZodType, $ZodTypeDef } from 'zod/v4/core';
import { safeParse } from 'zod/v4/core';
import { lecturaOf } from '~/core/escrito';
import { isMarca, isSecreto } from '~/core/fields';
import {
  FORM_RULES,
  TEXT_CHANGES,
  TEXT_RULES,
  type FieldShape,
  type FormRule,
  type FormShape,
  type Step,
  type TextChange,
  type TextRule,
} from '~/core/fieldRules';

/**
 * The parts of a zod schema that are read here; zod's own types know them by kind of schema only. A check that is a schema itself (`uuid`, `int`)
 * stands in `def`.
 */
type Def = $ZodTypeDef & {
  checks?: $ZodCheck[];
  innerType?: $ZodType;
  element?: $ZodType;
  in?: $ZodType;
  out?: $ZodType;
  transform?: unknown;
  shape?: Record<string, $ZodType>;
  options?: readonly $ZodType[];
};
type CheckDef = {
  check: string;
  minimum?: number;
  maximum?: number;
  pattern?: RegExp;
  fn?: unknown;
  tx?: (text: string) => unknown;
  path?: PropertyKey[];
  error?: (issue: never) => unknown;
};

const defOf = (schema: $ZodType) => schema._zod.def as Def;
const checksOf = (schema: $ZodType) =>
  (defOf(schema).checks ?? []).map((check) => check._zod.def as unknown as CheckDef);

/** Returns the part of a schema that a browser can check. The server checks the rest when the form arrives. */
export function describeForm(schema: $ZodType): FormShape {
  const object = unwrap(schema);
  const fields = Object.entries(defOf(object).shape ?? {}).map(
    ([name, field]) => [name, describeField(field)] as const,
  );
  const rules = checksOf(object).flatMap((check) => {
    const name = nameOf(FORM_RULES, check.fn) as FormRule | undefined;
    const [at, say] = [check.path?.join('.'), sayOf(check)];
    return name && at && say ? [{ name, at, say }] : [];
  });
  const known = Object.fromEntries(fields);
  return {
    fields: known,
    ...(defOf(object).shape && { forma: formaOf(known) }),
    ...(rules.length > 0 && { rules }),
  };
}

/**
 * Returns the mark of a form: the same while the form has the same fields, whatever their rules and words are. A rule that changed is told at its field, which an
 * old page has too.
 */
function formaOf(fields: Record<string, FieldShape>): string {
  return createHash('sha256').update(namesIn(fields).sort().join()).digest('base64url').slice(0, 6);
}

const namesIn = (fields: Record<string, FieldShape>, under = ''): string[] =>
  Object.entries(fields).flatMap(([name, { fields: inner, item }]) => [
    under + name,
    ...namesIn(inner ?? item?.fields ?? {}, `${under}${name}.`),
  ]);

export type Names = { names: Set<string>; lists: Set<string>; secrets: Set<string>; open: boolean };

/** Returns the names of a schema's fields. No other field of a form is read. */
export function namesOf(schema: $ZodType): Names {
  const { shape } = defOf(unwrap(schema));
  const fields = Object.entries(shape ?? {});
  const namesWhere = (test: (field: $ZodType) => boolean) =>
    new Set(fields.filter(([, field]) => test(field)).map(([name]) => name));
  return {
    names: namesWhere(() => true),
    lists: namesWhere((field) => defOf(unwrap(field)).type === 'array'),
    secrets: namesWhere((field) => isSecreto(unwrap(field))),
    open: shape === undefined,
  };
}

/** Returns the fields of a schema that say which state the screen showed. */
export function marcasOf(schema: $ZodType): string[] {
  return Object.entries(defOf(unwrap(schema)).shape ?? {}).flatMap(([name, field]) =>
    isMarca(unwrap(field)) ? [name] : [],
  );
}

/** Kinds of schemas whose field holds one value. */
const SCALARS: ReadonlySet<string> = new Set([
  'string',
  'number',
  'int',
  'boolean',
  'bigint',
  'date',
  'enum',
  'literal',
]);

/**
 * Returns the field of a schema that a name (`articulos[0].nombre`) points at: 'uno' for one value, 'otro' for anything that the schema reads by
 * itself. Undefined where the schema has no such field.
 */
export function fieldAt(schema: $ZodType, name: string): 'uno' | 'otro' | undefined {
  let at: $ZodType | undefined = schema;
  for (const [, key, index] of name.matchAll(/(\w+)|\[(\d*)\]/g)) {
    const { type, element, shape, options }: Def = defOf(unwrap(at));
    if (options && at === schema) return inOneOf(options, name);
    // A schema with a preprocess reads the form as a whole and makes its own fields.
    if (type !== 'object' && type !== 'array' && key !== undefined && at === schema) return 'otro';
    at = index === undefined ? (shape && Object.hasOwn(shape, key!) ? shape[key!] : undefined) : element;
    if (!at) return undefined;
  }
  const { element, type } = defOf(unwrap(at));
  if (SCALARS.has(type)) return 'uno';
  // A list is described by its rows.
  return !element || defOf(unwrap(element)).shape === undefined ? 'otro' : undefined;
}

/** Returns whether a field of a union holds one value: it does where no member of the union takes more. */
function inOneOf(options: readonly $ZodType[], name: string): 'uno' | 'otro' {
  const found = options.flatMap((option) => fieldAt(option, name) ?? []);
  return found.length > 0 && found.every((one) => one === 'uno') ? 'uno' : 'otro';
}

/** Returns the schema under wrappers such as optional, default and transform. */
function unwrap(schema: $ZodType): $ZodType {
  const { innerType, in: before } = defOf(schema);
  const inner = innerType ?? before;
  return inner ? unwrap(inner) : schema;
}

function describeField(schema: $ZodType): FieldShape {
  const inner = defOf(unwrap(schema));
  // A list without sent rows is empty.
  const missing = safeParse(schema, inner.type === 'array' ? [] : undefined);
  const required = missing.success ? undefined : missing.error.issues[0]?.message;
  const steps = stepsOf(schema).steps;
  return {
    ...(required !== undefined && { required }),
    ...(steps.some((step) => step.do !== 'trim') && { steps }),
    ...(inner.element && { item: describeField(inner.element) }),
    ...(inner.shape && {
      fields: Object.fromEntries(Object.entries(inner.shape).map(([name, field]) => [name, describeField(field)])),
    }),
  };
}

/** Returns the checks of a text that a browser can do. `whole` becomes false at a transform: later checks are about another text. */
function stepsOf(schema: $ZodType): { steps: Step[]; whole: boolean } {
  const def = defOf(schema);
  const inner = def.innerType ? stepsOf(def.innerType) : def.in ? stepsOf(def.in) : undefined;
  const steps = [...(inner?.steps ?? [])];
  let whole = inner?.whole ?? def.type === 'string';
  if (whole && def.out) {
    const after = defOf(def.out).type === 'transform' ? changeOf(defOf(def.out).transform) : stepsOf(def.out);
    steps.push(...after.steps);
    whole = after.whole;
  }
  for (const check of checksOf(schema)) {
    if (!whole) break;
    if (check.check === 'overwrite' && !isTrim(check.tx)) whole = false;
    else steps.push(...stepOf(check));
  }
  return { steps, whole };
}

const isTrim = (tx: CheckDef['tx']) => tx?.(' aB ') === 'aB';

function changeOf(transform: unknown): { steps: Step[]; whole: boolean } {
  const as = lecturaOf(transform);
  if (as) return { steps: [{ do: 'read', as }], whole: false };
  const name = nameOf(TEXT_CHANGES, transform) as TextChange | undefined;
  return name ? { steps: [{ do: 'change', name }], whole: true } : { steps: [], whole: false };
}

function stepOf(check: CheckDef): Step[] {
  const say = sayOf(check);
  if (check.check === 'overwrite') return [{ do: 'trim' }];
  if (say === undefined) return [];
  if (check.check === 'min_length') return [{ do: 'min', length: check.minimum!, say }];
  if (check.check === 'max_length') return [{ do: 'max', length: check.maximum!, say }];
  if (check.pattern) return [{ do: 'pattern', source: check.pattern.source, flags: check.pattern.flags, say }];
  const name = nameOf(TEXT_RULES, check.fn) as TextRule | undefined;
  return name ? [{ do: 'rule', name, say }] : [];
}

/** Returns the message of a check; undefined for one that has zod's own message. */
function sayOf({ error }: CheckDef): string | undefined {
  const said = error?.({ code: 'custom' } as never);
  return typeof said === 'string' ? said : undefined;
}

const nameOf = (named: Record<string, unknown>, value: unknown) =>
  Object.keys(named).find((name) => value !== undefined && named[name] === value);
