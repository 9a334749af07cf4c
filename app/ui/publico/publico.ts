/**
 * All the script of a public page. React wrote the page on the server and is not sent: what is here makes the page that works without JavaScript
 * quicker and safer. It holds to docs/decisions/manos.md as the staff's pages do, with the same rules where they are plain scripts.
 */
import { FALLO } from '~/core/errors';
import {
  forget,
  forgetAll,
  forgetOthers,
  forgetPlaces,
  giveBack,
  keep,
  readBefore,
  recall,
  type Before,
} from '../escrito';
import { listenToWriting } from '../typing';
import { listenToRefusals } from '../validity';
import { fillIn, tick } from '../fillIn';
import { beginAt, focusOn, headingIn } from '../foco';
import { holdEnter, pressPrimary } from '../keys';
import { forgetPieces, tookLeave } from '../salida';
import { buttonFor, lookUp } from './buscar';
import { ask, bodyOf } from './enviar';
import { askQuestion, openWritten } from './preguntar';

const root = document.documentElement;
const main = () => document.querySelector('main')!;
const postForms = () => [...document.querySelectorAll<HTMLFormElement>('main form[method="post"]')];

/* ---- the page, whenever it is another one ---- */

const address = () => location.pathname + location.search;
let here = address();

function begin(): void {
  for (const form of postForms()) {
    // The server tells errors in our words.
    form.noValidate = true;
    giveTyped(form);
    lookFilled(form);
  }
  if (location.pathname === '/login') forgetPlaces();
  if (tookLeave()) {
    here = address();
    forgetAll();
    forgetPieces();
  }
  openWritten(main(), () => beginAt(main()));
  main().querySelectorAll<HTMLElement>('[data-noticia]').forEach(settle);
  wait();
}

/** A notice stays over the page for a while, and as long as a person is at it; then the notice takes its place in the page. */
function settle(notice: HTMLElement): void {
  const again = () => (notice.matches(':hover') ? settle(notice) : delete notice.dataset.noticia);
  setTimeout(again, Number(notice.dataset.noticia));
}

/** Replaces everything but the page's frame by the answer, and puts the focus where the person works. */
function swap(page: Document, url: string = location.href): void {
  const fresh = page.querySelector('main');
  if (!fresh || page.documentElement.dataset.estatica === undefined) return location.assign(url);
  if (url !== location.href) history.pushState(null, '', url);
  here = address();
  document.title = page.title;
  main().replaceWith(document.adoptNode(fresh));
  begin();
  if (document.querySelector('dialog:modal')) return;
  const wrong = main().querySelector<HTMLElement>('[aria-invalid="true"]');
  if (wrong) wrong.scrollIntoView({ block: 'center' });
  else scrollTo(0, 0);
  focusOn(wrong ?? main().querySelector<HTMLElement>('[data-titular]') ?? headingIn(main()));
}

/* ---- sending: once, and never into a page of the browser that says there is no network ---- */

let sending = false;

async function send(form: HTMLFormElement, pressed: HTMLButtonElement | null, shownOn = pressed): Promise<void> {
  if (sending) return;
  sending = true;
  if (shownOn) shownOn.dataset.ocupado = '';
  root.dataset.ocupado = '';
  const who = form.dataset.quien && new FormData(form).get(form.dataset.quien);
  if (typeof who === 'string') forgetOthers(who);
  // A look-up may be writing the marks of this form.
  await looking;
  const answer = await ask(pressed?.getAttribute('formaction') ?? form.action, bodyOf(form, pressed));
  const done = () => {
    sending = false;
    delete root.dataset.ocupado;
    if (shownOn) delete shownOn.dataset.ocupado;
  };
  if (!answer || (!answer.page && !answer.ir)) {
    done();
    return tellLost(placeOf(form));
  }
  if (answer.ir) {
    forget(keyOf(form));
    await go(answer.ir);
    return done();
  }
  done();
  const page = answer.page!;
  const question = page.querySelector('[data-pregunta]');
  if (question) return askQuestion(question, (asked, yes) => void send(asked, yes, shownOn));
  swap(page);
}

/** Opens an address. The next step of the same page is put in place; the browser opens any other page, and the pressed button stays busy until then. */
async function go(url: string): Promise<void> {
  if (new URL(url).pathname !== location.pathname) {
    location.assign(url);
    return new Promise(() => {});
  }
  const answer = await ask(url);
  // The act is done. Without network the browser says so, and coming back shows the result.
  if (answer?.page) {
    first.clear();
    swap(answer.page, url);
  } else location.assign(answer?.ir ?? url);
}

/** The form of a question is gone by then. */
const placeOf = (form: HTMLFormElement) => (form.isConnected && main().contains(form) ? form : main());

/** Tells in the form that the network is lost. Everything typed stays, and the same press may be made again. */
function tellLost(place: HTMLElement): void {
  document.querySelector('[data-fallo]')?.remove();
  const panel = document.createElement('div');
  panel.className = 'panel';
  panel.dataset.tono = 'mal';
  panel.dataset.fallo = '';
  panel.setAttribute('role', 'alert');
  const title = document.createElement('strong');
  title.textContent = FALLO.titulo;
  panel.append(title, FALLO.texto);
  place.prepend(panel);
  panel.scrollIntoView({ block: 'nearest' });
}

document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  if (form.method !== 'post' || event.defaultPrevented) return;
  event.preventDefault();
  const pressed = event.submitter as HTMLButtonElement | null;
  document.querySelector('[data-fallo]')?.remove();
  if (pressed?.name === 'intent' && pressed.value.startsWith('buscar')) void find(form, pressed, true);
  else void send(form, pressed);
});

let looking: Promise<void> | undefined;

