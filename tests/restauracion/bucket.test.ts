/** A small shop whose machine is lost: it comes back from the bucket alone, at a moment that is asked for; and the nightly restore says what it saw. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { forgetEnv } from '~/core/env.server';
import { openBucket } from '~/domain/operacion/mantenimiento/internal/respaldo/bucket.server';
import { bringRespaldo } from '~/domain/operacion/mantenimiento/internal/respaldo/traer.server';
import { probarRespaldo, tryRestore } from '~/domain/operacion/mantenimiento/pruebaDeRespaldo.server';
import { trasladar } from '~/domain/operacion/mantenimiento/respaldoEnBucket.server';
import { openDatabase } from '~db/client.server';
import { startEmbedded, stopEmbedded } from '~db/embedded';
import { migrateDatabase } from '~db/migrate';
import { backUp, restore } from '~db/respaldo';
import { S3 } from '../sandbox/s3/index';
import { builtOnce } from '../support/processes/built';

const place = mkdtempSync(join(tmpdir(), 'trastienda-del-bucket-'));
chmodSync(place, 0o755);
const [origin, respaldos, otra] = ['origen', 'respaldos', 'otra'].map((name) => {
  mkdirSync(join(place, name), { mode: 0o755 });
  return join(place, name);
}) as [string, string, string];
const CLAVE = 'una frase que nadie adivina';
const s3 = await S3.start({ pageSize: 2 });
const server = await startEmbedded({ folder: origin, archive: join(respaldos, 'wal') });
const url = await server.ensureDatabase('trastienda');
await migrateDatabase(url);
const { db, close } = openDatabase(url, { max: 3 });

Object.assign(process.env, {
  RESPALDOS: respaldos,
  RESPALDO_CLAVE: CLAVE,
  RESPALDOS_S3: `${s3.url}/tienda`,
  RESPALDOS_S3_REGION: s3.account.region,
  RESPALDOS_S3_LLAVE: s3.account.key,
  RESPALDOS_S3_SECRETO: s3.account.secret,
});
forgetEnv();
const bucket = openBucket(
  {
    url: `${s3.url}/tienda`,
    region: s3.account.region,
    llave: s3.account.key,
    secreto: s3.account.secret,
    clave: CLAVE,
  },
  1,
);

afterAll(async () => {
  await close();
  await stopEmbedded(origin);
  await stopEmbedded(otra);
  await s3.stop();
  rmSync(place, { recursive: true, force: true });
});

const write = (accion: string) =>
  sql`insert into bitacora (entidad, entidad_id, accion) values ('prueba', '1', ${accion})`.execute(db);

/** Runs a command of npm to its end. */
async function run(command: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ['bin/trastienda.mjs', ...command], {
    env: { ...process.env, DATABASE_URL: '', LLAVES: undefined, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, said };
}

/** Closes the segment under way and waits until the archive has it. */
async function archiveNow() {
  const { rows } = await sql<{ wal: string }>`select pg_walfile_name(pg_switch_wal()) as wal`.execute(db);
  await expect.poll(() => readdirSync(join(respaldos, 'wal')), { timeout: 20_000 }).toContain(`${rows[0]!.wal}.gz`);
}

test('a machine that is lost comes back from the bucket at the moment that is asked for', async () => {
  await write('antes del respaldo');
  const secrets = { LLAVES: process.env.LLAVES!, POSTGRES_CLAVE: readFileSync(join(origin, 'postgres.clave'), 'utf8') };
  await backUp({
    target: respaldos,
    dataDir: server.dataDir,
    url: server.urlOf('postgres'),
    secrets,
    passphrase: CLAVE,
  });
  await write('después del respaldo');
  await new Promise((resolve) => setTimeout(resolve, 50));
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db);
  await write('lo que nadie quiere de vuelta');
  await archiveNow();
  await trasladar(db, 'base');
  await trasladar(db, 'wal');

  await expect(restore({ base: '', folder: otra, until: '15/01/2026' })).rejects.toThrow('no es un momento');
  const brought = await bringRespaldo(bucket, { into: join(place, 'bajado') });
  const back = await restore({
    ...brought,
    folder: otra,
    until: rows[0]!.at.toISOString(),
    passphrase: CLAVE,
    durable: false,
  });
  expect(back.secrets).toEqual(secrets);
  const client = new pg.Client(back.server.urlOf('trastienda'));
  await client.connect();
  const kept = await client.query<{ accion: string }>(
    `select accion from bitacora where entidad = 'prueba' order by id`,
  );
  await client.end();
  await back.server.stop();
  expect(kept.rows.map(({ accion }) => accion)).toEqual(['antes del respaldo', 'después del respaldo']);
}, 60_000);

