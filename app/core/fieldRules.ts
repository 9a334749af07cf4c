import { isCp } from './codigoPostal';
import { isEmail, isEmailOfDosACuatro } from './email';
import { unmaskMonto } from './importe';
import { readTyped, type Lectura } from './readTyped';
import { isAcceptablePassword } from './password';
import { isRfc, normalizeRfc } from './rfc';
import { isDia, isMes, isStorable } from './text';

/** Rules that a browser can ask as well as the server. A schema that refines with one of these is checked while people type. */
export const TEXT_RULES = {
  rfc: isRfc,
  email: isEmail,
  emailDeDosACuatro: isEmailOfDosACuatro,
  cp: isCp,
  dia: isDia,
  mes: isMes,
  texto: isStorable,
  password: isAcceptablePassword,
} as const;

/** What a schema does to a text before it looks at it, where a browser can do the same. */
export const TEXT_CHANGES = {
  rfc: normalizeRfc,
  mayusculas: (text: string) => text.toUpperCase(),
  sinMascara: unmaskMonto,
} as const;

export const isRepeated = ({ password, confirmar }: { password?: unknown; confirmar?: unknown }) =>
  password === confirmar;

/** Rules about a whole form, told at one of its fields. */
export const FORM_RULES = { repetida: isRepeated } as const;

export type TextRule = keyof typeof TEXT_RULES;
export type TextChange = keyof typeof TEXT_CHANGES;
export type FormRule = keyof typeof FORM_RULES;

/** One look at the text of a field, in the order of its schema. What only the server can know is not among them. */
export type Step =
  | { do: 'trim' }
  | { do: 'change'; name: TextChange }
  | { do: 'min' | 'max'; length: number; say: string }
  | { do: 'pattern'; source: string; flags: string; say: string }
  | { do: 'rule'; name: TextRule; say: string }
  | { do: 'read'; as: Lectura };

/** What a browser may know of one field. */
export type FieldShape = {
  /** Why it may not stay empty. */
  required?: string;
  steps?: Step[];
  /** Of an object. */
  fields?: Record<string, FieldShape>;
  /** Of a list: each of its items. */
  item?: FieldShape;
};

/** The words of a question, the same whatever it is asked about. */
export type Wording = {
  titulo: string;
  texto: string;
  /** It takes away a record of ours. */
  destruye?: boolean | undefined;
};

export type Question = Wording & {
  /** What will happen, in one line: number, name, amount. Undefined where nothing more is known. */
  hechos: string | undefined;
  /** What its yes is about, by the names of fields: a figure that the question tells stands in place of the one its form was sent with. */
  marcas?: Record<string, string>;
};

/** What travels to the browser of an intent's schema: enough for marks, and for errors before anything is sent. */
export type FormShape = {
  fields: Record<string, FieldShape>;
  rules?: { name: FormRule; at: string; say: string }[];
  /** It asks before it acts: a key that was meant for a field does not begin it. */
  asks?: true;
  /** What it asks, when that is the same for every form. */
  question?: Wording;
};

type Errors = Record<string, string[]>;

/** The errors of a form as it is typed, by the name of their field; null when nothing speaks against sending it. */
export function checkForm(shape: FormShape, typed: Record<string, unknown>): Errors | null {
  const errors: Errors = {};
  checkFields(shape.fields, typed, '', errors);
  // As on the server: a form is looked at as a whole once nothing is missing in it.
  const isWhole = Object.entries(errors).every(([name, [why]]) => shape.fields[name]?.required !== why);
  for (const { name, at, say } of shape.rules ?? [])
    if (isWhole && !FORM_RULES[name](typed)) errors[at] = [...(errors[at] ?? []), say];
  return Object.keys(errors).length === 0 ? null : errors;
}

function checkFields(
  fields: Record<string, FieldShape>,
  typed: Record<string, unknown>,
  under: string,
  errors: Errors,
) {
  for (const [name, field] of Object.entries(fields)) checkField(field, typed[name], under + name, errors);
}

function checkField(field: FieldShape, value: unknown, name: string, errors: Errors) {
  if (field.item) {
    if (Array.isArray(value)) value.forEach((item, at) => checkField(field.item!, item, `${name}[${at}]`, errors));
    if (Array.isArray(value) && value.length > 0) return;
  } else if (field.fields) {
    checkFields(field.fields, isRecord(value) ? value : {}, `${name}.`, errors);
    return;
  }
  const empty =
    value === undefined || value === null || isEmptyFile(value) || (typeof value === 'string' && value.trim() === '');
  const why = empty ? field.required : typeof value === 'string' ? whyNot(field.steps ?? [], value) : undefined;
  if (why !== undefined) errors[name] = [why];
}

function whyNot(steps: readonly Step[], typed: string): string | undefined {
  let text = typed;
  for (const step of steps) {
    if (step.do === 'trim') text = text.trim();
    else if (step.do === 'change') text = TEXT_CHANGES[step.name](text);
    else if (step.do === 'read') {
      const leido = readTyped(text, step.as);
      return 'porQue' in leido ? leido.porQue : undefined;
    } else if (!passes(step, text)) return step.say;
  }
  return undefined;
}

function passes(step: Exclude<Step, { do: 'trim' | 'change' | 'read' }>, text: string): boolean {
  switch (step.do) {
    case 'min':
      return text.length >= step.length;
    case 'max':
      return text.length <= step.length;
    case 'pattern':
      return new RegExp(step.source, step.flags).test(text);
    case 'rule':
      return TEXT_RULES[step.name](text);
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isEmptyFile = (value: unknown) => typeof File !== 'undefined' && value instanceof File && value.size === 0;
