/** What leaves for the bucket, without a database server: a folder as `npm run respaldar` leaves it, and a store that checks signatures. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bucketOf, env, forgetEnv } from '~/core/env.server';
import { CONDICIONES } from '~/domain/operacion/mantenimiento/internal/condicionCatalog.server';
import { listNombres, openBucket } from '~/domain/operacion/mantenimiento/internal/respaldo/bucket.server';
import {
  findBase,
  listPendientes,
  moveBase,
  moveWal,
} from '~/domain/operacion/mantenimiento/internal/respaldo/mover.server';
import { bringRespaldo, listGuardados } from '~/domain/operacion/mantenimiento/internal/respaldo/traer.server';
import { trasladar } from '~/domain/operacion/mantenimiento/respaldoEnBucket.server';
import { webEnv } from '../../../../bin/lib/settings.mjs';
import { testDatabase } from '../../../support/db';
import { S3 } from '../../../sandbox/s3/index';

const { db } = testDatabase();
const s3 = await S3.start({ pageSize: 4 });
const CLAVE = 'una frase que nadie adivina';
let folder: string;

const settings = (clave = CLAVE) => ({
  url: `${s3.url}/tienda`,
  region: s3.account.region,
  llave: s3.account.key,
  secreto: s3.account.secret,
  clave,
});
const open = (clave?: string) => openBucket(settings(clave), 1);
const destino = () => ({ bucket: open(), folder, partBytes: PART });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trastienda-bucket-'));
  mkdirSync(join(folder, 'wal'));
  s3.objects.clear();
  s3.requests.length = 0;
  s3.heal();
  await sql`delete from respaldo_traslado`.execute(db);
  await sql`delete from respaldo_prueba`.execute(db);
});
afterEach(() => {
  vi.unstubAllEnvs();
  forgetEnv();
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => s3.stop());

const PART = 64 * 1024;
/** What does not compress, and makes two parts. */
const bulk = randomBytes(100 * 1024);
function buildBase(nombre: string, { desde = 1, sistema = 77n, small = false } = {}) {
  const base = join(folder, 'base', nombre);
  mkdirSync(join(base, 'datos/global'), { recursive: true });
  const control = Buffer.alloc(8);
  control.writeBigUInt64LE(sistema);
  writeFileSync(join(base, 'datos/global/pg_control'), control);
  writeFileSync(join(base, 'datos/16384'), small ? 'filas de un cliente' : bulk, { mode: 0o600 });
  writeFileSync(join(base, 'llaves'), 'LLAVES de la tienda', { mode: 0o600 });
  const manifest = {
    hechoEn: '2026-11-30T06:00:00.000Z',
    servidor: 180004,
    desdeWal: wal(desde),
    bytes: 1,
    llaves: 'selladas',
  };
  writeFileSync(join(base, 'respaldo.json'), JSON.stringify(manifest));
  return base;
}
const wal = (n: number, timeline = 1) =>
  `${String(timeline).padStart(8, '0')}00000000${n.toString(16).toUpperCase().padStart(8, '0')}`;
const archive = (n: number, timeline = 1) =>
  writeFileSync(join(folder, 'wal', `${wal(n, timeline)}.gz`), `segmento ${n}`);
const inBucket = (below: string) =>
  [...s3.objects.keys()].filter((key) => key.startsWith(`tienda/${below}`)).map((key) => key.slice('tienda/'.length));

const [UNO, DOS, TRES] = ['20261128T060000Z', '20261129T060000Z', '20261130T060000Z'] as const;

test('a backup goes there in sealed parts, its manifest last, and comes back as it was', async () => {
  const base = buildBase(UNO);
  expect(await findBase(destino())).toBe(UNO);
  await moveBase(destino(), UNO, 7);
  const puts = s3.requests.filter((route) => route.startsWith('PUT'));
  expect(puts).toHaveLength(3);
  expect(puts.at(-1)).toBe(`PUT tienda/base/${UNO}/respaldo.json`);
  for (const { body } of s3.objects.values())
    for (const plain of ['LLAVES de', 'desdeWal', 'respaldo', '16384'])
      expect(body.subarray(16).includes(plain), plain).toBe(false);
  expect(await findBase(destino())).toBeUndefined();

  const into = join(folder, 'otra máquina');
  const brought = await bringRespaldo(open(), { into });
  expect(readFileSync(join(brought.base, 'datos/16384')).equals(bulk)).toBe(true);
  for (const file of ['llaves', 'datos/global/pg_control'])
    expect(readFileSync(join(brought.base, file))).toEqual(readFileSync(join(base, file)));
  expect(JSON.parse(readFileSync(join(brought.base, 'respaldo.json'), 'utf8'))).toEqual(
    JSON.parse(readFileSync(join(base, 'respaldo.json'), 'utf8')),
  );
  await expect(bringRespaldo(open(), { nombre: DOS, into })).rejects.toThrow(`no hay un respaldo ${DOS}: están ${UNO}`);
});