test('the nightly restore says what it read, leaves nothing behind, and says what is wrong', async () => {
  await write('de hoy');
  await archiveNow();
  await trasladar(db, 'wal');
  await probarRespaldo(db);
  expect(await db.selectFrom('respaldoPrueba').selectAll().executeTakeFirstOrThrow()).toMatchObject({
    bien: true,
    dice: expect.stringMatching(/^1\d\d tablas leídas enteras, \d+ filas, 0 ventas cuadran, migración 2026/) as string,
    respaldo: expect.stringMatching(/^\d{8}T\d{6}Z$/) as string,
  });
  expect(readdirSync(respaldos).toSorted()).toEqual(['base', 'wal']);

  const again = (clave = CLAVE) => tryRestore(db, bucket, { place: join(respaldos, '.prueba'), clave });
  const { LLAVES } = process.env;
  process.env.LLAVES = `otra:${Buffer.alloc(32, 9).toString('base64')}`;
  forgetEnv();
  expect(await again()).toMatchObject({ bien: false, dice: expect.stringContaining('sus LLAVES no son') as string });
  process.env.LLAVES = LLAVES;
  forgetEnv();
  await sql`insert into bitacora (en, entidad, entidad_id, accion) values (now() - interval '5 minutes', 'prueba', '1', 'no viajó')`.execute(
    db,
  );
  expect(await again()).toMatchObject({
    bien: false,
    dice: expect.stringMatching(/^de bitacora tiene \d+ filas/) as string,
  });
  const part = [...s3.objects.keys()].find((key) => key.includes('/partes/'))!;
  s3.objects.set(part, { body: s3.objects.get(part)!.body.subarray(0, -1), at: new Date() });
  expect(await again()).toMatchObject({ bien: false, dice: expect.stringContaining('está cortado') as string });
  expect(readdirSync(respaldos).toSorted()).toEqual(['base', 'wal']);
}, 60_000);

test('the commands copy to the bucket, say what is there, bring it back, and say why not', async () => {
  await builtOnce('node');
  const at = (name: string) => ({ DATA_DIR: join(place, name) });
  const own = { ...at('tienda'), RESPALDOS: join(place, 'carpeta'), RESPALDOS_S3: `${s3.url}/por-mandato` };
  expect(await run(['respaldar'], own)).toMatchObject({
    code: 0,
    said: expect.stringMatching(/Respaldo en .*\nEn el bucket: \d{8}T\d{6}Z, y \d+ de WAL/) as string,
  });
  const { RESPALDOS_S3 } = own;
  // Another machine: it has the settings of the bucket and nothing else.
  const elsewhere = { RESPALDOS: '', RESPALDOS_S3 };
  expect(await run(['restaurar', '--lista'], elsewhere)).toMatchObject({
    code: 0,
    said: expect.stringMatching(/^s3:\d{8}T\d{6}Z .* MB\n$/) as string,
  });
  const refused: [Record<string, string>, RegExp][] = [
    [{ RESPALDOS_S3_SECRETO: 'otro' }, /no aceptó la firma/],
    [{ RESPALDO_CLAVE: 'otra frase que nadie adivina' }, /RESPALDO_CLAVE no abre/],
    [{ RESPALDO_CLAVE: '' }, /RESPALDO_CLAVE: falta: va junto con RESPALDOS_S3/],
  ];
  for (const [wrong, why] of refused) {
    const { code, said } = await run(['restaurar', 's3:ultimo'], { ...elsewhere, ...at('no'), ...wrong });
    expect(code).toBe(1);
    expect(said).toMatch(why);
    expect(said.trim().split('\n')).toHaveLength(1);
  }
  expect(existsSync(join(place, 'no', 'secretos.json'))).toBe(false);
  const back = await run(['restaurar', 's3:ultimo'], { ...elsewhere, ...at('vuelta') });
  expect(back.said).toMatch(/Del bucket llegó .*\nRestaurado: sabe hasta /);
  // The last step ran: it pauses every connection before it asks the PAC, which nobody linked here.
  expect(back.said).toMatch(/No se pudo conciliar con el PAC/);
  expect(back.said).not.toMatch(/configuración inválida/);
  expect(readFileSync(join(place, 'vuelta', 'secretos.json'), 'utf8')).toBe(
    readFileSync(join(place, 'tienda', 'secretos.json'), 'utf8'),
  );
  expect(existsSync(join(place, 'vuelta', 'del-bucket'))).toBe(false);
  expect((await run(['restaurar', 's3:ultimo'], { ...elsewhere, ...at('vuelta') })).said).toMatch(/ya hay una base/);
}, 240_000);
