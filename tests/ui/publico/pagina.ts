import { Window } from 'happy-dom';
import { onTestFinished, vi } from 'vitest';

const ORIGEN = 'http://trastienda.test';

/** Names that the script of a page finds in its browser. */
const GLOBALES = [
  ...['window', 'document', 'location', 'history', 'navigator', 'FormData', 'DOMParser', 'DOMException'],
  ...['addEventListener', 'scrollTo', 'getSelection', 'Event', 'Element', 'HTMLElement', 'HTMLInputElement'],
  ...['HTMLSelectElement', 'HTMLTextAreaElement', 'HTMLHeadingElement', 'HTMLFormElement', 'HTMLButtonElement'],
] as const;

export type Pedido = {
  url: string;
  method: string;
  headers: Headers;
  campos: [string, string][];
  signal?: AbortSignal;
};
export type Red = (pedido: Pedido) => Response | Promise<Response>;

/** A page of ours as the server writes it for people without React. */
export const html = (main: string, { titulo = 'Factura tu compra' } = {}) =>
  `<!doctype html><html data-estatica="true"><head><title>${titulo}</title></head><body><main>${main}</main></body></html>`;
export const page = (main: string, { status = 200, titulo = 'Factura tu compra' } = {}) =>
  new Response(html(main, { titulo }), { status, headers: { 'Content-Type': 'text/html; charset=utf-8' } });
/** An answer that leads elsewhere, as `http/lead.server.ts` tells it. */
export const leads = (to: string) => new Response(null, { status: 204, headers: { 'X-Ir': to } });
export const sinRed: Red = () => Promise.reject(new TypeError('Failed to fetch'));

/** Resolves once it holds; a busy machine has time for it. */
export const until = (holds: () => void) => vi.waitFor(holds, { timeout: 15_000, interval: 10 });

let opened = 0;
let open: Pagina | undefined;

/** One tab with one public page, and the script of public pages at work in it. */
export class Pagina {
  readonly pedidos: Pedido[] = [];
  /** Addresses that the browser itself was told to open. */
  readonly fueA: string[] = [];
  recargas = 0;
  red: Red = sinRed;
  private readonly window: Window;

  private readonly fetch: { mockRestore(): void };

  private constructor(path: string, main: string, tab: Record<string, string>) {
    this.window = new Window({ url: ORIGEN + path });
    const { window } = this;
    teach(window);
    window.document.write(html(main));
    for (const [key, value] of Object.entries(tab)) window.sessionStorage.setItem(key, value);
    vi.spyOn(window.location, 'assign').mockImplementation((url) => void this.fueA.push(String(url)));
    vi.spyOn(window.location, 'reload').mockImplementation(() => void this.recargas++);
    for (const name of GLOBALES) {
      const value: unknown = name === 'window' ? window : window[name as keyof Window];
      const bound = /^[a-z]/.test(name) && typeof value === 'function' ? (value.bind(window) as unknown) : value;
      // `fresh.ts` gives the globals back before the next file.
      vi.stubGlobal(name, bound);
    }
    this.fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init = {}) => {
      const pedido = {
        url: String(url).replace(ORIGEN, ''),
        method: init.method ?? 'GET',
        headers: new Headers(init.headers),
        campos: init.body
          ? [...(init.body as URLSearchParams)].map(([name, value]): [string, string] => [name, String(value)])
          : [],
        ...(init.signal && { signal: init.signal }),
      };
      this.pedidos.push(pedido);
      return this.red(pedido);
    });
  }

  /** Opens a page; `tab` is what its tab kept of an earlier one. */
  static async open(path: string, main: string, tab: Record<string, string> = {}): Promise<Pagina> {
    await open?.close();
    const pagina = (open = new Pagina(path, main, tab));
    onTestFinished(() => pagina.close());
    // Each page runs the script anew. Its query is only a name for the run.
    const script = `../../../app/ui/publico/publico.ts?pagina=${opened++}`;
    await import(/* @vite-ignore */ script);
    return pagina;
  }

  async close(): Promise<void> {
    if (open !== this) return;
    for (const waiting of document.querySelectorAll('[data-espera]')) waiting.remove();
    this.fetch.mockRestore();
    await this.window.happyDOM.close();
    open = undefined;
  }

  one<T extends HTMLElement = HTMLElement>(selector: string): T {
    const found = document.querySelector<T>(selector);
    if (!found) throw new Error(`${selector} is not on the page: ${document.body.innerHTML}`);
    return found;
  }
  has = (selector: string) => document.querySelector(selector) !== null;
  text = () => document.querySelector('main')!.textContent;
  address = () => location.pathname + location.search;
  /** What a reload of this tab finds. */
  tab = () => Object.fromEntries(Object.entries({ ...this.window.sessionStorage })) as Record<string, string>;

  press(selector: string): void {
    this.one(selector).click();
  }
  writes(name: string, value: string): void {
    const field = this.one<HTMLInputElement>(`[name="${name}"]`);
    field.value = value;
    field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }));
  }
  leaves(name: string): void {
    this.one(`[name="${name}"]`).dispatchEvent(new Event('focusout', { bubbles: true }));
  }
  /** A key of this page's browser, pressed now. */
  keyboard = (init: ConstructorParameters<Window['KeyboardEvent']>[1]) =>
    new this.window.KeyboardEvent('keydown', init) as unknown as KeyboardEvent;
  value = (name: string) => this.one<HTMLInputElement>(`[name="${name}"]`).value;
}

/** What happy-dom does not know of browsers: modal dialogs as a selector, and the option that the page came with. */
function teach(window: Window): void {
  const modal = new WeakSet<object>();
  const dialogs = window.HTMLDialogElement.prototype;
  const { showModal, matches } = dialogs;
  dialogs.showModal = function () {
    modal.add(this);
    showModal.call(this);
  };
  dialogs.matches = function (selector: string) {
    return selector === ':modal' ? this.open && modal.has(this) : matches.call(this, selector);
  };
  const { document } = window;
  const find = document.querySelector.bind(document) as (selector: string) => unknown;
  document.querySelector = ((selector: string) =>
    selector === 'dialog:modal'
      ? ([...document.querySelectorAll('dialog')].find((one) => one.matches(':modal')) ?? null)
      : find(selector)) as typeof document.querySelector;
  Object.defineProperty(window.HTMLOptionElement.prototype, 'defaultSelected', {
    configurable: true,
    get(this: Element) {
      return this.hasAttribute('selected');
    },
    set(this: Element, is: boolean) {
      this.toggleAttribute('selected', is);
    },
  });
}
