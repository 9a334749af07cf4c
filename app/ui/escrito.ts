/**
 * What was typed into a form and not yet taken by the server, for the tab it was typed in: a lost network, a reload or a step back does not lose it. Never
 * what is secret, never files.
 */
const PREFIX = 'escrito:';
const WHOSE = 'escrito-de';
/** Typed this long ago, it is no longer what anybody is about. */
const MAX_AGE_MS = 4 * 3_600_000;
const SECRET = /password|contrase|confirmar|secret|llave|token|codigo2fa|totp/i;

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
/** By the name of each field: what was typed, and what it had held before. */
type Kept = { at: number; fields: Record<string, [typed: string, before: string]> };

const isBox = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio');

function isKept(field: Element): field is Field {
  if (field instanceof HTMLInputElement)
    return (
      !/^(?:hidden|password|file|submit|button|reset|image)$/.test(field.type) &&
      !/password|one-time-code/.test(field.autocomplete) &&
      field.name !== '' &&
      !SECRET.test(field.name) &&
      // With its eye open it is a text like any other.
      !field.closest('.mantine-PasswordInput-root')
    );
  return (field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement) && field.name !== '';
}

/** Of radios each is its own: several share a name. */
const nameOf = (field: Field) => (isBox(field) ? `${field.name}=${field.value}` : field.name);
const valueOf = (field: Field) => (isBox(field) ? String(field.checked) : field.value);
/** What the server wrote. */
function beforeOf(field: Field): string {
  if (isBox(field)) return String(field.defaultChecked);
  if (field instanceof HTMLSelectElement)
    return ([...field.options].find((option) => option.defaultSelected) ?? field.options[0])?.value ?? '';
  return field.defaultValue;
}

export const fieldsOf = (form: HTMLFormElement): Field[] => [...form.elements].filter(isKept);

/** What each field held when the form came, and whose the rows of its lists are. */
export type Before = { held: ReadonlyMap<string, string>; rows: string };
export function readBefore(form: HTMLFormElement): Before {
  const before = { held: new Map(fieldsOf(form).map((field) => [nameOf(field), beforeOf(field)])), rows: rowsOf(form) };
  came.set(form, before);
  return before;
}
/** Of a field that React holds, the page itself forgets what it held when it came. */
const came = new WeakMap<HTMLFormElement, Before>();

const isOfRow = (name: string) => name.includes('[');
/** What the rows of its lists say of themselves that nobody types. Rows may be added at the end; any other change makes them other rows. */
const rowsOf = (form: HTMLFormElement): string =>
  [...form.querySelectorAll<HTMLInputElement>('input[type="hidden"]')]
    .filter(({ name }) => isOfRow(name))
    .map(({ name, value }) => `${name}=${value}\n`)
    .join('');

/** In which somebody typed while the page was still arriving: nothing on it has heard of that. */
export function typedBefore(form: HTMLFormElement, before: Before): Field[] {
  return fieldsOf(form).filter((field) => valueOf(field) !== (before.held.get(nameOf(field)) ?? ''));
}

/** Whether somebody changed what the server wrote. */
export function isTouched(form: HTMLFormElement, except?: string): boolean {
  const before = came.get(form);
  return (
    (before !== undefined && rowsOf(form) !== before.rows) ||
    fieldsOf(form).some(
      (field) => field.name !== except && valueOf(field) !== (before?.held.get(nameOf(field)) ?? beforeOf(field)),
    )
  );
}

export function keep(key: string, form: HTMLFormElement, before: Before): void {
  const sameRows = rowsOf(form).startsWith(before.rows);
  const fields = fieldsOf(form).flatMap((field) => {
    const name = nameOf(field);
    const was = before.held.get(name) ?? '';
    return valueOf(field) === was || (isOfRow(name) && !sameRows) ? [] : [[name, [valueOf(field), was]] as const];
  });
  if (fields.length === 0) return forget(key);
  write(key, { at: Date.now(), fields: Object.fromEntries(fields) as Kept['fields'] });
}

/** What is kept for this form, where nobody wrote anything else into it meanwhile. Rows that are not on the page come too. */
export function recall(key: string, before: Before): Map<string, string> {
  const kept = read(key);
  const known = Object.entries(kept?.fields ?? {}).filter(([name, [, was]]) => (before.held.get(name) ?? '') === was);
  return new Map(known.map(([name, [typed]]) => [name, typed]));
}

/** Writes it back. True when the form is another one now. */
export function giveBack(
  form: HTMLFormElement,
  typed: Map<string, string>,
  before: Before,
  write: (field: Field, value: string) => void,
) {
  let changed = false;
  for (const field of fieldsOf(form)) {
    const value = typed.get(nameOf(field));
    // What was typed while the page was still arriving is newer.
    const isUntouched = valueOf(field) === (before.held.get(nameOf(field)) ?? '');
    if (value === undefined || value === valueOf(field) || !isUntouched) continue;
    write(field, value);
    changed = true;
  }
  return changed;
}

export function forget(key: string): void {
  attempt((store) => store.removeItem(PREFIX + key));
}

/** When somebody leaves, or somebody else comes. */
export function forgetAll(): void {
  attempt((store) => {
    for (const key of Object.keys(store)) if (key.startsWith(PREFIX)) store.removeItem(key);
  });
}

/** Who signs in after an end of session is given back what they typed; somebody else is not. */
export function forgetOthers(usuario: string): void {
  attempt((store) => {
    const last = store.getItem(WHOSE);
    if (last !== null && last !== usuario) forgetAll();
    store.setItem(WHOSE, usuario);
  });
}

function read(key: string): Kept | undefined {
  const text = attempt((store) => store.getItem(PREFIX + key));
  if (!text) return undefined;
  const kept = JSON.parse(text) as Kept;
  if (Date.now() - kept.at < MAX_AGE_MS) return kept;
  forget(key);
  return undefined;
}

const write = (key: string, kept: Kept) => attempt((store) => store.setItem(PREFIX + key, JSON.stringify(kept)));

/** A browser may have no store, or a full one: then nothing is kept, and everything else goes on. */
function attempt<T>(work: (store: Storage) => T): T | undefined {
  try {
    return work(window.sessionStorage);
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
