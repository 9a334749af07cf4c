import { Window } from 'happy-dom';
import { Component, Suspense, useState, type ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const ADDRESS = '/sa/ordenes?ver=1';
const GLOBALES = [
  ...[
    'document',
    'navigator',
    'location',
    'sessionStorage',
    'Node',
    'Event',
    'DOMException',
    'MutationObserver',
    'FormData',
  ],
  ...['Element', 'HTMLElement', 'HTMLFormElement', 'HTMLIFrameElement', 'HTMLButtonElement'],
  ...['HTMLInputElement', 'HTMLTextAreaElement', 'HTMLSelectElement'],
] as const;

/** The tab, which outlives the pages that it opens. */
let tab: Window;
/** Addresses that the browser was told to open. */
let opened: string[];
let leave: () => void = () => {};

beforeEach(() => {
  tab = new Window({ url: `http://trastienda.test${ADDRESS}` });
  opened = [];
  vi.spyOn(tab.location, 'assign').mockImplementation((url) => void opened.push(String(url)));
  vi.stubGlobal('window', tab);
  for (const name of GLOBALES) vi.stubGlobal(name, tab[name as keyof Window]);
});
afterEach(async () => {
  leave();
  leave = () => {};
  await tab.happyDOM.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

class Frontera extends Component<{ children: ReactNode }> {
  override state = { dicho: '' };
  static getDerivedStateFromError = (error: Error) => ({ dicho: error.message });
  override render = () => this.state.dicho || this.props.children;
}

/** True where the browser asks before the page is left. */
function asks() {
  const event = new Event('beforeunload', { cancelable: true });
  tab.dispatchEvent(event as never);
  return event.defaultPrevented;
}

/** Opens the page in the tab, with modules of its own as after each load: a form, and a part whose file the server no longer has. */
async function openPage() {
  leave();
  vi.resetModules();
  const { lazyPart } = await import('~/ui/lazyPart');
  const { useEscrito } = await import('~/ui/useEscrito');
  const { createRoot } = await import('react-dom/client');
  const Parte = lazyPart<object>('parte-ida', () => Promise.reject(new Error('404')));
  function Pagina() {
    const [abierta, abre] = useState(false);
    const given = useEscrito('datos', undefined, undefined);
    return (
      <>
        <form id="datos">
          <input name="nombre" defaultValue="" />
          {given && <p>Recuperado</p>}
        </form>
        <button onClick={() => abre(true)} />
        <Suspense>{abierta && <Parte.Part />}</Suspense>
      </>
    );
  }
  const routes = [
    {
      path: '*',
      element: (
        <Frontera>
          <Pagina />
        </Frontera>
      ),
    },
  ];
  tab.document.body.innerHTML = '<main></main>';
  const root = createRoot(document.querySelector('main')!, { onCaughtError: () => {} } as object);
  root.render(
    <RouterProvider
      future={{ v7_startTransition: true }}
      router={createMemoryRouter(routes, { initialEntries: [ADDRESS] })}
    />,
  );
  leave = () => root.unmount();
  await vi.waitFor(() => expect(document.querySelector('form')).not.toBeNull());
  const nombre = () => document.querySelector<HTMLInputElement>('[name=nombre]')!;
  return {
    nombre,
    type(text: string) {
      nombre().value = text;
      nombre().dispatchEvent(new Event('input', { bubbles: true }));
    },
    openPart: () => document.querySelector('button')!.click(),
    said: () => document.querySelector('main')!.textContent,
  };
}

test('a part whose file is gone loads the page again, once, and asks nothing: what was typed stands in it', async () => {
  const before = await openPage();
  before.type('Escrito antes de subir');
  await vi.waitFor(() => expect(asks()).toBe(true));
  before.openPart();
  await vi.waitFor(() => expect(opened).toEqual([ADDRESS]));
  expect(asks()).toBe(false);

  const after = await openPage();
  await vi.waitFor(() => expect(after.said()).toBe('Recuperado'));
  expect(after.nombre().value).toBe('Escrito antes de subir');
  vi.spyOn(console, 'error').mockImplementation(() => {});
  after.openPart();
  // Loading it anew did not help, so it is said, and the page does not go round and round.
  await vi.waitFor(() => expect(after.said()).toBe('404'));
  expect(opened).toEqual([ADDRESS]);
});

test('the next deploy may load the page again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  for (const times of [1, 2]) {
    const page = await openPage();
    page.openPart();
    await vi.waitFor(() => expect(opened).toHaveLength(times));
    vi.setSystemTime(Date.now() + 61_000);
  }
});

test('a form of before that is refused keeps its text, and the page loads itself when the refusal was read', async () => {
  leave();
  vi.resetModules();
  const { useActionForm, ActionForm } = await import('~/ui/useActionForm');
  const { createRoot } = await import('react-dom/client');
  const sent: [string, unknown][][] = [];
  function Pagina() {
    const form = useActionForm<{ nombre: string }>('guardar');
    return (
      <ActionForm of={form}>
        <input name="nombre" />
        <button type="submit" />
      </ActionForm>
    );
  }
  const guardar = { fields: { nombre: {} }, forma: 'abc123' };
  const routes = [
    {
      path: '/sa/ordenes',
      element: <Pagina />,
      loader: () => ({ formularios: { guardar } }),
      action: async ({ request }: { request: Request }) => {
        sent.push([...(await request.formData())]);
        const answer = {
          ...{ status: 'error', error: { '': ['Otra forma.'] }, state: { validated: { nombre: true } } },
          ...{ id: '1', formId: 'guardar', otraForma: true },
        };
        return Response.json(answer, { status: 409 });
      },
    },
  ];
  tab.document.body.innerHTML = '<main></main>';
  const root = createRoot(document.querySelector('main')!);
  const router = createMemoryRouter(routes, { initialEntries: [ADDRESS] });
  root.render(<RouterProvider future={{ v7_startTransition: true }} router={router} />);
  leave = () => root.unmount();
  const one = <E extends Element>(what: string) => document.querySelector<E>(what)!;
  await vi.waitFor(() => expect(one('form')).not.toBeNull());
  const nombre = one<HTMLInputElement>('[name=nombre]');
  nombre.value = 'Escrito antes de subir';
  nombre.dispatchEvent(new Event('input', { bubbles: true }));
  await vi.waitFor(() => expect(asks()).toBe(true));
  one<HTMLButtonElement>('[type=submit]').click();
  await vi.waitFor(() => expect(document.body.textContent).toContain('Otra forma.'));
  expect(Object.fromEntries(sent[0]!)).toEqual({
    intent: 'guardar',
    forma: 'abc123',
    nombre: 'Escrito antes de subir',
  });
  expect(one<HTMLInputElement>('[name=nombre]').value).toBe('Escrito antes de subir');
  expect(opened).toEqual([]);
  one<HTMLButtonElement>('dialog button').click();
  await vi.waitFor(() => expect(opened).toEqual([ADDRESS]));
  expect(asks()).toBe(false);
  expect(JSON.stringify({ ...tab.sessionStorage })).toContain('Escrito antes de subir');
});
