/** `npm start` as people type it, with a folder and ports of its own, until its page is served and until everything runs. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '~db/embedded';
import { rounded, type Figure } from './figures';
import type { Place } from './place';

type Start = { page: number; all: number };

export async function benchStartup(place: Place, { checkout }: { checkout: boolean }): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'trastienda-bench-start-'));
  chmodSync(folder, 0o755);
  place.atEnd(() => Promise.resolve(rmSync(folder, { recursive: true, force: true })));
  try {
    const here = resolve('.');
    const first = await start(place, here, join(folder, 'data'));
    const again: Start[] = [];
    for (let n = 0; n < 3; n++) again.push(await start(place, here, join(folder, 'data')));
    const warm = again.sort((a, b) => a.page - b.page)[1]!;
    const figures: Figure[] = [
      {
        name: 'npm start, new data folder: page served',
        value: rounded(first.page),
        unit: 's',
        note: `installed and built; all running with demo data ${rounded(first.all)} s`,
      },
      {
        name: 'npm start again: page served',
        value: rounded(warm.page),
        unit: 's',
        aim: 3,
        note: `median of 3; all running ${rounded(warm.all)} s`,
      },
    ];
    if (!checkout) return figures;
    const fresh = freshCheckout(here, join(folder, 'checkout'));
    if (!fresh) return figures;
    const cold = await start(place, fresh, join(folder, 'cold'));
    return [
      ...figures,
      {
        name: 'npm start, fresh checkout: page served',
        value: rounded(cold.page),
        unit: 's',
        note: `npm ci (package cache as found), build, database; all running ${rounded(cold.all)} s`,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The files that git knows, as they are now; undefined where there is no git. */
function freshCheckout(from: string, to: string): string | undefined {
  const listed = spawnSync('git', ['ls-files', '-z'], { cwd: from, encoding: 'utf8' });
  if (listed.status !== 0) return undefined;
  for (const path of listed.stdout.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(join(from, path), join(to, path));
  }
  return to;
}

async function start(place: Place, cwd: string, dataDir: string): Promise<Start> {
  const [port, sandbox, smtp] = [await freePort(), await freePort(), await freePort()];
  // This measure goes first: later ones put the bench's own settings in the environment.
  const env = {
    ...process.env,
    DATABASE_URL: '',
    APP_URL: '',
    SANDBOX: '',
    PORT: String(port),
    SANDBOX_PORT: String(sandbox),
    SANDBOX_SMTP_PORT: String(smtp),
    DATA_DIR: dataDir,
  };
  const began = performance.now();
  const child = spawn('npm', ['start'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const gone = new Promise<void>((done) => child.once('exit', () => done()));
  const stop = () => {
    child.kill('SIGTERM');
    return gone;
  };
  place.atEnd(stop);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (said += part.toString('utf8')));
  const until = async (path: string) => {
    for (const end = performance.now() + 300_000; ; await sleep(20)) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        redirect: 'follow',
        signal: AbortSignal.timeout(5_000),
      }).catch(() => undefined);
      await answer?.arrayBuffer().catch(() => undefined);
      if (answer?.status === 200) return (performance.now() - began) / 1000;
      if (child.exitCode !== null || performance.now() > end)
        throw new Error(`npm start did not serve ${path}\n${said.slice(-2_000)}`);
    }
  };
  try {
    const page = await until('/login');
    while (!said.includes('lista en') && child.exitCode === null) await sleep(20);
    return { page, all: (performance.now() - began) / 1000 };
  } finally {
    await stop();
  }
}
