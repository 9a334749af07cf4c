/** Many businesses on one PostgreSQL, by the command of who runs them (docs/operar.md, Many businesses). */
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseEnv } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { readSecrets } from '~db/respaldo';
import { programOf, quietPort } from '../../bin/lib/settings.mjs';
import { builtOnce } from '../support/processes/built';
import { stopWorkersAtTheEnd, WorkerProcess } from '../support/processes/worker';
import { Web } from '../support/web';

stopWorkersAtTheEnd();

const folder = mkdtempSync(join(tmpdir(), 'trastienda-negocios-'));
const negocios = join(folder, 'negocios');
const respaldos = join(folder, 'respaldos');
/** As an operator has it: an account that makes databases and accounts, and owns nothing of anybody's. */
const admin = new URL(inject('clusterUrl'));
[admin.username, admin.password] = ['negocios_admin', 'clave-de-prueba'];
const NAMES = ['refacciones', 'papeleria'] as const;

const onCluster = (statement: string) => ask(inject('clusterUrl'), statement);
async function ask(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

function run(words: string[], env: Record<string, string> = {}): Promise<{ code: number; said: string }> {
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      [...programOf('negocios'), ...words],
      { env: { ...process.env, NEGOCIOS: negocios, NEGOCIOS_URL: admin.href, ...env } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr }),
    ),
  );
}

const fileOf = (nombre: string, kind = 'env') => join(negocios, `${nombre}.${kind}`);
const settingsOf = (nombre: string) => parseEnv(readFileSync(fileOf(nombre), 'utf8')) as Record<string, string>;
const ownerOf = (nombre: string) => parseEnv(readFileSync(fileOf(nombre, 'duena'), 'utf8')).MIGRACION_URL!;

beforeAll(async () => {
  await builtOnce('node');
  await onCluster(`create role negocios_admin login createdb createrole password 'clave-de-prueba'`);
}, 180_000);
afterAll(async () => {
  for (const nombre of NAMES) {
    await onCluster(`drop database if exists trastienda_${nombre} with (force)`);
    for (const role of [`trastienda_${nombre}_app`, `trastienda_${nombre}`])
      await onCluster(`drop role if exists ${role}`);
  }
  await onCluster('drop role if exists negocios_admin');
  rmSync(folder, { recursive: true, force: true });
});

test('each is made with a database, accounts, keys and a port of its own; made again, nothing of it changes', async () => {
  for (const nombre of NAMES) {
    const { code, said } = await run(['crear', nombre, `https://${nombre}.ejemplo.mx/`]);
    expect([code, said]).toEqual([0, expect.stringContaining(`${nombre}: base hecha.`)]);
    expect(said).toContain(
      `systemctl enable --now trastienda-negocio-web@${nombre} trastienda-negocio-worker@${nombre}`,
    );
  }
  const [one, other] = NAMES.map(settingsOf);
  expect([one!.APP_URL, one!.PORT, other!.PORT]).toEqual(['https://refacciones.ejemplo.mx', '3101', '3102']);
  for (const name of ['DATABASE_URL', 'LLAVES', 'WEBHOOK_SECRETO', 'SALUD_TOKEN', 'METRICAS_TOKEN'])
    expect(one![name], name).not.toBe(other![name]);
  // Neither process knows the owner of the tables.
  expect(readFileSync(fileOf('refacciones'), 'utf8')).not.toContain(new URL(ownerOf('refacciones')).password);
  for (const nombre of NAMES)
    for (const kind of ['env', 'duena']) expect(statSync(fileOf(nombre, kind)).mode & 0o777).toBe(0o600);

  const before = readFileSync(fileOf('refacciones'), 'utf8');
  const again = await run(['crear', 'refacciones', 'https://refacciones.ejemplo.mx']);
  expect([again.code, again.said]).toEqual([0, expect.stringContaining('su base ya estaba al día')]);
  expect(readFileSync(fileOf('refacciones'), 'utf8')).toBe(before);
});

test('a name or an address that does not do is refused in words, and nothing is made', async () => {
  const refused = async (...words: string[]) => {
    const { code, said } = await run(['crear', ...words]);
    return [code, said.trim()];
  };
  expect(await refused('Mi tienda', 'https://mia.ejemplo.mx')).toEqual([1, expect.stringContaining('no es un nombre')]);
  expect(await refused('comun', 'https://mia.ejemplo.mx')).toEqual([1, expect.stringContaining('no es un nombre')]);
  expect(await refused('mia', 'http://mia.ejemplo.mx')).toEqual([1, expect.stringContaining('no es la dirección')]);
  expect(await refused('mia', 'https://papeleria.ejemplo.mx')).toEqual([
    1,
    'https://papeleria.ejemplo.mx es de papeleria.',
  ]);
  expect(await refused('papeleria', 'https://otra.ejemplo.mx')).toEqual([
    1,
    expect.stringContaining('papeleria ya existe con https://papeleria.ejemplo.mx'),
  ]);
  expect(readdirSync(negocios).sort()).toEqual(NAMES.flatMap((one) => [`${one}.duena`, `${one}.env`]).sort());
});

test('no account of one enters the database of another, and none may do more than its rows', async () => {
  const [one, other] = NAMES.map((nombre) => settingsOf(nombre).DATABASE_URL!);
  for (const own of [one!, ownerOf('refacciones')]) {
    const elsewhere = new URL(own);
    elsewhere.pathname = new URL(other!).pathname;
    await expect(ask(elsewhere.href, 'select 1')).rejects.toThrow(/permission denied for database/);
  }
  await expect(ask(one!, 'delete from bitacora')).rejects.toThrow(/permission denied/);
  expect(
    await ask(
      one!,
      'select rolconnlimit as most, rolcreatedb or rolcreaterole as more from pg_roles where rolname = current_user',
    ),
  ).toEqual([{ most: 90, more: false }]);
});

