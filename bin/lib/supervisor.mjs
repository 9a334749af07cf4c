import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { makeFolder } from './carpeta.mjs';
import { closeLog, isDiskFault, lastLines, openLog, rotateLog } from './logs.mjs';
import { at } from './project.mjs';
import { kill } from './runfile.mjs';

const LEASH = pathToFileURL(at('bin/lib/leash.mjs')).href;

/** Interval between looks at the size of the logs. */
const LOOK_AT_LOGS_MS = 30_000;

/**
 * Starts the processes of the product, restarts crashed processes, and stops the processes in the order of the caller.
 */
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
      makeFolder(this.#logs);
    } catch (error) {
      if (!isDiskFault(error)) throw error;
      console.error(`No se puede crear ${this.#logs} (${error.code}): los procesos siguen sin registro.`);
    }
    setInterval(() => this.#written.forEach((path) => rotateLog(path)), LOOK_AT_LOGS_MS).unref();
  }

  /** Adds a log to rotate when the log grows. */
  watchLog(path) {
    this.#written.add(path);
  }

  logOf(name) {
    return join(this.#logs, `${name}.log`);
  }

  /** Starts a process and restarts the process after each crash, with growing waits. */
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

  /** Runs a process to its end and returns its exit code. */
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
    // The output goes straight into the file: a pipe through this process would break at its death and take the child
    // along.
    const log = openLog(path);
    // The child gets a process group of its own: a Ctrl-C in the terminal reaches only the launcher, and the launcher
    // stops the processes in order.
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

  /** Ends all restarts. */
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

/** Ends the processes that a child started and left behind (Vite's helpers): its process group has them all. */
function endGroup(pid) {
  if (process.platform !== 'win32') kill(-pid, 'SIGKILL');
}
