import { expect, test, vi } from 'vitest';
import { FALLO } from '~/core/errors';
import { leads, page, Pagina, sinRed, until } from './pagina';

const PATH = '/facturacion/abc?paso=1';
const DATOS = (rfc = '', more = '') => `
  <h1>Datos de Facturación</h1>
  <form id="datos" method="post" action="/facturacion/abc">
    <input type="hidden" name="version" value="3">
    <label>RFC <input name="rfc" value="${rfc}"></label>
    <label>Clave <input type="password" name="password"></label>
    ${more}
    <button type="submit" name="intent" value="guardar">Guardar</button>
    <button type="submit" name="intent" value="crear">Crear</button>
  </form>`;
const GUARDAR = 'button[value="guardar"]';
const isBusy = (pagina: Pagina) => [
  pagina.one('html').dataset.ocupado !== undefined,
  pagina.has(`${GUARDAR}[data-ocupado]`),
];

test('a form is sent once with the button that was pressed, and the answer takes its place', async () => {
  const pagina = await Pagina.open(PATH, DATOS());
  pagina.red = () => page('<h1>Revisar Datos</h1>', { titulo: 'Revisa' });
  pagina.writes('rfc', 'RAOF850412K20');
  pagina.press(GUARDAR);
  await until(() => expect(pagina.text()).toBe('Revisar Datos'));
  expect(pagina.pedidos).toMatchObject([
    {
      url: '/facturacion/abc',
      method: 'POST',
      campos: [
        ['version', '3'],
        ['rfc', 'RAOF850412K20'],
        ['password', ''],
        ['intent', 'guardar'],
      ],
    },
  ]);
  expect(pagina.pedidos[0]!.headers.get('X-Publico')).toBe('1');
  expect([document.title, document.activeElement?.textContent]).toEqual(['Revisa', 'Revisar Datos']);
  expect(pagina.fueA).toEqual([]);
});

test('a second press while the first one is on its way sends nothing, and the page looks busy meanwhile', async () => {
  const pagina = await Pagina.open(PATH, DATOS());
  let answer!: (response: Response) => void;
  pagina.red = () => new Promise((resolve) => (answer = resolve));
  pagina.press(GUARDAR);
  pagina.press(GUARDAR);
  pagina.press('button[value="crear"]');
  await until(() => expect(pagina.pedidos).toHaveLength(1));
  expect(isBusy(pagina)).toEqual([true, true]);
  answer(page(DATOS('OTRO')));
  await until(() => expect(pagina.value('rfc')).toBe('OTRO'));
  expect([pagina.pedidos.length, isBusy(pagina)]).toEqual([1, [false, false]]);
  // And the page that came may be sent in its turn.
  pagina.press(GUARDAR);
  await until(() => expect(pagina.pedidos).toHaveLength(2));
});

test('a form that the server finds wrong comes back with the focus on what is wrong', async () => {
  const pagina = await Pagina.open(PATH, DATOS());
  pagina.red = () => page(DATOS('MALO', '<input name="cp" aria-invalid="true">'), { status: 422 });
  pagina.press(GUARDAR);
  await until(() => expect(pagina.value('rfc')).toBe('MALO'));
  expect(document.activeElement?.getAttribute('name')).toBe('cp');
});

test('without network the form stays with everything that was typed and says so, and the same press may be made again', async () => {
  const pagina = await Pagina.open(PATH, DATOS());
  pagina.writes('rfc', 'RAOF850412K20');
  for (const lost of [
    sinRed,
    () => new Response('<html><h1>Bad gateway</h1></html>', { status: 502, headers: { 'Content-Type': 'text/html' } }),
    () => new Response('no', { status: 503, headers: { 'Content-Type': 'text/plain' } }),
    () => new Response('La petición no viene de esta aplicación.', { status: 403 }),
  ]) {
    pagina.red = lost;
    pagina.press(GUARDAR);
    expect(pagina.has('[data-fallo]')).toBe(false);
    await until(() => expect(pagina.one('#datos [role="alert"]').textContent).toBe(FALLO.titulo + FALLO.texto));
    expect([pagina.value('rfc'), isBusy(pagina), pagina.fueA]).toEqual(['RAOF850412K20', [false, false], []]);
  }
  expect(document.querySelectorAll('[data-fallo]')).toHaveLength(1);
  pagina.red = () => page('<h1>Revisar Datos</h1>');
  pagina.press(GUARDAR);
  await until(() => expect(pagina.text()).toBe('Revisar Datos'));
  expect(pagina.pedidos.at(-1)!.campos).toContainEqual(['rfc', 'RAOF850412K20']);
});

