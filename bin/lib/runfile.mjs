import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from './carpeta.mjs';
import { isDiskFault } from './logs.mjs';
import { readJson } from './project.mjs';

/**
 * Record of the processes over a DATA_DIR, so the next start can tell whether the product still runs, and end orphans
 * of a killed launcher. The record is advice: when the disk is full the product runs on, and the next start relies on
 * the ports and PostgreSQL's pid file.
 */
export class RunFile {
  #path;
  #record;
  #told = false;

  constructor(dataDir, facts) {
    this.#path = join(dataDir, 'run.json');
    this.#record = { ...facts, launcher: identify(process.pid), children: {} };
    this.#advise(() => makeFolder(dirname(this.#path)));
    this.#write();
  }

  /** Adds facts for commands beside the running product; only the owner can read the file. */
  note(facts) {
    Object.assign(this.#record, facts);
    this.#write();
  }

  started(name, pid) {
    this.#record.children[name] = identify(pid);
    this.#write();
  }

  ended(name) {
    delete this.#record.children[name];
    this.#write();
  }

  close() {
    this.#advise(() => rmSync(this.#path, { force: true }));
  }

  #write() {
    this.#advise(() => {
      writeFileSync(`${this.#path}.nuevo`, `${JSON.stringify(this.#record, null, 2)}\n`, { mode: 0o600 });
      renameSync(`${this.#path}.nuevo`, this.#path);
      this.#told = false;
    });
  }

  #advise(work) {
    try {
      work();
    } catch (error) {
      if (!isDiskFault(error)) throw error;
      if (!this.#told) console.error(`No se pudo escribir ${this.#path} (${error.code}); todo sigue en marcha.`);
      this.#told = true;
    }
  }
}

/** Returns the record of a run that is still alive; undefined otherwise. */
export function livingRun(dataDir) {
  const record = readJson(join(dataDir, 'run.json'));
  return record?.launcher && isStill(record.launcher) ? record : undefined;
}

/**
 * Ends the orphans of an earlier launcher and returns their names. A process is ended only when surely the recorded
 * process. PostgreSQL stays, to be adopted, unless `alsoDatabase`.
 */
export async function endOrphans(dataDir, { alsoDatabase = false } = {}) {
  const left = Object.entries(readJson(join(dataDir, 'run.json'))?.children ?? {}).filter(
    ([name, who]) => (alsoDatabase || name !== 'postgres') && isStill(who),
  );
  for (const [signal, patience] of [
    ['SIGTERM', 5_000],
    ['SIGKILL', 2_000],
  ]) {
    const alive = left.filter(([, who]) => isStill(who));
    for (const [name, { pid }] of alive) kill(pid, name === 'postgres' && signal === 'SIGTERM' ? 'SIGINT' : signal);
    for (const end = Date.now() + patience; Date.now() < end && alive.some(([, who]) => isStill(who));) await sleep(20);
  }
  return left.map(([name]) => name);
}

/** Interval between looks at the processes that a run depends on. */
const LOOK_AT_STARTER_MS = 1_000;

/** Calls `then` once, within a second after the first of some processes is gone. */
export function whenGone(pids, then) {
  const all = pids.map(identify);
  const look = setInterval(() => {
    if (all.every(isStill)) return;
    clearInterval(look);
    then();
  }, LOOK_AT_STARTER_MS);
  look.unref();
}

/** Sends a signal; a process that is gone is no error. */
export function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Identity of a process: a pid may be reused, so the start time belongs to the identity. */
const identify = (pid) => ({ pid, start: startOf(pid) });
const isStill = ({ pid, start }) => start !== undefined && startOf(pid) === start;

function startOf(pid) {
  if (process.platform === 'linux' && existsSync('/proc/self/stat')) {
    try {
      // The name may hold spaces and parentheses. After the name, the first field is the state and the twentieth the
      // start time.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
    } catch (error) {
      if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined;
      throw error;
    }
  }
  try {
    return (
      execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim() || undefined
    );
  } catch {
    return undefined;
  }
}
