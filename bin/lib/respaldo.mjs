import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { makeFolder, makeFolderOf } from './carpeta.mjs';
import { ensureBuilt } from './build.mjs';
import { folderOf } from './construido.mjs';
import { ensureInstalled } from './install.mjs';
import { Complaint, seconds } from './project.mjs';
import { livingRun } from './runfile.mjs';
import { childEnv, readSettings, secretsOf, webEnv } from './settings.mjs';
import { tool } from './tool.mjs';

const database = async () => {
  await ensureInstalled();
  await ensureBuilt({ halves: ['node'] });
  return import(pathToFileURL(join(folderOf('node'), 'database.js')).href);
};

/** Returns the bucket of RESPALDOS_S3; undefined without that setting. Throws a Complaint for settings that do not fit. */
function bucketIn({ bucketOf }) {
  try {
    return bucketOf(process.env);
  } catch (error) {
    throw new Complaint(error.message);
  }
}

async function copy(folder, { copyToBucket }, bucket) {
  const began = Date.now();
  const { base, wal } = await copyToBucket(bucket, { folder, keep: keep() }).catch((error) => {
    throw new Complaint(
      `El respaldo quedó en la carpeta y no llegó al bucket: ${error.message}. El worker lo intenta otra vez.`,
    );
  });
  console.log(`En el bucket: ${base ?? 'ya estaba'}, y ${wal} de WAL (${seconds(Date.now() - began)}).`);
}

const keep = () => Number(process.env.RESPALDOS_GUARDAR || 7);

/**
 * `npm run respaldar`: makes a base backup of the embedded server in RESPALDOS, with the product running or stopped.
 */
export async function makeBackup() {
  if (process.env.DATABASE_URL)
    throw new Complaint(
      'DATABASE_URL apunta a tu propio PostgreSQL: respáldalo con sus herramientas (pg_basebackup y su archivo de WAL) y guarda LLAVES aparte.',
    );
  const settings = await readSettings();
  const target = settings.backups ?? join(settings.dataDir, 'respaldos');
  makeFolderOf('RESPALDOS', target);
  const began = Date.now();
  const functions = await database();
  const { startEmbedded, backUp, freePort } = functions;
  const bucket = bucketIn(functions);
  if (bucket && !settings.backups)
    throw new Complaint('RESPALDOS_S3 copia lo que hay en la carpeta de RESPALDOS: indica las dos.');
  const running = livingRun(settings.dataDir);
  const archive = settings.backups && join(settings.backups, 'wal');
  const server = await startEmbedded({
    folder: settings.dataDir,
    port: running ? undefined : await freePort(),
    archive,
  }).catch((error) => {
    throw new Complaint(error.message);
  });
  try {
    const name = await backUp({
      target,
      dataDir: server.dataDir,
      url: server.urlOf('postgres'),
      passphrase: process.env.RESPALDO_CLAVE,
      keep: keep(),
      secrets: {
        ...secretsOf(settings.dataDir),
        ...(process.env.LLAVES && { LLAVES: process.env.LLAVES }),
        POSTGRES_CLAVE: readFileSync(join(dirname(server.dataDir), 'postgres.clave'), 'utf8').trim(),
      },
    });
    console.log(`Respaldo en ${name} (${seconds(Date.now() - began)}).`);
    if (!process.env.RESPALDO_CLAVE)
      console.log('  Sus llaves van dentro, sin sellar: quien lo lea lo abre. Con RESPALDO_CLAVE quedan selladas.');
    if (!settings.backups)
      console.log(
        '  Está en el mismo disco y sin archivo de WAL. Con RESPALDOS=carpeta se pierde a lo más lo de dos minutos.',
      );
  } finally {
    if (!server.adopted) await server.stop();
  }
  // What was stopped just now archived its last segment.
  if (bucket) await copy(target, functions, bucket);
}

/** Writes the backups of the bucket, the oldest first. */
async function writeList(functions) {
  const found = await functions.listEnBucket(requireBucket(functions)).catch((error) => {
    throw new Complaint(error.message);
  });
  for (const { nombre, hechoEn, bytes } of found)
    console.log(`s3:${nombre}   ${hechoEn}   ${Math.ceil(bytes / 1e6)} MB`);
  if (found.length === 0) console.log('En el bucket no hay ningún respaldo entero.');
}

