import { spawn } from 'node:child_process';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt } from './build.mjs';
import { makeFolderOf } from './carpeta.mjs';
import { holdBuild } from './construido.mjs';
import { ensureInstalled } from './install.mjs';
import { Complaint } from './project.mjs';
import { endOrphans, kill, livingRun, RunFile, whenGone } from './runfile.mjs';
import { childEnv, readSettings, programOf, requirePorts, sandboxEnv, webEnv, webOf, workerOf } from './settings.mjs';
import { Supervisor } from './supervisor.mjs';

/** Time in ms that each process gets to finish its work. */
const PATIENCE = { web: 15_000, worker: 20_000, seed: 2_000, compras: 2_000, sandbox: 5_000 };

/** Runs the product until SIGTERM or Ctrl-C. `dev` serves the sources through Vite. */
export async function start({ dev = false } = {}) {
  const clock = startClock();
  const settings = await readSettings();
  makeFolderOf('DATA_DIR', settings.dataDir);
  if (settings.backups) makeFolderOf('RESPALDOS', settings.backups);
  const living = livingRun(settings.dataDir);
  if (living) {
    throw new Complaint(
      `Trastienda ya está en marcha con estos datos (proceso ${living.launcher.pid}): ${living.appUrl}. Deténla, o arranca otra con DATA_DIR=otra-carpeta PORT=3100 npm start`,
    );
  }
  const orphans = await endOrphans(settings.dataDir);
  if (orphans.length > 0)
    console.log(`Quedaban procesos de un arranque anterior y se cerraron: ${orphans.join(', ')}.`);
  await requirePorts(settings);
  clock.lap('preparado');
  if (await ensureInstalled({ before: () => endOrphans(settings.dataDir, { alsoDatabase: true }) }))
    clock.lap('dependencias');

  const run = new Run(settings, dev);
  run.listenForSignals();
  run.endWith(settings.startedBy);
  try {
    await run.begin(clock);
  } catch (error) {
    if (run.stopping) return;
    console.error(error instanceof Complaint ? error.message : error);
    await run.stop(1);
  }
}

class Run {
  #settings;
  #dev;
  #runFile;
  #supervisor;
  /** Folder of the build of the processes, which a crash or a build beside us does not change. */
  #node;
  /** A promise, so that a stop during the start waits and then stops PostgreSQL. */
  #postgres;
  #postgresPid;
  stopping = undefined;

  constructor(settings, dev) {
    this.#settings = settings;
    this.#dev = dev;
    this.#runFile = new RunFile(settings.dataDir, { appUrl: settings.appUrl });
    this.#supervisor = new Supervisor(settings.dataDir, this.#runFile);
  }

  async begin(clock) {
    const settings = this.#settings;
    if ((await ensureBuilt({ halves: ['node'] })).length > 0) clock.lap('procesos construidos');
    this.#node = holdBuild('node');
    const webBuilt = this.#dev
      ? Promise.resolve()
      : ensureBuilt({ halves: ['web'] }).then((built) => {
          if (built.length > 0) clock.lap('web construida');
          return holdBuild('web');
        });
    webBuilt.catch(() => {});
    if (settings.sandbox) this.#supervisor.keep('sandbox', programOf('sandbox', this.#node), sandboxEnv(settings));

    const { startEmbedded, migrateDatabase, keepSessionSettings } = await import(
      pathToFileURL(join(this.#node, 'database.js')).href
    );
    const database =
      settings.databaseUrl ??
      (await this.#startPostgres(startEmbedded).catch((error) => {
        throw new Complaint(error.message);
      }));
    clock.lap('base de datos');
    const migrate = async () => {
      const { directUrl, ownerUrl } = settings;
      const migrated = await migrateDatabase(ownerUrl ?? database, ownerUrl && (directUrl ?? database));
      if (directUrl) await keepSessionSettings(directUrl);
      // Web and worker go through the PgBouncer.
      return directUrl ? { ...migrated, url: database } : migrated;
    };
    const {
      applied,
      url: databaseUrl,
      warning,
    } = await this.#unlessStopping(
      migrate().catch((error) => {
        throw new Complaint(`La base de datos no quedó lista: ${error.message}`);
      }),
    );
    if (warning) console.error(`Aviso: ${warning}.`);
    this.#runFile.note({ databaseUrl });
    clock.lap('migraciones');
    const web = await this.#unlessStopping(webBuilt);

