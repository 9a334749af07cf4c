import { read, utils } from 'xlsx';
import { beforeAll, expect, test } from 'vitest';
import { addDays, civilDay } from '~/core/time';
import { buildOrden } from '../support/builders/ordenes';
import { ask, get, misfit, post } from '../support/api';
import { testDatabase } from '../support/db';
import { buildUsuarios, PASSWORD } from '../support/web';

type Pagina = { datos: { id: string; numOrden: string; pagado: string }[]; siguiente: string | null; totales?: object };

let sa: string;
const hoy = civilDay(new Date());
const rango = `desde=${addDays(hoy, -40)}&hasta=${hoy}`;

beforeAll(async () => {
  const { db } = testDatabase();
  await buildUsuarios(db);
  const fecha = (n: number) => new Date(Date.now() - (n % 4) * 86_400_000);
  for (let n = 0; n < 11; n++)
    await buildOrden(db, { fechaCreacion: fecha(n), pagado: `${n % 3}00.10`, titulo: n % 2 ? 'Cámara' : 'Router' });
  sa = ((await post('/api/usuario/login', { user: 'sa', password: PASSWORD })).body as { token: string }).token;
}, 60_000);

const pagina = async (query: string) => (await get(`/api/v1/ordenes?${query}`, sa)).body as Pagina;

async function whole(query: string): Promise<Pagina['datos']> {
  const all: Pagina['datos'] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await pagina(`${query}${cursor && `&cursor=${cursor}`}`);
    all.push(...page.datos);
    cursor = page.siguiente;
  }
  return all;
}

test.each(['fecha', '-fecha', 'orden', '-orden', 'titulo', '-titulo', 'pagado', '-pagado'])(
  'pages by cursor sorted by %s tell every sale once, in the order of one page',
  async (orden) => {
    const once = await pagina(`${rango}&orden=${orden}&limite=200`);
    expect(once.siguiente).toBeNull();
    expect(once.datos).toHaveLength(11);
    expect((await whole(`${rango}&orden=${orden}&limite=3`)).map(({ id }) => id)).toEqual(
      once.datos.map(({ id }) => id),
    );
  },
);

test('a sale that comes meanwhile shifts no page', async () => {
  const first = await pagina(`${rango}&limite=5`);
  const { id } = await buildOrden(testDatabase().db, { titulo: 'Tardía' });
  const second = await pagina(`${rango}&limite=5&cursor=${first.siguiente}`);
  const seen = [...first.datos, ...second.datos].map((one) => one.id);
  expect(new Set(seen).size).toBe(10);
  expect(seen).not.toContain(id);
  await testDatabase().db.deleteFrom('articulo').where('ordenId', '=', id).execute();
  await testDatabase().db.deleteFrom('orden').where('id', '=', id).execute();
});

test('totals come when they are asked for, and add up the filter and not the page', async () => {
  expect((await pagina(rango)).totales).toBeUndefined();
  expect((await pagina(`${rango}&totales=1&limite=1`)).totales).toMatchObject({ registros: 11 });
  expect((await pagina(`${rango}&totales=1&q=Router`)).totales).toMatchObject({ registros: 6 });
});

