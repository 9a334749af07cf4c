import type { Campos, Parte } from '~/platform/lists/list.server';
import type { $ZodType, $ZodTypeDef } from 'zod/v4/core';

type Def = $ZodTypeDef & {
  shape?: Record<string, $ZodType>;
  element?: $ZodType;
  innerType?: $ZodType;
  in?: $ZodType;
  out?: $ZodType;
  valueType?: $ZodType;
};
type Project = (value: unknown) => unknown;

const same: Project = (value) => value;
const made = new WeakMap<$ZodType, Project>();

/**
 * Returns the function that keeps the fields of a value that a schema names, so no field leaves that the description lacks. The values are not
 * checked, since tests do that and a list of 17,000 rows would be parsed once more.
 */
export function projectorOf(schema: $ZodType): Project {
  const known = made.get(schema);
  if (known) return known;
  const project = compile(schema);
  made.set(schema, project);
  return project;
}

function compile(schema: $ZodType): Project {
  const def = schema._zod.def as Def;
  switch (def.type) {
    case 'object':
      return ofObject(def.shape!);
    case 'array':
      return ofEach(def.element!);
    case 'record': {
      const project = projectorOf(def.valueType!);
      return project === same ? same : (value) => mapValues(value, project);
    }
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
    case 'nonoptional':
      return projectorOf(def.innerType!);
    case 'pipe':
      return projectorOf(def.out!);
    default:
      return same;
  }
}

function ofObject(shape: Record<string, $ZodType>): Project {
  const fields = Object.entries(shape).map(([name, schema]) => [name, projectorOf(schema)] as const);
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const kept: Record<string, unknown> = {};
    for (const [name, project] of fields) {
      const found = (value as Record<string, unknown>)[name];
      if (found !== undefined) kept[name] = project === same ? found : project(found);
    }
    return kept;
  };
}

function ofEach(element: $ZodType): Project {
  const project = projectorOf(element);
  return project === same ? same : (value) => (Array.isArray(value) ? value.map(project) : value);
}

function mapValues(value: unknown, project: Project): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, project(one)]));
}

const told = new WeakMap<$ZodType, Campos | null>();

/** Returns the fields of a row that a schema names, for writing them as JSON; null where that depends on the row, since a field may be missing. */
export function camposOf(fila: $ZodType): Campos | null {
  let campos = told.get(fila);
  if (campos === undefined) {
    const parte = parteOf(fila);
    told.set(fila, (campos = parte !== null && typeof parte === 'object' && 'campos' in parte ? parte.campos : null));
  }
  return campos;
}

function parteOf(schema: $ZodType): Parte | null {
  const def = schema._zod.def as Def;
  switch (def.type) {
    case 'object': {
      const campos: Record<string, Parte> = {};
      for (const [name, one] of Object.entries(def.shape!)) {
        const parte = parteOf(one);
        if (parte === null) return null;
        campos[name] = parte;
      }
      return { campos };
    }
    case 'array': {
      const cada = parteOf(def.element!);
      return cada === null || cada === 'todo' ? cada : { cada };
    }
    case 'nullable':
    case 'readonly':
      return parteOf(def.innerType!);
    case 'string':
    case 'enum':
    case 'number':
    case 'boolean':
      return 'todo';
    default:
      return null;
  }
}
