/** Two webs behind a proxy and two workers of one version, and how `docs/operar.md` takes them to the next one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../db/embedded';
import { WorkerProcess } from '../support/processes/worker';
import { Web } from '../support/web';
import { openProxy } from './proxy';

/** What the proxy needs to see that a web says no: it asks once a second. */
const CIERRE_ESPERA = '2';
/** `RestartSec` of the units. */
const RESTART_MS = 2_000;
/** A web that is not ready by then is not ready at all. */
const READY_MS = 30_000;

export interface Casa {
  base: string;
  /** Starts the same processes anew one after another, from the builds of `root`, while the others work. */
  roll(root?: string): Promise<void>;
  /** Ends a process as a machine without memory does. It is started again as its unit does it, after two seconds. */
  kill(what: 'web' | 'worker', at: 0 | 1): Promise<void>;
  /** Whether each process runs. */
  isWhole(): boolean;
  /** Lines in which a process told of an error so far. */
  errors(): string[];
  /** Stops everything, and returns the lines in which a process told of an error. */
  stop(): Promise<string[]>;
}

/** Starts webs and workers with these settings, from the builds of `root`, or from those of the project. */
export async function openCasa(env: Record<string, string>, root?: string): Promise<Casa> {
  const settings = { ...env, CIERRE_ESPERA, PRIMERA_DICHA: '1' };
  const ports = [await freePort(), await freePort()];
  const startWeb = (port: number, from?: string) => Web.start({ ...settings, PORT: String(port) }, from);
  const startWorker = (from?: string) => WorkerProcess.start({ ...settings, WORKER_CONCURRENCY: '3' }, from);
  const webs: Web[] = [];
  for (const port of ports) webs.push(await startWeb(port, root));
  const workers = [await startWorker(root), await startWorker(root)];
  const proxy = await openProxy(ports);
  const errors: string[] = [];
  const down = new Set<Web | WorkerProcess>();
  const wrong = (lines: readonly string[]) => lines.filter((line) => line.includes('"level":"error"'));
  const hear = (lines: readonly string[]) => errors.push(...wrong(lines));

  async function endWeb(web: Web) {
    const code = await web.stop();
    if (code !== 0) errors.push(`a web ended with ${code}`);
    hear(web.lines.map((line) => JSON.stringify(line)));
  }
  async function endWorker(worker: WorkerProcess) {
    const { code, signal } = await worker.kill('SIGTERM');
    if (code !== 0) errors.push(`a worker ended with ${code ?? signal}`);
    hear(worker.lines);
  }

  return {
    base: proxy.base,
    async roll(from) {
      for (const [at, port] of ports.entries()) {
        await endWeb(webs[at]!);
        webs[at] = await startWeb(port, from);
        await untilReady(port);
      }
      for (const at of workers.keys()) {
        await endWorker(workers[at]!);
        workers[at] = await startWorker(from);
      }
    },
    async kill(what, at) {
      const victim = what === 'web' ? webs[at]! : workers[at]!;
      if (down.has(victim)) return;
      down.add(victim);
      await (victim instanceof Web ? victim.stop('SIGKILL') : victim.kill('SIGKILL'));
      hear(victim instanceof Web ? victim.lines.map((line) => JSON.stringify(line)) : victim.lines);
      for (let started = false; !started;) {
        await sleep(RESTART_MS);
        started = await (what === 'web' ? startWeb(ports[at]!, root) : startWorker(root)).then(
          (next) => {
            if (next instanceof Web) webs[at] = next;
            else workers[at] = next;
            return true;
          },
          // Without its database it does not start, and its unit tries again.
          () => false,
        );
      }
      down.delete(victim);
    },
    errors: () => [
      ...errors,
      ...webs.flatMap(({ lines }) => wrong(lines.map((line) => JSON.stringify(line)))),
      ...workers.flatMap(({ lines }) => wrong(lines)),
    ],
    isWhole: () => down.size === 0,
    async stop() {
      await proxy.close();
      await Promise.all([...webs.map(endWeb), ...workers.map(endWorker)]);
      return errors;
    },
  };
}

/** As `curl --retry` does before the next web is restarted. */
async function untilReady(port: number) {
  for (const end = Date.now() + READY_MS; Date.now() < end; await sleep(100)) {
    const said = await fetch(`http://127.0.0.1:${port}/healthcheck/listo`).catch(() => undefined);
    await said?.body?.cancel();
    if (said?.ok) return;
  }
  throw new Error(`the web at ${port} was not ready in ${READY_MS / 1_000} s`);
}