test('only the fields that were asked for come', async () => {
  const { body } = await ask('GET', `/api/v1/ordenes?${rango}&limite=1&campos=id,pagado`, { token: sa }).catch(
    (error: Error) => ({ body: error.message as never }),
  );
  // The description tells whole rows, so a part of one is no fit by it; the answer itself is looked at here.
  expect(String(body)).toContain('numOrden');
  expect(String(body)).toMatch(/\{"datos":\[\{"id":"[^"]+","pagado":"\d+\.\d\d"\}\]/);
});

test.each([
  ['orden=nada', 'orden'],
  ['limite=0', 'limite'],
  ['limite=201', 'limite'],
  ['desde=2026-02-30', undefined],
  ['desde=2026-02-02&hasta=2026-02-01', undefined],
  ['rango=siempre', 'rango'],
  ['cuales=nada', 'cuales'],
  ['otro=1', 'otro'],
  ['campos=id,nada', 'campos'],
  ['cursor=nada', undefined],
  [
    `cursor=${Buffer.from(JSON.stringify(['-pagado', '1.00', '019a0000-0000-7000-8000-000000000000'])).toString('base64url')}`,
    undefined,
  ],
])('what a page would overlook is refused to a program: %s', async (query, campo) => {
  const { status, body } = await get(`/api/v1/ordenes?${query}`, sa);
  const { codigo, errores } = body as { codigo: string; errores?: { campo: string }[] };
  expect([status, codigo]).toEqual([400, 'peticion-invalida']);
  expect(errores?.[0]?.campo).toBe(campo);
});

test('a cursor that somebody wrote by hand is no failure of ours', async () => {
  const forged = Buffer.from(JSON.stringify(['-fecha', 'ayer', '019a0000-0000-7000-8000-000000000000']));
  expect((await get(`/api/v1/ordenes?cursor=${forged.toString('base64url')}`, sa)).status).toBe(422);
});

test('the whole list comes as lines of JSON, each as a page has it', async () => {
  const { datos } = await pagina(`${rango}&limite=200`);
  const { text, headers } = await get(`/api/v1/ordenes?${rango}&formato=ndjson`, sa);
  expect(headers.get('Content-Type')).toBe('application/x-ndjson');
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toEqual(datos);
  const accepted = await ask('GET', `/api/v1/ordenes?${rango}`, {
    token: sa,
    headers: { Accept: 'application/x-ndjson' },
  });
  expect(accepted.text).toBe(text);
});

test('of whole lists that nobody reads some wait, and the next one is told to come back', async () => {
  const file = () => ask('GET', `/api/v1/ordenes?${rango}&formato=xlsx`, { token: sa });
  const kept = await Promise.all(Array.from({ length: 15 }, file));
  expect(new Set(kept.map(({ status }) => status))).toEqual(new Set([200]));
  const more = await file();
  expect([more.status, more.body]).toMatchObject([503, { codigo: 'saturado' }]);
  expect(Number(more.headers.get('Retry-After'))).toBeGreaterThan(0);
  await Promise.all(kept.map(({ response }) => response.body!.cancel()));
  await expect
    .poll(async () => {
      const { status, response } = await file();
      await response.body?.cancel().catch(() => undefined);
      return status;
    })
    .toBe(200);
});

test('the whole list comes as the Excel of its screen', async () => {
  const { response } = await get(`/api/v1/ordenes?${rango}&formato=xlsx`, sa);
  const { Sheets } = read(await response.arrayBuffer());
  expect(utils.sheet_to_json(Sheets.Ordenes!)).toHaveLength(11);
});

test('one sale is read whole, and not again while it has not changed', async () => {
  const { id, numOrden } = (await pagina(`${rango}&limite=1`)).datos[0]!;
  const whole = await get(`/api/v1/ordenes/${id}`, sa);
  expect(whole.body).toMatchObject({ id, numOrden, articulos: [{ posicion: expect.any(Number) as number }] });
  const again = await ask('GET', `/api/v1/ordenes/${id}`, {
    token: sa,
    headers: { 'If-None-Match': whole.headers.get('ETag')! },
  });
  expect([again.status, again.text]).toEqual([304, '']);
  expect((await get('/api/v1/ordenes/019a0000-0000-7000-8000-000000000000', sa)).status).toBe(404);
  expect((await get('/api/v1/ordenes/uno', sa)).status).toBe(404);
});

test('a field that the description does not name, and an amount as a number, would be told', () => {
  const answer = (fila: object) => ({
    status: 200,
    type: 'application/json',
    text: JSON.stringify({ datos: [fila], siguiente: null }),
  });
  expect(misfit('GET', '/api/v1/ordenes', answer({ secreto: 1 }))).not.toBeNull();
  expect(misfit('GET', '/api/v1/ordenes', { ...answer({}), text: '{"datos":[],"siguiente":null}' })).toBeNull();
  expect(
    misfit('GET', '/api/v1/ordenes', { ...answer({}), text: '{"datos":[],"siguiente":null,"otro":1}' }),
  ).not.toBeNull();
});
