import { safeParse, type $ZodType, type $ZodTypeDef } from 'zod/v4/core';
import { civilDay } from '~/core/time';

/** Values that a schema takes, found by asking it: what is hostile in one field only counts where the rest of the form is well. */

type Def = $ZodTypeDef & {
  innerType?: $ZodType;
  in?: $ZodType;
  element?: $ZodType;
  shape?: Record<string, $ZodType>;
  options?: $ZodType[];
  entries?: Record<string, string | number>;
  values?: unknown[];
};
const defOf = (schema: $ZodType) => schema._zod.def as Def;

function unwrap(schema: $ZodType): Def {
  const def = defOf(schema);
  const inner = def.innerType ?? def.in ?? def.options?.[0];
  return inner ? unwrap(inner) : def;
}

/** The names that a schema knows. */
export const keysOf = (schema: $ZodType): string[] => Object.keys(unwrap(schema).shape ?? {});

export const XML = { archivo: 'factura.xml', tipo: 'application/xml', contenido: '<cfdi:Comprobante/>' };
export type Value = string | typeof XML;
export type Field = [name: string, value: Value];

/** Texts of every kind we know, and what conform makes of them before a schema sees them. */
const CANDIDATES: readonly [text: Value, seen: unknown][] = [
  ...['1', '0', '12', '2026'].flatMap((text): [string, unknown][] => [
    [text, text],
    [text, Number(text)],
  ]),
  ['on', true],
  ...[
    civilDay(new Date()),
    '2026-10',
    '2026-10-05T10:30',
    '10.00',
    'MEGJ800101QX1',
    'juana@ejemplo.mx',
    '06600',
    '5512345678',
    'Trastienda#1',
    'Trastienda#2',
    'Calle Uno',
    'Ana',
    'https://ejemplo.mx/',
    'G03',
    '612',
    '46171610',
    'ml',
    'ct',
    'sa',
    'user',
    'q=x',
    '{}',
    '[]',
  ].map((text): [string, unknown] => [text, text]),
  [XML, new File([XML.contenido], XML.archivo, { type: XML.tipo })],
];

/** The key of some row, drawn by lot each time. */
export type Ids = { random(name: string): string };

/** The fields of a form that its schema takes, as far as that can be found out; those that are keys are drawn anew each time. */
export function validForm(schema: $ZodType, ids: Ids): Field[] {
  const found = known.get(schema) ?? validFields(schema, ids, '');
  known.set(schema, found);
  return found.map(([name, value]) => [name, value ?? ids.random(name)]);
}

type Found = [name: string, value: Value | undefined];
const known = new WeakMap<$ZodType, Found[]>();

function validFields(schema: $ZodType, ids: Ids, under: string): Found[] {
  return Object.entries(unwrap(schema).shape ?? {}).flatMap(([key, field]) => validField(field, `${under}${key}`, ids));
}

function validField(schema: $ZodType, name: string, ids: Ids): Found[] {
  const def = unwrap(schema);
  if (def.element) {
    const list = unwrap(def.element).shape !== undefined;
    return list ? validFields(def.element, ids, `${name}[0].`) : validField(def.element, name, ids);
  }
  if (def.shape) return validFields(schema, ids, `${name}.`);
  const takes = (seen: unknown) => safeParse(schema, seen).success;
  const word = [...Object.values(def.entries ?? {}), ...(def.values ?? [])].find(takes);
  if (word !== undefined) return [[name, String(word as string | number)]];
  if (takes(ids.random(name))) return [[name, undefined]];
  const taken = CANDIDATES.find(([, seen]) => takes(seen));
  return taken ? [[name, taken[0]]] : [];
}
