import { isCp } from './codigoPostal';
import { isEmail, isEmailOfDosACuatro } from './email';
import { unmaskMonto } from './importe';
import { readTyped, type TypedAs } from './readTyped';
import { isAcceptablePassword } from './password';
import { isRfc, normalizeRfc } from './rfc';
import { isDia, isMes, isStorable } from './text';

/**
 * Rules that server and browser share. A schema that refines with a rule of this table is checked while people type.
 */
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

/** Changes to a text before its checks, shared by server and browser. */
export const TEXT_CHANGES = {
  rfc: normalizeRfc,
  mayusculas: (text: string) => text.toUpperCase(),
  sinMascara: unmaskMonto,
} as const;

/** Returns whether the password was typed the same way twice. */
export const isRepeated = ({ password, confirmar }: { password?: unknown; confirmar?: unknown }) =>
  password === confirmar;

/** Rules about a whole form; the error is shown at a single field. */
export const FORM_RULES = { repetida: isRepeated } as const;

export type TextRule = keyof typeof TEXT_RULES;
export type TextChange = keyof typeof TEXT_CHANGES;
export type FormRule = keyof typeof FORM_RULES;

/**
 * A check of the text of a field, in the order of its schema. Checks that only the server can do are not sent to the
 * browser.
 */
export type Step =
  | { do: 'trim' }
  | { do: 'change'; name: TextChange }
  | { do: 'min' | 'max'; length: number; say: string }
  | { do: 'pattern'; source: string; flags: string; say: string }
  | { do: 'rule'; name: TextRule; say: string }
  | { do: 'read'; as: TypedAs };

/** Checks of a field, as the browser gets them. */
export type FieldShape = {
  /** Error of the empty field; absent where the field is optional. */
  required?: string;
  steps?: Step[];
  /** Fields of an object. */
  fields?: Record<string, FieldShape>;
  /** Shape of every item of a list. */
  item?: FieldShape;
};

/** Words of a question that are the same for every record. */
export type Wording = {
  titulo: string;
  texto: string;
  /** True when a yes removes a record. */
  destruye?: boolean | undefined;
};

/** A question about an act on certain records. */
export type Question = Wording & {
  /** Consequence of a yes in a single line: number, name, amount. Undefined when nothing more is known. */
  hechos: string | undefined;
  /**
   * Fields that the yes sends in place of the fields of the form, by name: the figure told by the question outranks the
   * figure sent with the form.
   */
  marcas?: Record<string, string>;
};

/**
 * The part of an intent's schema that travels to the browser: enough for marks at fields and for errors before anything
 * is sent.
 */
export type FormShape = {
  fields: Record<string, FieldShape>;
  /** Mark of the names of the fields: a form is sent with it, and a page of another version may have another. */
  forma?: string;
  rules?: { name: FormRule; at: string; say: string }[];
  /** True when the intent asks before acting. A key pressed in a field never starts such an intent. */
  asks?: true;
  /** The question, when every form gets the same question. */
  question?: Wording;
  /** True when the intent may finish its record: the record leaves the queue by it, and the next one opens. */
  termina?: true;
};

type Errors = Record<string, string[]>;

/** Returns the errors of a form while people type, by the name of the field; null when the form may be sent. */
export function checkForm(shape: FormShape, typed: Record<string, unknown>): Errors | null {
  const errors: Errors = {};
  checkFields(shape.fields, typed, '', errors);
  // As on the server, rules about the whole form wait until no required field is missing.
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
