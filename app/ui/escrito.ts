import { writtenIn } from './fillIn';

/**
 * Keeps typed text that the server has not taken yet, for the tab it was typed in: a lost network, a reload or a step back loses nothing. Secrets and files are
 * never kept.
 */
const PREFIX = 'escrito:';
const WHOSE = 'escrito-de';
/** Text older than this is dropped. */
const MAX_AGE_MS = 4 * 3_600_000;
const SECRET = /password|contrase|confirmar|secret|llave|token|codigo2fa|totp/i;

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
/** By name of the field: the typed value, and the value before it. */
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
      // A password with its eye open is a text field and is excluded all the same.
      !field.closest('.mantine-PasswordInput-root')
    );
  return (field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement) && field.name !== '';
}

/** The name of a field; radios share a name, so each adds its value. */
const nameOf = (field: Field) => (isBox(field) ? `${field.name}=${field.value}` : field.name);
const valueOf = (field: Field) => (isBox(field) ? String(field.checked) : field.value);
/** Returns the value that the server wrote. */
const beforeOf = (field: Field) => (isBox(field) ? String(field.defaultChecked) : writtenIn(field));

export const fieldsOf = (form: HTMLFormElement): Field[] => [...form.elements].filter(isKept);

/** The values of the fields when the form came, and the identities of the rows of its lists. */
export type Before = { held: ReadonlyMap<string, string>; rows: string };
export function readBefore(form: HTMLFormElement): Before {
  const before = { held: new Map(fieldsOf(form).map((field) => [nameOf(field), beforeOf(field)])), rows: rowsOf(form) };
  came.set(form, before);
  return before;
}
/** React overwrites the initial value of a field it controls, so the values are noted when the form comes. */
const came = new WeakMap<HTMLFormElement, Before>();

const isOfRow = (name: string) => name.includes('[');
/** Returns the hidden fields of a form's rows. Rows may be added at the end; any other difference means other rows. */
const rowsOf = (form: HTMLFormElement): string =>
  [...form.querySelectorAll<HTMLInputElement>('input[type="hidden"]')]
    .filter(({ name }) => isOfRow(name))
    .map(({ name, value }) => `${name}=${value}\n`)
    .join('');

/** Returns the values typed while the page was still loading, before any script listened. */
export function typedBefore(form: HTMLFormElement, before: Before): Field[] {
  return fieldsOf(form).filter((field) => valueOf(field) !== (before.held.get(nameOf(field)) ?? ''));
}

/** True where a person changed the value that the server wrote. */
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

/** Returns the kept text of a form, unless somebody wrote something else into it meanwhile. Rows missing on the page are included. */
export function recall(key: string, before: Before): Map<string, string> {
  const kept = read(key);
  const known = Object.entries(kept?.fields ?? {}).filter(([name, [, was]]) => (before.held.get(name) ?? '') === was);
  return new Map(known.map(([name, [typed]]) => [name, typed]));
}

/** Writes the kept text back. True when the form changed by it. */
export function giveBack(
  form: HTMLFormElement,
  typed: Map<string, string>,
  before: Before,
  write: (field: Field, value: string) => void,
) {
  let changed = false;
  for (const field of fieldsOf(form)) {
    const value = typed.get(nameOf(field));
    // Text typed while the page was loading is newer and wins.
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

/** Forgets all that this tab keeps, when a person leaves or another one signs in. */
export function forgetAll(): void {
  attempt((store) => store.clear());
}

/** Forgets where the pages of the staff were scrolled to. Remix writes it once more when a page of theirs is left. */
export function forgetPlaces(): void {
  attempt((store) => store.removeItem('positions'));
}

/** Forgets the text of other people: only the person whose session ended gets their text back. */
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

/** A browser may have no storage, or a full one: then nothing is kept, and everything else works. */
function attempt<T>(work: (store: Storage) => T): T | undefined {
  try {
    return work(window.sessionStorage);
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
