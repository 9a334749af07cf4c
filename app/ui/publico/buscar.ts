import { isCp } from '~/core/codigoPostal';
import { isRfc, normalizeRfc } from '~/core/rfc';
import { isTouched, readBefore } from '../escrito';
import { fillUntouched, writtenIn } from '../fillIn';
import { focusOn } from '../foco';
import { ask, bodyOf } from './enviar';

type Named = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The subject of each look-up, and the condition under which the look-up asks by itself: nobody typed yet what it would find. */
const ABOUT: Record<
  string,
  { field: string; of(text: string): string; asks(about: string, form: HTMLFormElement): boolean }
> = {
  buscarRfc: {
    field: 'rfc',
    of: normalizeRfc,
    asks: (rfc, form) => isRfc(rfc) && fieldOf(form, 'razonSocial')?.value === '',
  },
  buscarCp: { field: 'cp', of: (text) => text.trim(), asks: isCp },
};

const fieldOf = (form: HTMLFormElement, name: string): Named | null => form.elements.namedItem(name) as Named | null;

/** A result later than this comes too late, since a person has typed the fields by then. */
const PATIENCE_MS = 8_000;

/** The value asked last, or the value the page came with. */
const asked = new WeakMap<HTMLFormElement, string>();

/** Returns the button of a look-up whose field was left, where there is something new to ask. */
export function buttonFor(field: Element): HTMLButtonElement | undefined {
  const form = (field as Named).form;
  const button = form?.querySelector<HTMLButtonElement>('button[name="intent"][value^="buscar"]');
  const about = button && ABOUT[button.value];
  if (!form || !about || (field as Named).name !== about.field) return undefined;
  const text = about.of((field as Named).value);
  const known = asked.get(form) ?? about.of((field as HTMLInputElement).defaultValue);
  return text !== known && about.asks(text, form) ? button : undefined;
}

/**
 * Asks beside the form, which stays usable. Found values go into the fields that nobody typed in, and an answer about an earlier value is dropped. Only a form
 * in which nothing else was typed is replaced (`swap`). A form that was sent meanwhile (`isSent`) only learns its new marks: it goes as it was pressed.
 */
export async function lookUp(
  form: HTMLFormElement,
  button: HTMLButtonElement,
  { byHand, isSent, swap }: { byHand: boolean; isSent(): boolean; swap(page: Document): void },
): Promise<void> {
  const { field, of } = ABOUT[button.value]!;
  const now = () => of(fieldOf(form, field)?.value ?? '');
  const about = now();
  asked.set(form, about);
  let answer = await ask(form.action, bodyOf(form, button), { patienceMs: PATIENCE_MS });
  if (answer?.ir) answer = await ask(answer.ir);
  if (!form.isConnected) return;
  if (!answer?.page || !answer.ok) {
    asked.delete(form);
    if (isSent()) return;
    if (answer?.page && byHand) return swap(answer.page);
    const told = form.querySelector<HTMLElement>('[data-sin-respuesta]');
    if (told) told.textContent = told.dataset.sinRespuesta!;
    return;
  }
  const { page } = answer;
  const same = page.getElementById(form.id);
  const next = same ?? page.querySelector('main form[data-hallado]');
  if (!isSent() && (!next || (!same && !isTouched(form, field)))) return swap(page);
  if (!next) return;
  takeMarks(form, next);
  if (isSent() || now() !== about) return;
  takeRegions(form, next);
  fill(form, next);
  readBefore(form);
}

/** Takes over the marks of the server's answer. */
function takeMarks(form: HTMLFormElement, next: Element): void {
  for (const mark of form.querySelectorAll<HTMLInputElement>('input[type="hidden"]')) {
    const now = next.querySelector<HTMLInputElement>(`input[type="hidden"][name="${mark.name}"]`);
    if (now && mark.name !== 'intent' && mark.name !== 'formulario') mark.value = now.value;
  }
}

/** Writes the parts of a form that an answer may write anew: messages and choices. A part that somebody typed in stays. */
function takeRegions(form: HTMLFormElement, next: Element): void {
  for (const old of form.querySelectorAll<HTMLElement>('[data-vivo]')) {
    const fresh = next.querySelector(`[data-vivo="${old.dataset.vivo}"]`);
    const fields = [...old.querySelectorAll<Named>('input, select, textarea')];
    if (!fresh || fields.some(isTyped)) continue;
    const stood = fields.find((one) => one === document.activeElement)?.name;
    const now = document.adoptNode(fresh);
    old.replaceWith(now);
    if (stood) focusOn(now.querySelector<HTMLElement>(`[name="${stood}"]`));
  }
}

const isTyped = (field: Named) => field.value !== writtenIn(field);

/** Fills the fields that nobody typed in; a look-up that finds nobody empties them. */
function fill(form: HTMLFormElement, next: Element): void {
  const found = JSON.parse((next as HTMLElement).dataset.hallado ?? '{}') as Record<string, string>;
  for (const [name, value] of Object.entries(found)) {
    const field = fieldOf(form, name);
    if (!field || isTyped(field)) continue;
    fillUntouched(field, value, new Map());
    if (field instanceof HTMLSelectElement)
      for (const option of field.options) option.defaultSelected = option.value === value;
    else field.defaultValue = value;
  }
}
