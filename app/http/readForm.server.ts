import type { Submission } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { data } from '@remix-run/node';
import { z } from 'zod';
import { ILEGIBLE } from '~/core/fields';
import { FORMA } from '~/core/submission';
import { isStorable } from '~/core/text';
import { fieldAt, namesOf } from './describeForm.server';

/** Largest index of a list in a form. A huge index would make a list with as many holes, each of which is walked and sent back. */
const MAX_INDEX = 999;
const MAX_NAME = 200;

const ILLEGIBLE_FORM = { titulo: 'Error.', texto: 'No se entiende lo que se envió.' } as const;

/** Names that a form carries beside its fields: the intent, the form of the page, the yes to a question, the token of a waiting form, the mark of its fields, and conform's own. */
const OURS: ReadonlySet<string> = new Set([
  'intent',
  'formulario',
  'confirmado',
  'porProbar',
  FORMA,
  '__intent__',
  '__state__',
]);

/**
 * Returns a form as the schema of its intent reads it. Fields that the schema does not name are dropped. A text that the database cannot keep is refused at its
 * field. Of conform's own words, only buttons that add and remove rows of a list of the schema are understood. Throws 400 for a name that nothing can have, and
 * for a field of one value that was sent twice.
 */
export function readForm<S extends z.ZodType>(
  form: FormData,
  schema: S,
): Submission<z.input<S>, string[], z.output<S>> {
  const { names, lists, open } = namesOf(schema);
  const known = new FormData();
  const unreadable: Record<string, string[]> = {};
  for (const [name, value] of form) {
    if (name === '__intent__') known.append(name, readButton(value, lists));
    if (OURS.has(name) || !(open || names.has(rootOf(name)))) continue;
    if (!isSaneName(name)) throw data(ILLEGIBLE_FORM, { status: 400 });
    const field = fieldAt(schema, name);
    // A text that was sent as an object or a list has no field that could show the refusal.
    if (!field) continue;
    // No page of ours sends one value twice, and a page could not show both values in one field.
    if (field === 'uno' && known.has(name)) throw data(ILLEGIBLE_FORM, { status: 400 });
    // A field with spaces alone counts as empty.
    if (typeof value !== 'string') known.append(name, value);
    else if (isStorable(value)) known.append(name, value.trim() === '' ? '' : asTyped(value));
    else unreadable[name] = [ILEGIBLE];
  }
  const submission = parseWithZod(known, { schema }) as Submission<z.input<S>, string[], z.output<S>>;
  if (Object.keys(unreadable).length === 0) return submission;
  return {
    ...submission,
    status: 'error',
    error: { ...(submission.status === 'error' ? submission.error : {}), ...unreadable },
    reply: (options) => submission.reply({ ...options, fieldErrors: { ...unreadable } as never }),
  };
}

/** Turns CRLF, by which browsers send each new line, into the one character that was typed. */
const asTyped = (value: string) => value.replaceAll('\r\n', '\n');

const Row = z.record(z.string().max(MAX_NAME), z.string().max(10_000).refine(isStorable));
const Index = z.number().int().min(0).max(MAX_INDEX);
const Button = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('insert'),
    payload: z.object({ name: z.string(), index: Index.optional(), defaultValue: Row.optional() }),
  }),
  z.object({ type: z.literal('remove'), payload: z.object({ name: z.string(), index: Index }) }),
]);

/** Reads the intent of conform's list buttons: `{ type, payload: { name, index, ... } }`. */
function readButton(value: FormDataEntryValue, lists: ReadonlySet<string>): string {
  const button = Button.safeParse(parseJson(value)).data;
  if (!button || !lists.has(button.payload.name)) throw data(ILLEGIBLE_FORM, { status: 400 });
  return JSON.stringify(button);
}

function parseJson(value: FormDataEntryValue): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    return undefined;
  }
}

/** The form of a field's name, such as `articulos[3].nombre`. conform builds objects out of such names. */
function isSaneName(name: string): boolean {
  return (
    name.length <= MAX_NAME &&
    /^\w+(?:\[\d{0,3}\]|\.\w+)*$/.test(name) &&
    !/(?:^|\.)(?:__proto__|constructor|prototype)(?:$|[.[])/.test(name)
  );
}

/** Returns the field of a schema that a name points at. */
export const rootOf = (name: string) => /^\w*/.exec(name)![0];

/** Reads the query of an address by a schema. Throws 400 for values that the schema refuses. */
export function readQuery<S extends z.ZodType>(request: Request, schema: S): z.output<S> {
  const submission = readForm(toForm(new URL(request.url).searchParams), schema);
  if (submission.status === 'success') return submission.value;
  throw data({ titulo: 'Error.', texto: textOf(submission.error) }, { status: 400 });
}

function toForm(search: URLSearchParams): FormData {
  const form = new FormData();
  for (const [name, value] of search) if (isSaneName(name)) form.append(name, value);
  return form;
}

const textOf = (error: Record<string, string[] | null> | null | undefined) =>
  Object.values(error ?? {})
    .flat()
    .filter((text) => text !== null)
    .join(' ') || 'No se entiende la dirección.';