test('a page of ours is shown also where it tells that something is away', async () => {
  const pagina = await Pagina.open(PATH, DATOS());
  pagina.red = () => page('<h1>El SAT no responde</h1>', { status: 503 });
  pagina.press(GUARDAR);
  await until(() => expect(pagina.text()).toBe('El SAT no responde'));
});

test('a page that is not one of the public pages is opened by the browser', async () => {
  const pagina = await Pagina.open(PATH, DATOS());
  pagina.red = () =>
    new Response('<html><main>del personal</main></html>', { headers: { 'Content-Type': 'text/html' } });
  pagina.press(GUARDAR);
  await until(() => expect(pagina.fueA).toEqual([`http://trastienda.test${PATH}`]));
});

test('the next step of the same page comes in its place, with its address', async () => {
  const pagina = await Pagina.open(PATH, DATOS());
  pagina.red = ({ method }) => (method === 'POST' ? leads('/facturacion/abc?paso=2') : page('<h1>Revisar Datos</h1>'));
  pagina.press(GUARDAR);
  await until(() => expect(pagina.text()).toBe('Revisar Datos'));
  expect([pagina.address(), pagina.fueA]).toEqual(['/facturacion/abc?paso=2', []]);
  expect(pagina.pedidos.map(({ method, url }) => [method, url])).toEqual([
    ['POST', '/facturacion/abc'],
    ['GET', '/facturacion/abc?paso=2'],
  ]);
});

test('a step that was done while the network went away is not sent again: the browser opens where it led', async () => {
  const pagina = await Pagina.open(PATH, DATOS());
  pagina.red = (pedido) => (pedido.method === 'POST' ? leads('/facturacion/abc?paso=2') : sinRed(pedido));
  pagina.press(GUARDAR);
  await until(() => expect(pagina.fueA).toEqual(['http://trastienda.test/facturacion/abc?paso=2']));
  expect(pagina.has('[data-fallo]')).toBe(false);
});

test('any other page is opened by the browser, and until it is nothing is sent twice', async () => {
  const pagina = await Pagina.open('/login', DATOS());
  pagina.red = () => leads('/sa/ordenes');
  pagina.press(GUARDAR);
  await until(() => expect(pagina.fueA).toEqual(['http://trastienda.test/sa/ordenes']));
  pagina.press(GUARDAR);
  expect([pagina.pedidos.length, isBusy(pagina)]).toEqual([1, [true, true]]);
});

test('a form that only searches is left to the browser', async () => {
  const pagina = await Pagina.open('/', '<form method="get" action="/"><input name="q"><button>Buscar</button></form>');
  const heard: boolean[] = [];
  document.addEventListener('submit', (event) => {
    heard.push(event.defaultPrevented);
    event.preventDefault();
  });
  pagina.press('button');
  expect([heard, pagina.pedidos]).toEqual([[false], []]);
});

test('what was typed and not sent comes back with its tab, secrets never, and is forgotten once it was taken', async () => {
  const first = await Pagina.open(PATH, DATOS());
  first.writes('rfc', 'RAOF850412K20');
  first.writes('password', 'Trastienda#1');
  const kept = first.tab();
  expect(JSON.stringify(kept)).not.toContain('Trastienda#1');

  const again = await Pagina.open(PATH, DATOS(), kept);
  expect([again.value('rfc'), again.value('password')]).toEqual(['RAOF850412K20', '']);
  expect(again.one('#datos [role="status"]').textContent).toBe(
    'Se recuperó lo que habías escrito y no se había guardado.',
  );
  again.red = ({ method }) => (method === 'POST' ? leads('/facturacion/abc?paso=2') : page('<h1>Listo</h1>'));
  again.press(GUARDAR);
  await until(() => expect(again.text()).toBe('Listo'));

  const last = await Pagina.open(PATH, DATOS(), again.tab());
  expect([last.value('rfc'), last.has('#datos [role="status"]')]).toEqual(['', false]);
});

