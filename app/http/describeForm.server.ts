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
 * What zod tells of itself; its own types keep these per kind of schema. A check that is a schema of its own (`uuid`, `int`) stands in `def` itself.
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

/** The part of a schema that a browser can check too. What it leaves out the server says when the form arrives. */
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
  return { fields: Object.fromEntries(fields), ...(rules.length > 0 && { rules }) };
}

export type Names = { names: Set<string>; lists: Set<string>; secrets: Set<string>; open: boolean };

/** The names a schema knows: nothing else of a form is read. */
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

/** The fields that say which state of something its screen showed. */
export function marcasOf(schema: $ZodType): string[] {
  return Object.entries(defOf(unwrap(schema)).shape ?? {}).flatMap(([name, field]) =>
    isMarca(unwrap(field)) ? [name] : [],
  );
}

/** Kinds of a field that holds one value. */
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
 * Returns what a schema has where a name points at (`articulos[0].nombre`): one value, or anything that rules of its own read.
 * Undefined where it has no field: inside a text, beside the rows of a list.
 */
export function fieldAt(schema: $ZodType, name: string): 'uno' | 'otro' | undefined {
  let at: $ZodType | undefined = schema;
  for (const [, key, index] of name.matchAll(/(\w+)|\[(\d*)\]/g)) {
    const { type, element, shape, options }: Def = defOf(unwrap(at));
    if (options && at === schema) return inOneOf(options, name);
    // A schema that reads the form as a whole has fields of its own making.
    if (type !== 'object' && type !== 'array' && key !== undefined && at === schema) return 'otro';
    at = index === undefined ? (shape && Object.hasOwn(shape, key!) ? shape[key!] : undefined) : element;
    if (!at) return undefined;
  }
  const { element, type } = defOf(unwrap(at));
  if (SCALARS.has(type)) return 'uno';
  // The rows of a list are told one by one.
  return !element || defOf(unwrap(element)).shape === undefined ? 'otro' : undefined;
}

/** A form that is one of several: a field holds one value where no kind of the form takes more. */
function inOneOf(options: readonly $ZodType[], name: string): 'uno' | 'otro' {
  const found = options.flatMap((option) => fieldAt(option, name) ?? []);
  return found.length > 0 && found.every((one) => one === 'uno') ? 'uno' : 'otro';
}

/** The schema under what says that it may be missing or becomes something else. */
function unwrap(schema: $ZodType): $ZodType {
  const { innerType, in: before } = defOf(schema);
  const inner = innerType ?? before;
  return inner ? unwrap(inner) : schema;
}

function describeField(schema: $ZodType): FieldShape {
  const inner = defOf(unwrap(schema));
  // A list of which nothing was sent is an empty one.
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

/** `whole` is false once something happened to the text that a browser cannot do: what follows speaks of another text. */
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

/** What a check says in its own words; without any, the server says it in zod's. */
function sayOf({ error }: CheckDef): string | undefined {
  const said = error?.({ code: 'custom' } as never);
  return typeof said === 'string' ? said : undefined;
}

const nameOf = (named: Record<string, unknown>, value: unknown) =>
  Object.keys(named).find((name) => value !== undefined && named[name] === value);
