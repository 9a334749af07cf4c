import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs } from '@remix-run/node';
import { sql } from 'kysely';
import { beforeEach, expect, test, vi } from 'vitest';
import { forgetEnv } from '~/core/env.server';
import { offerPrimera } from '~/domain/personal/primeraPersona.server';
import { action, loader } from '~/routes/public/primera';
import { loader as login } from '~/routes/public/login';
import { ownerDatabase, testDatabase } from '../support/db';

const { db, url } = testDatabase();

/** Each test begins with an installation without people; no verb of the product takes the last one away, nor a line of the bitacora. */
beforeEach(async () => {
  await ownerDatabase()
    .db.transaction()
    .execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      for (const table of ['sesion', 'dispositivo', 'bitacora', 'codigo_de_primera', 'usuario'])
        await sql`delete from ${sql.table(table)}`.execute(trx);
    });
});

const argsOf = (path: string, body?: URLSearchParams) => ({
  request: new Request(`http://trastienda.test${path}`, body ? { method: 'POST', body } : {}),
  params: {},
  context: { ip: '10.0.0.1' } as unknown as AppLoadContext,
});

const placeOf = async (look: (args: LoaderFunctionArgs) => Promise<unknown>, path: string) => {
  const thrown: unknown = await look(argsOf(path)).then(
    () => null,
    (error: unknown) => error,
  );
  return thrown instanceof Response ? thrown.headers.get('Location') : null;
};

async function crear(codigo: string, over: Record<string, string> = {}) {
  const fields = { nombre: 'Ana', apellidos: 'López', usuario: 'ana', email: 'ana@ejemplo.mx' };
  const secret = { password: 'Girasol#Verde7', confirmar: 'Girasol#Verde7' };
  const body = new URLSearchParams({ intent: 'crear', codigo, ...fields, ...secret, ...over });
  const answer = await action(argsOf('/login/primera', body) as ActionFunctionArgs);
  if (!('init' in answer)) return { to: answer.headers.get('Location'), cookie: answer.headers.get('Set-Cookie') };
  return { status: answer.init?.status ?? 200, error: answer.data.error };
}
/** The code that a server writes when it starts. */
const offered = async () => (await offerPrimera(db))!.codigo;
const people = () => db.selectFrom('usuario').select(['usuario', 'rol', 'activo']).execute();

test('while nobody can sign in the login leads to the page of the first person, and afterwards that page leads to the login', async () => {
  const places = async () => [await placeOf(login, '/login'), await placeOf(loader, '/login/primera')];
  expect(await places()).toEqual([null, '/login']);
  const codigo = await offered();
  expect(await places()).toEqual(['/login/primera', null]);
  const entered = await crear(codigo.toLowerCase());
  expect(entered).toMatchObject({ to: '/sa', cookie: expect.stringContaining('sesion=') as string });
  expect(await people()).toEqual([{ usuario: 'ana', rol: 'sa', activo: true }]);
  expect(await db.selectFrom('codigoDePrimera').select('fallos').execute()).toEqual([]);
  expect(await places()).toEqual([null, '/login']);
  expect(await offerPrimera(db)).toBeNull();
  expect(await crear(codigo, { usuario: 'otra' })).toMatchObject({
    status: 422,
    error: { '': ['Ya existe un usuario: entra con él, o pídele que te agregue.'] },
  });
});

test('the login of a shop with people waits for no table of people, and the command leaves no code that leads astray', async () => {
  await offered();
  await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', 'bin/usuario.ts', '--usuario', 'eva', '--rol', 'sa', '--email', 'eva@ejemplo.mx'],
    { env: { ...process.env, DATABASE_URL: url, USUARIO_PASSWORD: 'Girasol#Verde7' } },
  );
  expect(await placeOf(login, '/login')).toBeNull();
  await sql`delete from codigo_de_primera`.execute(db);
  await ownerDatabase()
    .db.transaction()
    .execute(async (trx) => {
      await sql`lock table usuario in access exclusive mode`.execute(trx);
      expect(await placeOf(login, '/login')).toBeNull();
    });
});