test('another passphrase, a changed byte, a cut part, a part in the place of another, and one that is gone do not come back', async () => {
  buildBase(UNO);
  await moveBase(destino(), UNO, 7);
  const into = join(folder, 'otra');
  const bring = () => bringRespaldo(open(), { into });
  await expect(bringRespaldo(open('otra frase que nadie adivina'), { into })).rejects.toThrow('RESPALDO_CLAVE no abre');
  const [first, second] = inBucket('partes/').map((name) => `tienda/${name}`) as [string, string];
  const [one, two] = [s3.objects.get(first)!, s3.objects.get(second)!];
  const changed = Buffer.from(one.body);
  changed[changed.length >> 1]! ^= 1;
  for (const body of [changed, one.body.subarray(0, -1), two.body, Buffer.alloc(0)]) {
    s3.objects.set(first, { ...one, body });
    await expect(bring()).rejects.toThrow(/cortado/);
  }
  s3.objects.delete(first);
  await expect(bring()).rejects.toThrow(/falta «partes/);
  s3.objects.set(first, one);
  await expect(bring()).resolves.toBeTruthy();
});

test('an upload that is cut leaves no backup, and the next one makes it whole', async () => {
  buildBase(UNO);
  s3.fail('denied', { route: 'PUT tienda/base/' });
  await expect(moveBase(destino(), UNO, 7)).rejects.toThrow('les falta permiso');
  expect(await listNombres(open())).toEqual([]);
  expect(inBucket('')).toEqual([]);
  // The process dies in the middle: what it left belongs to nobody, and goes a day later.
  s3.objects.set(`tienda/partes/${UNO}/0123456789ab/000001`, {
    body: Buffer.from('media'),
    at: new Date(Date.now() - 25 * 3_600_000),
  });
  s3.objects.set(`tienda/partes/${UNO}/ba9876543210/000001`, { body: Buffer.from('otra en curso'), at: new Date() });
  expect(await findBase(destino())).toBe(UNO);
  await expect(bringRespaldo(open(), { into: folder })).rejects.toThrow('ningún respaldo entero');
  await moveBase(destino(), UNO, 7);
  expect(await listNombres(open())).toEqual([UNO]);
  expect(inBucket('partes/').filter((name) => name.includes('0123456789ab'))).toEqual([]);
  expect(inBucket('partes/').filter((name) => name.includes('ba9876543210'))).toHaveLength(1);
});

test('a part that the store keeps shorter than it was sent is no backup', async () => {
  buildBase(UNO);
  const list = open();
  const lying = {
    ...open(),
    list: async (below: string) => (await list.list(below)).map((one) => ({ ...one, bytes: one.bytes - 1 })),
  };
  await expect(moveBase({ ...destino(), bucket: lying }, UNO, 7)).rejects.toThrow('no tiene entera');
  expect(await listNombres(open())).toEqual([]);
});

test('as many backups stay as in the folder, with the WAL that they need', async () => {
  for (const [at, nombre] of [UNO, DOS, TRES].entries()) {
    buildBase(nombre, { desde: 10 * (at + 1), small: true });
    for (let n = 10 * (at + 1); n < 10 * (at + 2); n++) archive(n);
    await moveWal(destino(), await listPendientes(destino()));
    await moveBase(destino(), nombre, 2);
  }
  expect((await listGuardados(open())).map(({ nombre }) => nombre)).toEqual([DOS, TRES]);
  expect(new Set(inBucket('partes/').map((name) => name.split('/')[1]))).toEqual(new Set([DOS, TRES]));
  expect(inBucket('wal/').toSorted()[0]).toBe(`wal/${wal(20)}.gz`);
  // What was removed there does not go there again, though the folder still has it.
  expect(await listPendientes(destino())).toEqual([]);
});

test('archived WAL goes there once, from the first backup on, and again where it was archived again', async () => {
  for (const n of [1, 2, 3, 4, 5]) archive(n);
  writeFileSync(join(folder, 'wal', `${wal(6)}.gz.nuevo`), 'a medias');
  expect(await listPendientes(destino())).toEqual([]);
  buildBase(UNO, { desde: 3, small: true });
  writeFileSync(join(folder, 'wal', '00000002.history.gz'), 'historia');
  expect(await listPendientes(destino())).toEqual(
    [`${wal(3)}.gz`, `${wal(4)}.gz`, `${wal(5)}.gz`, '00000002.history.gz'].toSorted(),
  );
  await moveWal(destino(), await listPendientes(destino()));
  archive(7, 2);
  const soon = new Date(Date.now() + 5_000);
  utimesSync(join(folder, 'wal', `${wal(4)}.gz`), soon, soon);
  expect(await listPendientes(destino())).toEqual([`${wal(4)}.gz`, `${wal(7, 2)}.gz`]);
});

test('backups of two databases do not mix under one prefix', async () => {
  buildBase(UNO, { small: true });
  await moveBase(destino(), UNO, 7);
  buildBase(DOS, { sistema: 78n, small: true });
  await expect(moveBase(destino(), DOS, 7)).rejects.toThrow(/de otra base.*otro prefijo/);
  expect(await listNombres(open())).toEqual([UNO]);
});

