import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll } from 'vitest';
import { programOf } from '../../../bin/lib/settings.mjs';
import { builtOnce, ON_A_LEASH } from './built';

const running = new Set<WorkerProcess>();

/** Ends what a file left behind; call it at the top of the file. */
export function stopWorkersAtTheEnd() {
  afterAll(() => Promise.all([...running].map((worker) => worker.kill('SIGKILL'))));
}

/** The product's worker, as production runs it: a process of its own that can be stopped, frozen and killed. */
export class WorkerProcess {
  readonly lines: string[] = [];
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;

  private constructor(private readonly child: ChildProcess) {
    running.add(this);
    this.exited = new Promise((resolve) =>
      child.once('exit', (code, signal) => {
        running.delete(this);
        resolve({ code, signal });
      }),
    );
    for (const stream of [child.stdout!, child.stderr!]) {
      createInterface({ input: stream }).on('line', (line) => {
        this.lines.push(line);
        if (this.lines.length > 2_000) this.lines.shift();
      });
    }
  }

  /** Starts one and waits until it takes jobs. Its settings are this process's, with `env` on top; `root` holds the commands and the builds. */
  static async start(env: Record<string, string> = {}, root?: string): Promise<WorkerProcess> {
    if (root === undefined) await builtOnce('node');
    const child = spawn(process.execPath, [...ON_A_LEASH, ...programOf('worker')], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.on('error', () => {});
    const worker = new WorkerProcess(child);
    const ready = new Promise<void>((resolve) =>
      createInterface({ input: child.stdout! }).on('line', (line) => line.includes('"worker listo"') && resolve()),
    );
    const ended = worker.exited.then(({ code }) => {
      if (worker.lines.some((line) => line.includes('"worker listo"'))) return;
      throw new Error(`the worker ended with ${code} before it was ready:\n${worker.lines.join('\n')}`);
    });
    await Promise.race([ready, ended]);
    return worker;
  }

  get pid(): number {
    return this.child.pid!;
  }

  get alive(): boolean {
    return running.has(this);
  }

  signal(signal: NodeJS.Signals): void {
    if (this.alive) this.child.kill(signal);
  }

  /** Signals and waits for the end. */
  async kill(signal: NodeJS.Signals = 'SIGTERM') {
    this.signal(signal);
    return this.exited;
  }
}
