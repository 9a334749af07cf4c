import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './build.mjs';
import { folderOf } from './construido.mjs';
import { ensureInstalled } from './install.mjs';
import { Complaint, seconds } from './project.mjs';
import { livingRun } from './runfile.mjs';
import { childEnv, readSettings, secretsOf } from './settings.mjs';
import { tool } from './tool.mjs';

const database = async () => {
  await ensureInstalled();
  await ensureBuilt({ halves: ['node'] });
  return import(pathToFileURL(join(folderOf('node'), 'database.js')).href);
};

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
  const began = Date.now();
  const { startEmbedded, backUp, freePort } = await database();
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
      keep: Number(process.env.RESPALDOS_GUARDAR || 7),
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
}

/**
 * `npm run restaurar -- CARPETA [--hasta FECHA]`: restores into an empty DATA_DIR, with every connection paused.
 * `--conciliar` reconciles again with the PAC.
 */
export async function restoreBackup(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { hasta: { type: 'string' }, conciliar: { type: 'boolean' } },
  });
  if (values.conciliar) return tool('restaurada', []);
  const [folder] = positionals;
  if (!folder || !existsSync(join(folder, 'respaldo.json')))
    throw new Complaint(
      'Di qué respaldo: npm run restaurar -- respaldos/base/20260115T060000Z [--hasta 2026-01-15T18:00:00Z]',
    );
  const settings = await readSettings();
  if (livingRun(settings.dataDir))
    throw new Complaint('Trastienda está en marcha con estos datos: deténla, o restaura en otra carpeta con DATA_DIR.');
  const began = Date.now();
  const { restore, migrateDatabase } = await database();
  const base = resolve(folder);
  const { server, secrets, knowsUntil } = await restore({
    base,
    wal: join(dirname(dirname(base)), 'wal'),
    folder: settings.dataDir,
    until: values.hasta,
    passphrase: process.env.RESPALDO_CLAVE,
  }).catch((error) => {
    throw new Complaint(error.message);
  });
  try {
    const rest = { ...secrets, POSTGRES_CLAVE: undefined };
    mkdirSync(settings.dataDir, { recursive: true });
    writeFileSync(join(settings.dataDir, 'secretos.json'), `${JSON.stringify(rest, null, 2)}\n`, { mode: 0o600 });
    console.log(`Restaurado: sabe hasta ${knowsUntil.toISOString()} (${seconds(Date.now() - began)}).`);
    const { url } = await migrateDatabase(await server.ensureDatabase(settings.sandbox ? 'demo' : 'trastienda'));
    const child = spawn(process.execPath, ['--enable-source-maps', join(folderOf('node'), 'restaurada.js')], {
      stdio: 'inherit',
      env: {
        ...childEnv(settings, url),
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
