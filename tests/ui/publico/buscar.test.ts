import { expect, test } from 'vitest';
import { page, Pagina, sinRed, type Red, until } from './pagina';

const PATH = '/facturacion/abc?paso=1';
type Cliente = { rfc?: string; razonSocial?: string; cp?: string; version?: string; dicho?: string };
const FORMA = (
  { rfc = '', razonSocial = '', cp = '', version = '1', dicho = '' }: Cliente = {},
  hallado: object = {},
) => `
  <h1>Datos de Facturación</h1>
  <form id="datos" method="post" action="/facturacion/abc" data-hallado='${JSON.stringify(hallado)}'>
    <input type="hidden" name="version" value="${version}">
    <div role="status" data-vivo="dicho" data-sin-respuesta="No se pudo buscar. Escribe tus datos.">${dicho}</div>
    <input name="rfc" value="${rfc}">
    <input name="razonSocial" value="${razonSocial}">
    <input name="cp" value="${cp}">
    <button type="submit" name="intent" value="buscarRfc">Buscar</button>
    <button type="submit" name="intent" value="guardar">Guardar</button>
  </form>`;
const RFC = 'RAOF850412K20';
const HALLADO = { razonSocial: 'MARIA FERNANDA RAMIREZ OCHOA', cp: '06700' };
const halla: Red = () => page(FORMA({ rfc: RFC, version: '2', dicho: 'Te encontramos.' }, HALLADO));
const values = (pagina: Pagina) => ['rfc', 'razonSocial', 'cp', 'version'].map(pagina.value);

/** An RFC that somebody typed, and an answer that comes when the test says so. */
async function looking(): Promise<{ pagina: Pagina; answers(red?: Red): void }> {
  const pagina = await Pagina.open(PATH, FORMA());
  let answer!: (given: Response | Promise<Response>) => void;
  pagina.red = () => new Promise((resolve) => (answer = resolve));
  pagina.writes('rfc', RFC);
  pagina.leaves('rfc');
  await until(() => expect(pagina.pedidos).toHaveLength(1));
  return { pagina, answers: (red = halla) => answer(red(pagina.pedidos.at(-1)!)) };
}

test('whoever leaves a whole RFC is looked up once, and finds their data in the fields that nobody typed in', async () => {
  const { pagina, answers } = await looking();
  pagina.leaves('rfc');
  answers();
  await until(() => expect(values(pagina)).toEqual([RFC, HALLADO.razonSocial, '06700', '2']));
  expect(pagina.one('[data-vivo="dicho"]').textContent).toBe('Te encontramos.');
  expect(pagina.pedidos[0]!.campos).toContainEqual(['intent', 'buscarRfc']);
  pagina.leaves('rfc');
  expect(pagina.pedidos).toHaveLength(1);
});

test('half an RFC, or one beside a name that was typed, is not looked up by itself', async () => {
  const pagina = await Pagina.open(PATH, FORMA());
  pagina.writes('rfc', 'RAOF85');
  pagina.leaves('rfc');
  pagina.writes('razonSocial', 'YO MISMA');
  pagina.writes('rfc', RFC);
  pagina.leaves('rfc');
  pagina.leaves('cp');
  expect(pagina.pedidos).toEqual([]);
});

test('an RFC that nobody knows takes away the data of another person, and leaves what was typed', async () => {
  const pagina = await Pagina.open(PATH, FORMA({ rfc: 'LOGM790203R55', razonSocial: 'MARCO LOPEZ', cp: '44100' }));
  pagina.red = () => page(FORMA({ rfc: RFC, version: '2' }, { razonSocial: '', cp: '' }));
  pagina.writes('rfc', RFC);
  pagina.writes('cp', '03100');
  pagina.press('button[value="buscarRfc"]');
  await until(() => expect(values(pagina)).toEqual([RFC, '', '03100', '2']));
});

test('what was typed while the look-up was on its way stays', async () => {
  const { pagina, answers } = await looking();
  pagina.writes('cp', '03100');
  answers();
  await until(() => expect(values(pagina)).toEqual([RFC, HALLADO.razonSocial, '03100', '2']));
});

test('an answer about another RFC than the one that stands there by now fills in nothing', async () => {
  const { pagina, answers } = await looking();
  pagina.writes('rfc', 'LOGM790203R55');
  answers();
  await until(() => expect(pagina.value('version')).toBe('2'));
  expect(values(pagina)).toEqual(['LOGM790203R55', '', '', '2']);
});

test('a look-up that nobody answers says so beside the field, and leaving it again asks again', async () => {
  const { pagina, answers } = await looking();
  answers(sinRed);
  await until(() =>
    expect(pagina.one('[data-sin-respuesta]').textContent).toBe('No se pudo buscar. Escribe tus datos.'),
  );
  expect([values(pagina), pagina.has('[data-fallo]')]).toEqual([[RFC, '', '', '1'], false]);
  pagina.red = halla;
  pagina.leaves('rfc');
  await until(() => expect(pagina.value('cp')).toBe('06700'));
});

test('a form that is sent meanwhile waits for the look-up, and goes as it was pressed with the state it is about', async () => {
  const { pagina, answers } = await looking();
  pagina.press('button[value="guardar"]');
  expect(pagina.pedidos).toHaveLength(1);
  pagina.red = () => page('<h1>Revisar Datos</h1>');
  answers();
  await until(() => expect(pagina.text()).toBe('Revisar Datos'));
  expect(pagina.pedidos).toHaveLength(2);
  expect(pagina.pedidos[1]!.campos).toEqual([
    ['version', '2'],
    ['rfc', RFC],
    ['razonSocial', ''],
    ['cp', ''],
    ['intent', 'guardar'],
  ]);
});

test('a look-up that was asked for by hand shows what the server refuses', async () => {
  const pagina = await Pagina.open(PATH, FORMA());
  pagina.red = () => page(FORMA({ rfc: 'NADA', dicho: 'Ese RFC no es válido.' }), { status: 422 });
  pagina.writes('rfc', 'NADA');
  pagina.press('button[value="buscarRfc"]');
  await until(() => expect(pagina.one('[data-vivo="dicho"]').textContent).toBe('Ese RFC no es válido.'));
  expect(pagina.pedidos).toHaveLength(1);
});