    const env = childEnv(settings, databaseUrl);
    const tsx = ['--import', 'tsx'];
    this.#supervisor.keep(
      'web',
      this.#dev ? ['--enable-source-maps', 'bin/web.mjs'] : webOf(web),
      webEnv(this.#dev ? { ...env, NODE_ENV: 'development' } : env),
    );
    this.#supervisor.keep(
      'worker',
      this.#dev ? ['--enable-source-maps', '--watch', ...tsx, 'bin/worker.ts'] : workerOf(this.#node),
      env,
    );
    const seed = () => (settings.sandbox ? this.#seed(env, clock) : Promise.resolve());
    // An old database has hardly anything to seed, so the page comes first.
    const early = applied.length > 0 ? seed() : undefined;
    early?.catch(() => {});
    await this.#unlessStopping(this.#answers('/', 'web', 60_000));
    clock.lap('página servida');
    await this.#unlessStopping(early ?? seed());
    await this.#unlessStopping(this.#answers('/healthcheck', 'worker', 60_000));
    clock.lap('todo en marcha');
    greet(settings, clock);
    if (!settings.sandbox) sayFirst(this.#node, env);
    // Who tells stories to the product brings rows of their own.
    else if (settings.startedBy.length === 0) this.#seedCompras(env).catch(() => {});
  }

  async #startPostgres(startEmbedded) {
    const { dataDir } = this.#settings;
    const begin = async (port) => {
      if (this.stopping) throw new Error('stopping');
      const archive = this.#settings.backups && join(this.#settings.backups, 'wal');
      this.#postgres = startEmbedded({ folder: dataDir, port, archive });
      const postgres = await this.#postgres;
      this.#postgresPid = postgres.pid;
      this.#runFile.started('postgres', postgres.pid);
      this.#supervisor.watchLog(postgres.logFile);
      void postgres.exited.then(async () => {
        if (this.stopping) return;
        console.error('PostgreSQL se cerró; arranca otra vez.');
        // PostgreSQL returns on the same port, because every process holds its address.
        for (let wait = 500; !this.stopping; wait = Math.min(wait * 2, 30_000)) {
          try {
            return await begin(postgres.port);
          } catch (error) {
            if (this.stopping) return undefined;
            console.error(error.message);
            await sleep(wait);
          }
        }
      });
      return postgres;
    };
    const postgres = await begin();
    if (postgres.adopted) console.log('La base de datos seguía en marcha y se adoptó.');
    // The demo never shares a database with real sales.
    return postgres.ensureDatabase(this.#settings.sandbox ? 'demo' : 'trastienda');
  }

  /** Seeds the demo's data; the seed itself knows whether anything is missing. */
  async #seed(env, clock) {
    await this.#reaches(env.SANDBOX_URL, 20_000);
    const code = await this.#supervisor.once('seed', programOf('seed', this.#node), env);
    if (code !== 0 && !this.stopping)
      console.error(
        `Los datos de demostración quedaron incompletos; se completan en el próximo arranque.\n${this.#supervisor.tail('seed')}`,
      );
    clock.lap('datos de demostración');
  }

  /** Seeds the purchases of the demo while people look: they need the catalogues, which take their time. */
  async #seedCompras(env) {
    const code = await this.#supervisor.once('compras', [...programOf('seed', this.#node), 'compras'], env);
    if (code !== 0 && !this.stopping)
      console.error(`Las compras de demostración quedaron sin hacer.\n${this.#supervisor.tail('compras')}`);
  }

  async #answers(path, name, patience) {
    const { host, port } = this.#settings;
    const address = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
    if (await this.#reaches(`http://${address}:${port}${path}`, patience)) return;
    if (!this.stopping)
      throw new Complaint(`${name} no respondió en ${patience / 1000} s.\n${this.#supervisor.tail(name)}`);
  }

  async #reaches(url, patience) {
    for (const end = Date.now() + patience; Date.now() < end && !this.stopping; await sleep(25)) {
      const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5_000) }).catch(
        () => undefined,
      );
      await answer?.arrayBuffer().catch(() => undefined);
      if (answer && answer.status < 500) return true;
    }
    return false;
  }

  /** Awaits a step of the start; throws when a stop came meanwhile. */
  async #unlessStopping(promise) {
    const result = await promise;
    if (this.stopping) throw new Error('stopping');
    return result;
  }

  listenForSignals() {
    process.stdout.on('error', () => {});
    process.stderr.on('error', () => {});
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
      process.removeAllListeners(signal);
      process.on(signal, () => {
        if (!this.stopping) {
          console.log('\nDeteniendo Trastienda...');
          void this.stop(0);
        } else if (signal === 'SIGINT') {
          this.#force();
        }
      });
    }
  }

  /** Stops the product when a process that started it is gone: a test run that was killed tells nobody to stop. */
  endWith(starters) {
    if (starters.length === 0) return;
    whenGone(starters, () => {
      if (this.stopping) return;
      console.log('\nTerminó quien arrancó Trastienda: se detiene.');
      void this.stop(0);
    });
  }

  /** Stops web, worker, the rest and the database, in this order: each finishes while its dependencies still run. */
  stop(code) {
    return (this.stopping ??= (async () => {
      this.#supervisor.close();
      for (const name of ['web', 'worker', 'seed', 'compras', 'sandbox'])
        await this.#supervisor.stop(name, PATIENCE[name]);
      const postgres = await this.#postgres?.catch(() => undefined);
      await postgres?.stop();
      this.#runFile.close();
      if (code === 0) console.log('Trastienda se detuvo.');
      process.exit(code);
    })().catch((error) => {
      console.error(error.message);
      process.exit(1);
    }));
  }

  #force() {
    this.#supervisor.killAll();
    // Immediate shutdown: PostgreSQL recovers at the next start.
    if (this.#postgresPid) kill(this.#postgresPid, 'SIGQUIT');
    process.exit(130);
  }
}

