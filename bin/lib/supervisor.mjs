import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { closeLog, isDiskFault, lastLines, openLog, rotateLog } from './logs.mjs';
import { at } from './project.mjs';
import { kill } from './runfile.mjs';

const LEASH = pathToFileURL(at('bin/lib/leash.mjs')).href;

/** How often the logs are looked at while everything runs. */
const LOOK_AT_LOGS_MS = 30_000;

/** Starts the processes of the product, starts again those that crash, and stops them in the order asked for. */
export class Supervisor {
  #logs;
  #runFile;
  #children = new Map();
  #closing = false;
  #written = new Set();

  constructor(dataDir, runFile) {
    this.#logs = join(dataDir, 'registros');
    this.#runFile = runFile;
    try {
      mkdirSync(this.#logs, { recursive: true });
    } catch (error) {
      if (!isDiskFault(error)) throw error;
      console.error(`No se puede crear ${this.#logs} (${error.code}): los procesos siguen sin registro.`);
    }
    setInterval(() => this.#written.forEach((path) => rotateLog(path)), LOOK_AT_LOGS_MS).unref();
  }

  /** One more log that grows while everything runs. */
  watchLog(path) {
    this.#written.add(path);
  }

  logOf(name) {
    return join(this.#logs, `${name}.log`);
  }

  /** Runs for as long as the launcher does. */
  keep(name, args, env) {
    const begun = Date.now();
    const child = this.#spawn(name, args, env);
    this.#children.set(name, child);
    child.once('exit', (code, signal) => {
      if (this.#closing) return;
      const crashes = Date.now() - begun > 60_000 ? 1 : (child.crashesBefore ?? 0) + 1;
      const wait = Math.min(30_000, 500 * 2 ** (crashes - 1));
      console.error(
        `${name} se cayó (${signal ?? `código ${code}`}); arranca otra vez en ${(wait / 1000).toFixed(1)} s. Registro: ${this.logOf(name)}`,
      );
      if (crashes <= 3) console.error(this.tail(name));
      setTimeout(() => {
        if (!this.#closing) this.keep(name, args, env).crashesBefore = crashes;
      }, wait);
    });
    return child;
  }

  /** Runs once to its end. */
  async once(name, args, env) {
    const child = this.#spawn(name, args, env);
    this.#children.set(name, child);
    const code = await new Promise((done) => child.once('exit', done));
    this.#children.delete(name);
    return code;
  }

  #spawn(name, args, env) {
    if (this.#closing) throw new Error('stopping');
    const path = this.logOf(name);
    rotateLog(path);
    this.watchLog(path);
    // Straight into the file: a pipe through us would break, and take the child along, when we die.
    const log = openLog(path);
    // Its own process group: a Ctrl-C in the terminal reaches only us, and we stop things in order.
    const child = spawn(process.execPath, ['--import', LEASH, ...args], {
      cwd: at(),
      env,
      stdio: ['pipe', log ?? 'ignore', log ?? 'ignore'],
      detached: true,
    });
    closeLog(log);
    child.stdin.on('error', () => {});
    child.once('error', (error) => console.error(`${name} no arrancó: ${error.message}`));
    if (child.pid) this.#runFile.started(name, child.pid);
    child.once('exit', () => this.#runFile.ended(name));
    return child;
  }

  tail(name, lines = 12) {
    return lastLines(this.logOf(name), lines)
      .map((line) => `  ${name} | ${line.slice(0, 400)}`)
      .join('\n');
  }

  /** Nothing is started again from here on. */
  close() {
    this.#closing = true;
  }

  async stop(name, patience) {
    const child = this.#children.get(name);
    if (!child || child.exitCode !== null || child.signalCode !== null || !child.pid) return;
    const gone = new Promise((done) => child.once('exit', done));
    kill(child.pid, 'SIGTERM');
    const inTime = await Promise.race([gone.then(() => true), sleep(patience, false, { ref: false })]);
    if (!inTime) {
      console.error(`${name} no terminó en ${patience / 1000} s: se cierra a la fuerza.`);
      kill(child.pid, 'SIGKILL');
      await gone;
    }
    endGroup(child.pid);
  }

  killAll() {
    for (const child of this.#children.values()) if (child.pid && child.exitCode === null) kill(child.pid, 'SIGKILL');
  }
}

/** What a child started itself and left behind (Vite's helpers) is in its process group. */
function endGroup(pid) {
  if (process.platform !== 'win32') kill(-pid, 'SIGKILL');
}
