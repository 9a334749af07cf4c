import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CONDICIONES } from '~/domain/operacion/mantenimiento/internal/condicionCatalog.server';
import { exchange } from '~/integrations/http.server';
import { takeAnswers } from '~/integrations/respuestas.server';
import {
  countRechazadas,
  judgeRechazadas,
  keepAnswers,
  startKeepingAnswers,
} from '~/platform/connections/respuestas.server';
import { openDatabase } from '~db/client.server';
import { testDatabase } from '../../support/db';

const { db } = testDatabase();
const far = createServer((req, res) => {
  res.statusCode = Number(new URL(req.url!, 'http://far').searchParams.get('status'));
  res.end('{}');
});
let root = '';

beforeAll(async () => {
  await new Promise<void>((ready) => far.listen(0, '127.0.0.1', ready));
  root = `http://127.0.0.1:${(far.address() as AddressInfo).port}`;
});
afterAll(() => far.close());
beforeEach(async () => {
  takeAnswers();
  await sql`delete from respuesta_lejana`.execute(db);
});

const call = (name: string, path: string, status: number) =>
  exchange({ side: { name, root }, method: 'GET', url: `${root}${path}?status=${status}` });
const calls = async (n: number, ...[name, path, status]: Parameters<typeof call>) => {
  for (let i = 0; i < n; i++) await call(name, path.replace('#', String(1000 + i)), status);
};
const muchosRechazos = () => CONDICIONES.find(({ clave }) => clave === 'muchosRechazos')!.mira(db);

test('answers are counted by far side and route, whatever record was asked for and however often they are kept', async () => {
  await calls(3, 'mercadolibre', '/items/MLM#', 200);
  await calls(2, 'mercadolibre', '/items/MLM#', 404);
  await keepAnswers(db);
  await calls(1, 'mercadolibre', '/items/MLM#', 400);
  await calls(1, 'mercadopago', '/v1/payments/#', 403);
  await calls(2, 'ct', '/pedido', 500);
  await keepAnswers(db);
  await keepAnswers(db);
  expect(await countRechazadas(db)).toEqual([
    { connection: 'ct', contestadas: 2, rechazadas: 0, peor: null },
    { connection: 'mercadolibre', contestadas: 7, rechazadas: 4, peor: { ruta: 'GET /items/{}', rechazadas: 3 } },
  ]);
});

test('the card tells the share; what is older than a day is not in it', async () => {
  await calls(1, 'syscom', '/productos/#', 422);
  await calls(7, 'syscom', '/productos/#', 200);
  await keepAnswers(db);
  const [one] = await countRechazadas(db);
  expect(judgeRechazadas(one!).dicho).toEqual({
    tono: 'neutro',
    texto: 'Rechazadas en 24 horas: 1 de 8 llamadas (12.5 %). Lo más rechazado: GET /productos/{} (1).',
  });
  await sql`update respuesta_lejana set hora = hora - interval '25 hours'`.execute(db);
  expect(await countRechazadas(db)).toEqual([]);
});

test('a far side that refuses a tenth of at least 200 calls is told on Hoy, with its name and its route', async () => {
  const tell = (contestadas: number, rechazadas: number) =>
    sql`insert into respuesta_lejana values ('mercadolibre', date_trunc('hour', now()), 'PUT /items/{}', ${contestadas}, ${rechazadas})
      on conflict (connection, hora, ruta) do update set contestadas = ${contestadas}, rechazadas = ${rechazadas}`.execute(
      db,
    );
  await tell(199, 199);
  expect(await muchosRechazos()).toBeNull();
  await tell(200, 19);
  expect(await muchosRechazos()).toBeNull();
  await tell(200, 20);
  expect(await muchosRechazos()).toMatchObject({
    nivel: 'aviso',
    texto: 'Mercado Libre rechazó 20 de 200 llamadas en 24 horas, sobre todo PUT /items/{}.',
  });
  expect(judgeRechazadas((await countRechazadas(db))[0]!).dicho.tono).toBe('aviso');
});

test('a database that is away loses no count, and a process that stops keeps its last ones', async () => {
  await calls(2, 'cva', '/lista', 401);
  const away = openDatabase('postgres://nadie@127.0.0.1:1/nada', { max: 1 });
  await expect(keepAnswers(away.db)).rejects.toThrow('ECONNREFUSED');
  await away.close();
  await calls(1, 'cva', '/lista', 200);
  await startKeepingAnswers(db).stop();
  expect(await countRechazadas(db)).toEqual([
    { connection: 'cva', contestadas: 3, rechazadas: 2, peor: { ruta: 'GET /lista', rechazadas: 2 } },
  ]);
});