test('what one person typed is not given to the next one who signs in on the tab', async () => {
  const LOGIN = (usuario: string) =>
    `<form id="entrar" method="post" action="/login" data-quien="usuario"><input name="usuario" value="${usuario}"><button name="intent" value="guardar">Entrar</button></form>`;
  const kept = { 'escrito-de': 'ana', 'escrito:/sa/x#f': '{"at":1,"fields":{}}' };
  for (const [usuario, stays] of [
    ['ana', true],
    ['luis', false],
  ] as const) {
    const pagina = await Pagina.open('/login', LOGIN(usuario), kept);
    pagina.press(GUARDAR);
    await until(() => expect(pagina.has('[data-fallo]')).toBe(true));
    expect([usuario, 'escrito:/sa/x#f' in pagina.tab(), pagina.tab()['escrito-de']]).toEqual([usuario, stays, usuario]);
  }
});

test('a button waits until its fields are filled', async () => {
  const pagina = await Pagina.open(
    '/login',
    '<form id="f" method="post" data-llenos="usuario codigo"><button type="submit" disabled hidden></button><input name="usuario"><input name="codigo"><button type="submit">Entrar</button></form>',
  );
  const isDisabled = () => pagina.one<HTMLButtonElement>('button:not([hidden])').disabled;
  expect(isDisabled()).toBe(true);
  pagina.writes('usuario', 'ana');
  pagina.writes('codigo', '  ');
  expect(isDisabled()).toBe(true);
  pagina.writes('codigo', '123456');
  expect(isDisabled()).toBe(false);
});

test('a second address waits until the first is written', async () => {
  const pagina = await Pagina.open(
    PATH,
    '<form id="f" method="post"><input name="email"><input name="email2" data-tras="email"></form>',
  );
  const isDisabled = () => pagina.one<HTMLInputElement>('[name="email2"]').disabled;
  expect(isDisabled()).toBe(true);
  pagina.writes('email', 'ana@ejemplo.mx');
  expect(isDisabled()).toBe(false);
});

test('a page that comes back out of the browser’s memory is asked for again', async () => {
  const pagina = await Pagina.open(PATH, DATOS());
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }));
  expect(pagina.recargas).toBe(0);
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  expect(pagina.recargas).toBe(1);
});

test('a page that waits for somebody outside asks again by itself, and stops once it has the answer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const pagina = await Pagina.open(PATH, '<h1>Creando</h1><p data-espera>Espera</p>');
  pagina.red = () => page('<h1>Creando</h1><p data-espera>Espera</p>');
  await vi.advanceTimersByTimeAsync(2_000);
  expect([pagina.pedidos.length, pagina.pedidos[0]?.method]).toEqual([1, 'GET']);
  pagina.red = sinRed;
  await vi.advanceTimersByTimeAsync(2_000);
  pagina.red = () => page('<h1>Factura Creada Correctamente</h1>');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(pagina.text()).toBe('Factura Creada Correctamente');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(pagina.pedidos).toHaveLength(3);
  vi.useRealTimers();
});

test('a request that is never answered does not end the waiting', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), ms);
    return controller.signal;
  });
  const pagina = await Pagina.open(PATH, '<h1>Creando</h1><p data-espera>Espera</p>');
  pagina.red = ({ signal }) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('AbortError'))));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(pagina.pedidos).toHaveLength(1);
  pagina.red = () => page('<h1>Factura Creada Correctamente</h1>');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(pagina.text()).toBe('Factura Creada Correctamente');
  vi.useRealTimers();
});