test(
  'the list tells of each what runs, what its database waits for and when it was kept',
  { timeout: 120_000 },
  async () => {
    const file = readFileSync(fileOf('refacciones'), 'utf8');
    writeFileSync(fileOf('refacciones'), file.replace(/^PORT=.*$/m, `PORT=${await quietPort()}`));
    const ajustes = settingsOf('refacciones');
    // Nothing but its own file: the settings of a test would stand in for missing ones.
    const web = await Web.start({ ...ajustes, PRIMERA_DICHA: '1' });
    const worker = await WorkerProcess.start(ajustes);
    const { said } = await run([]);
    const [papeleria, refacciones] = said
      .split('\n')
      .flatMap((line, at, all) => (at % 2 === 0 ? [`${line} ${all[at + 1]}`] : []));
    expect(refacciones).toMatch(
      /refacciones {2}https:\/\/refacciones\.ejemplo\.mx {2}puerto \d+ {5}base al día, \d+ MB, \d+ conexiones; .*en marcha.*; último respaldo sin RESPALDOS/,
    );
    expect(papeleria).toMatch(/^✗ papeleria .*base al día, .*; la web no responde; /);
    await worker.kill();
    await web.stop();
    expect((await run(['listar', 'nadie'])).said).toContain('No conozco nadie. Hay: papeleria, refacciones.');
  },
);

test('one that cannot be brought up to date holds up no other, and is named', async () => {
  const last = (await ask(ownerOf('papeleria'), 'select max(name) as name from kysely_migration'))[0]!.name as string;
  await ask(ownerOf('papeleria'), `delete from kysely_migration where name = '${last}'`);
  const review = await run(['actualizar', '--revisar']);
  expect(review.code).toBe(0);
  expect(review.said).toMatch(/papeleria: faltan 1 migraciones\n +\d{8}_\d{4}_\w+: .+\./);
  expect(review.said).toContain('refacciones: al día');
  await ask(ownerOf('papeleria'), `insert into kysely_migration values ('${last}', now()::text)`);

  const owner = readFileSync(fileOf('papeleria', 'duena'), 'utf8');
  writeFileSync(fileOf('papeleria', 'duena'), owner.replace(/:[^:@/]+@/, ':otra-clave@'));
  const { code, said } = await run(['actualizar']);
  expect([code, said]).toEqual([
    1,
    expect.stringMatching(/✗ papeleria: .*password.*\n✓ refacciones: ya estaba al día\nSin hacer: papeleria\./),
  ]);
  writeFileSync(fileOf('papeleria', 'duena'), owner);
});

/** What the real one does as this command sees it: it leaves a file, or says why not and exits with 1. PostgreSQL's package here has none. */
const PG_DUMP = `#!/usr/bin/env node
const { writeFileSync } = require('node:fs');
const file = process.argv.find((word) => word.startsWith('--file=')).slice('--file='.length);
writeFileSync(file, JSON.stringify({ words: process.argv.slice(2), base: process.env.PGDATABASE, clave: process.env.PGPASSWORD }));
if (process.env.NO_DUMP === process.env.PGDATABASE) {
  console.error('pg_dump: error: aborting because of server version mismatch');
  process.exit(1);
}
`;

test('all are kept by one command: dump and sealed keys together, the password in no argument, the oldest let go', async () => {
  writeFileSync(join(folder, 'pg_dump'), PG_DUMP);
  chmodSync(join(folder, 'pg_dump'), 0o755);
  const env = {
    PATH: `${folder}${delimiter}${process.env.PATH}`,
    RESPALDOS: respaldos,
    RESPALDO_CLAVE: 'frase',
    RESPALDOS_GUARDAR: '1',
  };
  expect((await run(['respaldar'], { ...env, RESPALDOS: '' })).said).toContain('Di en qué carpeta');
  const first = await run(['respaldar'], env);
  expect([first.code, first.said]).toEqual([0, expect.stringMatching(/✓ papeleria: .*\n✓ refacciones: /)]);
  const [kept] = readdirSync(join(respaldos, 'refacciones'));
  const place = join(respaldos, 'refacciones', kept!);
  const { words, base, clave } = JSON.parse(readFileSync(join(place, 'base.dump'), 'utf8')) as Record<string, string>;
  expect([base, clave]).toEqual(['trastienda_refacciones', new URL(ownerOf('refacciones')).password]);
  expect(words).not.toContain(clave);
  expect(() => readSecrets(place, 'otra')).toThrow('no abre');
  expect(readSecrets(place, 'frase')).toMatchObject({
    LLAVES: settingsOf('refacciones').LLAVES,
    MIGRACION_URL: ownerOf('refacciones'),
  });

  // One that fails leaves nothing half made and loses nothing that was there.
  const second = await run(['respaldar'], { ...env, NO_DUMP: 'trastienda_papeleria' });
  expect([second.code, second.said]).toEqual([
    1,
    expect.stringMatching(/✗ papeleria: .*version mismatch\n✓ refacciones: /),
  ]);
  expect(readdirSync(join(respaldos, 'papeleria'))).toHaveLength(1);
  expect(readdirSync(join(respaldos, 'refacciones'))).toHaveLength(1);
  expect(readdirSync(join(respaldos, 'refacciones'))).not.toEqual([kept]);
  expect((await run([], env)).said).toMatch(/último respaldo \d{8}T\d{6}Z/);
});