/** Writes the code by which the first person is made, while nobody can sign in. */
function sayFirst(folder, env) {
  const tool = spawn(process.execPath, [join(folder, 'usuario.js'), '--primera'], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  tool.on('error', (error) => console.error(error.message));
}

function startClock() {
  const began = Date.now() - Math.round(process.uptime() * 1000);
  const laps = [];
  return {
    lap: (name) => laps.push([name, Date.now() - began]),
    get total() {
      return Date.now() - began;
    },
    toString: () => laps.map(([name, ms]) => `${name} ${ms} ms`).join(' · '),
  };
}

function greet({ appUrl, sandbox, sandboxPort, dataDir }, clock) {
  const api = `http://127.0.0.1:${sandboxPort}`;
  const lines = [`\nTrastienda está lista en ${appUrl}  (${(clock.total / 1000).toFixed(1)} s)`];
  if (sandbox) {
    lines.push(
      '  Usuarios de demostración: sa, admin, user, aux, cont   Contraseña: Trastienda#1',
      `  API externas simuladas:   ${api}`,
      '',
      'Tres cosas que probar:',
      `  1. Entra como admin y pulsa «Facturar» en una venta: sale con su CFDI timbrado, en PDF y XML; el correo está en ${api}`,
      `  2. Pulsa «Simular venta» en ${api} y mírala llegar al inicio en segundos.`,
      '  3. Que el PAC se cuelgue después de timbrar, y factura otra venta: no se timbra dos veces.',
      `     curl -X POST ${api}/control/fail -H 'content-type: application/json' -d '{"api":"facturacom","mode":"hang-after-doing","times":1}'`,
    );
  } else lines.push('  Sin simulaciones.');
  lines.push('', `Registros en ${relative(process.cwd(), `${dataDir}/registros`) || '.'}. Ctrl-C detiene todo.`);
  console.log(lines.join('\n'));
  if (process.env.TIEMPOS) console.log(`Tiempos: ${clock}`);
}