test('servers that start at once write one code, which opens, and one that starts again tells it again while it lives', async () => {
  const codigos = await Promise.all([offered(), offered(), offered()]);
  expect(new Set(codigos).size).toBe(1);
  const kept = () => db.selectFrom('codigoDePrimera').select('codigoHash').execute();
  expect(await kept()).toHaveLength(1);
  await sql`update codigo_de_primera set vence_en = vence_en - interval '29 minutes'`.execute(db);
  const [otro, mismo] = [await offered(), await offered()];
  expect(otro).not.toBe(codigos[0]);
  expect(mismo).toBe(otro);
  expect(await kept()).toHaveLength(1);
  // Keys that changed meanwhile cannot tell it again.
  vi.stubEnv('LLAVES', `k2:${Buffer.alloc(32, 9).toString('base64')}`);
  forgetEnv();
  const nuevo = await offered();
  vi.unstubAllEnvs();
  forgetEnv();
  expect(nuevo).not.toBe(otro);
  expect(await kept()).toHaveLength(1);
  expect(await crear(otro)).toMatchObject({ status: 422 });
  expect(await crear(nuevo)).toMatchObject({ to: '/sa' });
});

test('five wrong codes end every code that lives, and a server that starts again gives another', async () => {
  const [uno, otro] = [await offered(), await offered()];
  for (let n = 0; n < 5; n++)
    expect(await crear('AAAA BBBB')).toMatchObject({
      status: 422,
      error: { codigo: ['Ese código no es el de ahora. Mira el que escribió npm start, o npm run web, al arrancar.'] },
    });
  for (const codigo of [uno, otro])
    expect(await crear(codigo)).toMatchObject({
      error: { codigo: [expect.stringContaining('ya no sirve') as string] },
    });
  expect(await people()).toEqual([]);
  expect(await crear(await offered())).toMatchObject({ to: '/sa' });
});

test('a code opens for thirty minutes', async () => {
  const codigo = await offered();
  await sql`update codigo_de_primera set vence_en = vence_en - interval '30 minutes'`.execute(db);
  expect(await crear(codigo)).toMatchObject({ error: { codigo: [expect.stringContaining('ya no sirve') as string] } });
  expect(await people()).toEqual([]);
});

test('two first persons at once are one', async () => {
  const codigos = [await offered(), await offered()];
  const answers = await Promise.all(codigos.map((codigo, at) => crear(codigo, { usuario: `ana${at}` })));
  expect(answers.filter(({ to }) => to === '/sa')).toHaveLength(1);
  expect(await people()).toHaveLength(1);
});

test('a password that is easy to guess is refused and spends no try', async () => {
  const codigo = await offered();
  expect(await crear(codigo, { password: 'Password#1', confirmar: 'Password#1' })).toMatchObject({ status: 422 });
  expect(await db.selectFrom('codigoDePrimera').select('fallos').execute()).toEqual([{ fallos: 0 }]);
  expect(await crear(codigo)).toMatchObject({ to: '/sa' });
});

test('the command writes the address and the code, and nothing once somebody exists', async () => {
  const run = () =>
    promisify(execFile)(process.execPath, ['--import', 'tsx', 'bin/usuario.ts', '--primera'], {
      env: { ...process.env, DATABASE_URL: url, APP_URL: 'https://tienda.ejemplo.mx' },
    });
  const { stdout } = await run();
  const codigo = /https:\/\/tienda\.ejemplo\.mx\/login\/primera .*: ((?:[0-9A-Z]{4} ?){7})\n$/.exec(stdout)?.[1];
  expect(await crear(codigo!)).toMatchObject({ to: '/sa' });
  expect((await run()).stdout).toBe('');
});
