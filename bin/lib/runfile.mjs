import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDiskFault } from './logs.mjs';
import { readJson } from './project.mjs';

/**
 * What runs over a DATA_DIR, so that the next start can tell whether it still does and end what a killed launcher left. Advice, no more: where it cannot be written
 * (a full disk, say) everything runs on, and the next start finds its way by the ports and the server's own pid file.
 */
export class RunFile {
  #path;
  #record;
  #told = false;

  constructor(dataDir, facts) {
    this.#path = join(dataDir, 'run.json');
    this.#record = { ...facts, launcher: identify(process.pid), children: {} };
    this.#advise(() => mkdirSync(dirname(this.#path), { recursive: true }));
    this.#write();
  }

  /** Facts for those who ask while it runs; the file is readable by its owner only. */
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

/** The record of a run that is still alive. */
export function livingRun(dataDir) {
  const record = readJson(join(dataDir, 'run.json'));
  return record?.launcher && isStill(record.launcher) ? record : undefined;
}

/** Ends what an earlier launcher left behind, each only when it is surely the process that was written down. PostgreSQL is spared: it is adopted. */
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

export function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** A pid alone may be somebody else's by now; with the moment it started it is one process. */
const identify = (pid) => ({ pid, start: startOf(pid) });
const isStill = ({ pid, start }) => start !== undefined && startOf(pid) === start;

function startOf(pid) {
  if (process.platform === 'linux' && existsSync('/proc/self/stat')) {
    try {
      // After the name, which may hold spaces and parentheses: state is the first field, the start time the twentieth.
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