const mira = (clave: string) => CONDICIONES.find((one) => one.clave === clave)!.mira(db);
function set(more: Record<string, string> = {}) {
  const all = {
    RESPALDOS: folder,
    RESPALDO_CLAVE: CLAVE,
    RESPALDOS_S3: `${s3.url}/tienda`,
    RESPALDOS_S3_REGION: s3.account.region,
    RESPALDOS_S3_LLAVE: s3.account.key,
    RESPALDOS_S3_SECRETO: s3.account.secret,
    ...more,
  };
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
  forgetEnv();
}

test('what does not arrive is told with its cause once it is late, and its end', async () => {
  set();
  buildBase(UNO, { small: true });
  archive(1);
  s3.fail('denied', { times: 9 });
  await trasladar(db, 'wal');
  expect(await mira('respaldoEnBucket')).toBeNull();
  await sql`update respaldo_traslado set pendiente_desde = now() - interval '11 minutes'`.execute(db);
  await trasladar(db, 'wal');
  expect(await mira('respaldoEnBucket')).toMatchObject({
    nivel: 'grave',
    texto: 'Lo respaldado en los últimos 11 minutos no está en el bucket.',
    remedio: expect.stringContaining('les falta permiso') as string,
  });
  s3.heal();
  await trasladar(db, 'wal');
  await trasladar(db, 'base');
  expect(await mira('respaldoEnBucket')).toBeNull();
  expect(inBucket('').toSorted()).toEqual([
    `base/${UNO}/respaldo.json`,
    expect.stringContaining(`partes/${UNO}/`) as string,
    `wal/${wal(1)}.gz`,
  ]);
  vi.spyOn(process, 'uptime').mockReturnValue(7_200);
  await sql`update respaldo_traslado set mirado_en = now() - interval '2 hours' where que = 'base'`.execute(db);
  await expect(mira('respaldoEnBucket')).rejects.toThrow('nadie ha comparado');
});

test('a nightly restore that failed is told, and so is one that did not run any more', async () => {
  set();
  await trasladar(db, 'wal');
  expect(await mira('respaldoProbado')).toBeNull();
  await sql`update respaldo_traslado set desde = now() - interval '60 hours'`.execute(db);
  expect(await mira('respaldoProbado')).toMatchObject({ texto: expect.stringContaining('que no se prueba') as string });
  await sql`insert into respaldo_prueba (bien, dice, segundos) values (true, 'todo', 9)`.execute(db);
  expect(await mira('respaldoProbado')).toBeNull();
  await sql`insert into respaldo_prueba (bien, dice, segundos) values (false, 'faltan las llaves', 9)`.execute(db);
  expect(await mira('respaldoProbado')).toMatchObject({
    nivel: 'grave',
    remedio: expect.stringContaining('faltan las llaves') as string,
  });
});

test('nothing leaves without its own passphrase, over plain HTTP, or without the setting', async () => {
  await trasladar(db, 'wal');
  await trasladar(db, 'base');
  expect(s3.requests).toEqual([]);
  set();
  expect(bucketOf(process.env)).toEqual(settings());
  for (const [name, value] of [
    ['RESPALDO_CLAVE', ''],
    ['RESPALDO_CLAVE', 'corta'],
    ['RESPALDOS_S3_SECRETO', ''],
    ['RESPALDOS_S3', 'http://s3.ejemplo.mx/respaldos'],
    ['RESPALDOS_S3', 'nada'],
    ['RESPALDOS_S3', 'https://s3.ejemplo.mx'],
    ['RESPALDOS_S3', 'https://yo:clave@s3.ejemplo.mx/respaldos'],
    ['RESPALDOS_S3', 'https://s3.ejemplo.mx/respaldos/con espacios'],
    ['RESPALDOS_S3_REGION', 'no es'],
  ] as const) {
    set({ [name]: value });
    expect(() => bucketOf(process.env), name).toThrow(name);
  }
});

test('who serves requests gets neither the bucket nor what seals the backups, and starts without them', () => {
  set();
  const given = Object.entries(webEnv(process.env)).filter(([, value]) => value !== undefined);
  expect(JSON.stringify(given)).not.toContain(CLAVE);
  expect(JSON.stringify(given)).not.toContain(s3.account.secret);
  set({ RESPALDOS_S3: '', RESPALDOS_S3_LLAVE: '', RESPALDOS_S3_SECRETO: '', RESPALDO_CLAVE: '' });
  expect(() => env()).not.toThrow();
});

test('web and worker do not start with half of the settings', () => {
  set({ RESPALDOS: '' });
  expect(() => env()).toThrow(/RESPALDOS: falta: lo que va al bucket/);
  set({ RESPALDOS_S3_LLAVE: '' });
  expect(() => env()).toThrow(/RESPALDOS_S3_LLAVE: falta/);
});
