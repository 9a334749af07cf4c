import { expect, test } from 'vitest';
import { IN_FLIGHT_MS } from '~/ui/keys';
import { leads, page, Pagina, sinRed, until } from './pagina';

const PATH = '/facturacion/abc?paso=2';
const REVISION = `<h1>Revisar Datos</h1>
  <form id="uso" method="post" action="/facturacion/abc"><button type="submit" name="intent" value="crear">Crear Factura</button></form>`;
/** The question that the server asks back, with everything that was sent and a yes. */
const PREGUNTA = `<section role="alertdialog" aria-label="Crear Factura" data-pregunta="">
  <h2>¿Está seguro que desea crear la factura?</h2>
  <form method="post" action="/facturacion/abc">
    <input type="hidden" name="intent" value="crear"><input type="hidden" name="confirmado" value="1">
    <button type="submit">Si</button><a href="?" data-no="">No</a>
  </form></section>`;
const CREAR = 'button[value="crear"]';
const SI = 'dialog button[type="submit"]';

/** A page whose press was asked back about; the far end stamps on a yes. `before` happens on the page without the question. */
async function asked(before?: (pagina: Pagina) => void): Promise<Pagina> {
  const pagina = await Pagina.open(PATH, REVISION);
  before?.(pagina);
  pagina.red = ({ campos }) =>
    campos.some(([name]) => name === 'confirmado') ? page('<h1>Factura Creada</h1>') : page(PREGUNTA);
  pagina.press(CREAR);
  await until(() => expect(pagina.has('dialog')).toBe(true));
  return pagina;
}
/** Keys that were in flight when the question came are over by then, and the question hears what is pressed now. */
async function isHeard(pagina: Pagina): Promise<void> {
  const seen = performance.now();
  await until(() => {
    expect(pagina.one<HTMLButtonElement>(SI).disabled).toBe(false);
    expect(performance.now()).toBeGreaterThan(seen + IN_FLIGHT_MS);
  });
}
const confirmed = (pagina: Pagina) =>
  pagina.pedidos.filter(({ campos }) => campos.some(([name]) => name === 'confirmado'));
const YES = { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true };
const key = (pagina: Pagina, init = {}) => pagina.one('dialog').dispatchEvent(pagina.keyboard({ ...YES, ...init }));

test('a question stands over its page, opens on No, and hears no key that was pressed before it could be read', async () => {
  let inFlight: Event[] = [];
  const pagina = await asked(({ keyboard }) => {
    const click = new Event('click', { bubbles: true, cancelable: true });
    inFlight = [keyboard(YES), keyboard({ key: 'Enter', bubbles: true, cancelable: true }), click];
  });
  expect(pagina.one('dialog').textContent).toContain('¿Está seguro que desea crear la factura?');
  expect(pagina.text()).toContain('Revisar Datos');
  expect(document.activeElement?.hasAttribute('data-no')).toBe(true);
  for (const event of inFlight) pagina.one('dialog [data-no]').dispatchEvent(event);
  expect(inFlight.map(({ defaultPrevented }) => defaultPrevented)).toEqual([true, true, true]);
  expect([pagina.has('dialog'), confirmed(pagina)]).toEqual([true, []]);
});

test('a yes is sent once, however often it is pressed', async () => {
  const pagina = await asked();
  await isHeard(pagina);
  key(pagina, { repeat: true });
  expect(confirmed(pagina)).toEqual([]);
  const yes = pagina.one(SI);
  yes.click();
  yes.click();
  await until(() => expect(pagina.text()).toBe('Factura Creada'));
  expect(confirmed(pagina)).toMatchObject([
    {
      campos: [
        ['intent', 'crear'],
        ['confirmado', '1'],
      ],
    },
  ]);
});

test('a press on Si is heard from the moment the button can be pressed, however slowly the dialog was shown', async () => {
  const pagina = await asked(() => {
    const dialogs = Object.getPrototypeOf(document.createElement('dialog')) as HTMLDialogElement;
    const { showModal } = dialogs;
    dialogs.showModal = function () {
      const shown = performance.now() + 150;
      while (performance.now() < shown);
      showModal.call(this);
    };
  });
  const yes = pagina.one<HTMLButtonElement>(SI);
  await new Promise<void>((enabled) => {
    const watch = setInterval(() => {
      if (yes.disabled) return;
      clearInterval(watch);
      enabled();
    });
  });
  yes.click();
  await until(() => expect(pagina.text()).toBe('Factura Creada'));
});

test('Ctrl+Enter is a yes, too', async () => {
  const pagina = await asked();
  await isHeard(pagina);
  key(pagina);
  await until(() => expect(pagina.text()).toBe('Factura Creada'));
  expect(confirmed(pagina)).toHaveLength(1);
});

test('a no, by its link or by Escape, sends nothing and leaves the page as it was', async () => {
  for (const say of [
    (pagina: Pagina) => pagina.press('dialog [data-no]'),
    (pagina: Pagina) => pagina.one('dialog').dispatchEvent(new Event('cancel', { cancelable: true })),
  ]) {
    const pagina = await asked();
    await isHeard(pagina);
    say(pagina);
    expect([pagina.has('dialog'), pagina.text()?.includes('Revisar Datos'), confirmed(pagina)]).toEqual([
      false,
      true,
      [],
    ]);
    // And the same press asks again.
    pagina.press(CREAR);
    await until(() => expect(pagina.has('dialog')).toBe(true));
  }
});

test('a yes that the network loses is told on the page, and the question may be asked again', async () => {
  const pagina = await asked();
  await isHeard(pagina);
  const heard = pagina.red;
  pagina.red = sinRed;
  pagina.press(SI);
  await until(() => expect(pagina.has('main > [role="alert"]')).toBe(true));
  pagina.red = heard;
  pagina.press(CREAR);
  await until(() => expect(pagina.has('dialog')).toBe(true));
  expect(pagina.has('[data-fallo]')).toBe(false);
});

test('a yes that leads to the next step opens it in the same place', async () => {
  const pagina = await asked();
  await isHeard(pagina);
  pagina.red = ({ method }) => (method === 'POST' ? leads('/facturacion/abc?paso=lista') : page('<h1>Lista</h1>'));
  pagina.press(SI);
  await until(() => expect([pagina.text(), pagina.address()]).toEqual(['Lista', '/facturacion/abc?paso=lista']));
});

test('a notice that the server wrote open is modal, read from its title, and closed by the browser’s back key with its link', async () => {
  const pagina = await Pagina.open(
    PATH,
    `${REVISION}<dialog open><header><h2>Esta orden ya tiene factura</h2><a href="/facturacion/abc">Cerrar</a></header></dialog>`,
  );
  const dialog = pagina.one<HTMLDialogElement>('dialog');
  expect([dialog.matches(':modal'), document.activeElement?.textContent]).toEqual([
    true,
    'Esta orden ya tiene factura',
  ]);
  dialog.dispatchEvent(new Event('cancel', { cancelable: true }));
  expect(pagina.fueA).toEqual(['http://trastienda.test/facturacion/abc']);
});
