import { focusOn, headingIn } from '../foco';
import { IN_FLIGHT_MS, isInFlight } from '../keys';

/** When each dialog was shown, on the clock of events. */
const shown = new WeakMap<HTMLDialogElement, number>();

function show(dialog: HTMLDialogElement, begin: HTMLElement | null | undefined): void {
  dialog.removeAttribute('open');
  dialog.showModal();
  shown.set(dialog, performance.now());
  focusOn(begin);
}

/** Opens the dialogs that the server wrote as modal ones, read from their title. `onGone` is called when one was closed. */
export function openWritten(place: ParentNode, onGone: () => void): void {
  for (const dialog of place.querySelectorAll<HTMLDialogElement>('dialog[open]')) {
    if (dialog.matches(':modal')) continue;
    dialog.addEventListener('close', onGone);
    dialog.addEventListener('cancel', (event) => {
      const way = dialog.querySelector<HTMLAnchorElement>('header a[href]');
      if (!way || event.target !== dialog) return;
      event.preventDefault();
      location.assign(way.href);
    });
    dialog.addEventListener('keydown', (event) => {
      if (dialog.getAttribute('role') !== 'alertdialog') return;
      if (event.repeat || isInFlight(event, shown.get(dialog)!)) event.preventDefault();
      else if (event.key === 'Enter' && event.target instanceof HTMLHeadingElement) dialog.close();
    });
    show(dialog, headingIn(dialog));
  }
}

/**
 * Shows the question of the server's answer over the page. The dialog opens on 'No', ignores keys in its first moments, and takes Ctrl+Enter for 'Si'
 * (docs/decisions/manos.md). `onYes` gets the dialog's form, with everything that was sent and a yes.
 */
export function askQuestion(written: Element, onYes: (form: HTMLFormElement, yes: HTMLButtonElement) => void): void {
  const dialog = document.createElement('dialog');
  dialog.className = 'dialogo';
  dialog.setAttribute('role', 'alertdialog');
  dialog.setAttribute('aria-label', written.getAttribute('aria-label') ?? '');
  const header = document.createElement('header');
  const body = document.createElement('div');
  body.className = 'cuerpo';
  body.append(...[...written.childNodes].map((node) => document.adoptNode(node)));
  header.append(body.querySelector('h2') ?? '');
  dialog.append(header, body);
  const form = body.querySelector('form')!;
  const no = body.querySelector<HTMLElement>('[data-no]')!;
  const yes = body.querySelector<HTMLButtonElement>('button[type="submit"]:not([data-no])')!;
  yes.title = 'Ctrl + Enter';
  yes.disabled = true;
  // The same clock enables 'Si' and judges its press: showing a dialog takes a slow phone longer than a timer started before it.
  const enable = () => {
    const left = shown.get(dialog)! + IN_FLIGHT_MS - performance.now();
    if (left > 0) setTimeout(enable, left);
    else yes.disabled = false;
  };

  let answered = false;
  const answer = (event: Event, isYes: boolean) => {
    event.preventDefault();
    if (answered || isInFlight(event, shown.get(dialog)!)) return;
    answered = true;
    dialog.close();
    if (isYes) onYes(form, yes);
  };
  no.addEventListener('click', (event) => answer(event, false));
  // The dialog's form is handled here and not by the page's listener.
  form.addEventListener('submit', (event) => {
    event.stopPropagation();
    answer(event, true);
  });
  dialog.addEventListener('cancel', (event) => answer(event, false));
  dialog.addEventListener('keydown', (event) => {
    if (event.repeat || isInFlight(event, shown.get(dialog)!)) event.preventDefault();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) answer(event, true);
  });
  dialog.addEventListener('close', () => dialog.remove());
  document.querySelector('main')!.append(dialog);
  show(dialog, no);
  enable();
}