async function find(form: HTMLFormElement, button: HTMLButtonElement, byHand: boolean): Promise<void> {
  if (sending || button.dataset.ocupado !== undefined) return;
  button.dataset.ocupado = '';
  looking = lookUp(form, button, { byHand, isSent: () => sending, swap });
  await looking;
  delete button.dataset.ocupado;
}

/* ---- what was typed, for as long as its tab lives ---- */

const keyOf = (form: HTMLFormElement) => `${address()}#${form.id}`;
/** By form: the values that the server wrote when the page came. A refusal writes typed values. */
const first = new Map<string, Before>();

function giveTyped(form: HTMLFormElement): void {
  if (form.id === '') return;
  const before = readBefore(form);
  const key = keyOf(form);
  const known = first.get(key);
  // The same form with typed or found values, which nobody saved yet.
  if (known) return keep(key, form, known);
  first.set(key, before);
  const given = giveBack(form, recall(key, before), before, (field, value) => {
    if (field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type)) tick(field, value === 'true');
    else fillIn(field, value);
  });
  if (!given) return;
  const told = document.createElement('p');
  told.className = 'nota';
  told.setAttribute('role', 'status');
  told.textContent = 'Se recuperó lo que habías escrito y no se había guardado.';
  form.prepend(told);
}

function typed({ target }: Event): void {
  const form = (target as HTMLInputElement).form;
  if (!form || form.method !== 'post' || form.id === '') return;
  const before = first.get(keyOf(form));
  if (before) keep(keyOf(form), form, before);
  lookFilled(form);
  prefetchStaff();
}
document.addEventListener('input', typed);
document.addEventListener('change', typed);

/* ---- fields ---- */

listenToWriting();
listenToRefusals();

document.addEventListener('focusout', ({ target }) => {
  const button = target instanceof HTMLInputElement ? buttonFor(target) : undefined;
  if (button) void find(button.form!, button, false);
});

/** Enables a button once its fields are filled, and a field once the field before it is. A browser hides remembered values from scripts until somebody touches the page. */
function lookFilled(form: HTMLFormElement): void {
  for (const field of form.querySelectorAll<HTMLInputElement>('[data-tras]'))
    field.disabled =
      field.value === '' && (form.elements.namedItem(field.dataset.tras!) as HTMLInputElement).value === '';
  const names = form.dataset.llenos?.split(' ');
  const button = names && form.querySelector<HTMLButtonElement>('button[type="submit"]:not([hidden])');
  if (!button) return;
  button.disabled = !names.every((name) => {
    const field = form.elements.namedItem(name) as HTMLInputElement;
    return field.value.trim() !== '' || field.matches(':autofill');
  });
}
document.addEventListener('focusin', ({ target }) => {
  const form = (target as Partial<HTMLInputElement>).form;
  if (form) lookFilled(form);
});

/* ---- presses ---- */

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button') : null;
  if (!button) return;
  if (button.matches('.mantine-PasswordInput-visibilityToggle')) {
    const field = button.closest('.mantine-PasswordInput-root')!.querySelector('input')!;
    field.type = field.type === 'password' ? 'text' : 'password';
    button.setAttribute('aria-pressed', String(field.type === 'text'));
  } else if (button.dataset.copiar !== undefined) void copy(button);
  // A button that only closes a message does not send the form around the message.
  else if (button.type === 'button' && button.closest('[role="alertdialog"]')) button.closest('dialog')!.close();
});

async function copy(button: HTMLButtonElement): Promise<void> {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(button.dataset.copiar!);
    button.textContent = 'Copiado';
    setTimeout(() => (button.textContent = label), 2_000);
  } catch {
    getSelection()?.selectAllChildren(document.getElementById(button.dataset.de ?? '') ?? button);
  }
}

/** Leaving a field may move the page under a button that is being pressed. */
document.addEventListener('mousedown', (event) => {
  if (event.target instanceof Element && event.target.closest('button')) event.preventDefault();
});
document.addEventListener('keydown', holdEnter);
document.addEventListener('keydown', pressPrimary);
/** A chosen file is read at once, where a button for that exists. */
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.type !== 'file' || !target.files?.length) return;
  const button = target.form?.querySelector<HTMLButtonElement>(`button[value="${target.dataset.lee}"]`);
  if (button) target.form!.requestSubmit(button);
});

/* ---- asking again while something outside has not answered ---- */

const AGAIN_MS = 2_000;
/** A phone that changes networks leaves a request without an answer; the page then asks again. */
const AGAIN_PATIENCE_MS = 15_000;
let waiting: ReturnType<typeof setTimeout> | undefined;

function wait(): void {
  clearTimeout(waiting);
  if (!document.querySelector('[data-espera]')) return;
  waiting = setTimeout(() => void lookAgain(), AGAIN_MS);
}

async function lookAgain(): Promise<void> {
  const answer =
    document.visibilityState === 'visible'
      ? await ask(location.href, undefined, { patienceMs: AGAIN_PATIENCE_MS })
      : undefined;
  if (answer?.ir) return location.assign(answer.ir);
  const said = (place: Document) => place.querySelector('main')?.textContent;
  if (answer?.page && said(answer.page) !== said(document)) swap(answer.page);
  else wait();
}

/* ---- who signs in is about to need the staff's scripts ---- */

function prefetchStaff(): void {
  const template = document.querySelector<HTMLTemplateElement>('template[data-al-escribir]');
  if (!template || (navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return;
  for (const { href } of template.content.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]')) {
    const link = document.createElement('link');
    link.rel = 'prefetch';
    link.href = href;
    document.head.append(link);
  }
  template.remove();
}

// A step once taken is on the server, so back and forward show the current state.
addEventListener('popstate', () => address() !== here && location.reload());
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());

root.dataset.guion = '';
begin();