function requireBucket(functions) {
  const bucket = bucketIn(functions);
  if (!bucket) throw new Complaint('Di qué bucket: RESPALDOS_S3, con sus llaves y RESPALDO_CLAVE.');
  return bucket;
}

/** The newest backup of a bucket, by this word. */
const NEWEST = 'ultimo';

/**
 * `npm run restaurar -- CARPETA [--hasta FECHA]`: restores into an empty DATA_DIR, with every connection paused;
 * `s3:NOMBRE` and `s3:ultimo` restore from the bucket, and `--lista` tells what is there. `--conciliar` reconciles again
 * with the PAC.
 */
export async function restoreBackup(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { hasta: { type: 'string' }, conciliar: { type: 'boolean' }, lista: { type: 'boolean' } },
  });
  if (values.conciliar) return tool('restaurada', []);
  if (values.lista) return writeList(await database());
  const [folder] = positionals;
  const inBucket = /^s3:(.*)$/.exec(folder ?? '')?.[1];
  if (inBucket === undefined && (!folder || !existsSync(join(folder, 'respaldo.json'))))
    throw new Complaint(
      'Di qué respaldo: npm run restaurar -- respaldos/base/20260115T060000Z [--hasta 2026-01-15T18:00:00Z], o s3:ultimo',
    );
  const settings = await readSettings();
  makeFolderOf('DATA_DIR', settings.dataDir);
  if (livingRun(settings.dataDir))
    throw new Complaint('Trastienda está en marcha con estos datos: deténla, o restaura en otra carpeta con DATA_DIR.');
  const began = Date.now();
  const functions = await database();
  const { restore, migrateDatabase } = functions;
  const { base, wal, brought } =
    inBucket === undefined
      ? { base: resolve(folder), wal: join(dirname(dirname(resolve(folder))), 'wal') }
      : await bring(functions, inBucket, settings.dataDir);
  const { server, secrets, knowsUntil } = await restore({
    base,
    wal,
    folder: settings.dataDir,
    until: values.hasta,
    passphrase: process.env.RESPALDO_CLAVE,
  })
    .catch((error) => {
      throw new Complaint(error.message);
    })
    .finally(() => brought && rmSync(brought, { recursive: true, force: true }));
  try {
    const rest = { ...secrets, POSTGRES_CLAVE: undefined };
    makeFolder(settings.dataDir);
    writeFileSync(join(settings.dataDir, 'secretos.json'), `${JSON.stringify(rest, null, 2)}\n`, { mode: 0o600 });
    console.log(`Restaurado: sabe hasta ${knowsUntil.toISOString()} (${seconds(Date.now() - began)}).`);
    const { url } = await migrateDatabase(await server.ensureDatabase(settings.sandbox ? 'demo' : 'trastienda'));
    const child = spawn(process.execPath, ['--enable-source-maps', join(folderOf('node'), 'restaurada.js')], {
      stdio: 'inherit',
      env: {
        // A machine that only restores has no folder of backups, which the bucket goes with.
        ...webEnv(childEnv(settings, url)),
        RESTAURADA: JSON.stringify({ nombre: basename(base), sabeHasta: knowsUntil }),
      },
    });
    process.exitCode = await new Promise((done) => child.once('exit', (code) => done(code ?? 1)));
    console.log(
      'Arranca con npm start: todas las conexiones están en pausa hasta que un Super Usuario las active en Empresas.',
    );
  } finally {
    await server.stop();
  }
}

/** Brings a backup of the bucket beside the data that it becomes. */
async function bring(functions, asked, dataDir) {
  const bucket = requireBucket(functions);
  // A restore refuses it too, after all the bytes came.
  if (existsSync(join(functions.clusterOf(dataDir).dataDir, 'PG_VERSION')))
    throw new Complaint(`En ${dataDir} ya hay una base: restaura en otra carpeta (DATA_DIR) y nada se pierde.`);
  const brought = join(dataDir, 'del-bucket');
  rmSync(brought, { recursive: true, force: true });
  // PostgreSQL's account passes through the folder, and not into what came.
  makeFolder(dataDir);
  makeFolder(brought, 0o700);
  try {
    const { guardado, base, wal } = await functions.bringFromBucket(bucket, {
      nombre: asked === NEWEST || asked === '' ? undefined : asked,
      into: brought,
    });
    console.log(`Del bucket llegó ${guardado.nombre}.`);
    return { base, wal, brought };
  } catch (error) {
    rmSync(brought, { recursive: true, force: true });
    throw new Complaint(error.message);
  }
}
