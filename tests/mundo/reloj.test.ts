import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { moveClock, openClient, plantClock } from './reloj/base';
import { startEmbedded, type Embedded } from '../../db/embedded';

const HOUR = 3_600_000;
const folder = mkdtempSync(join(tmpdir(), 'reloj-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the clock of processes', () => {
  /** What a program writes under the moved clock. */
  function told(program: string): Promise<string> {
    const clock = join(folder, 'reloj');
    const file = join(folder, 'programa.mjs');
    writeFileSync(clock, '0');
    writeFileSync(file, program);
    const mover = pathToFileURL(join(import.meta.dirname, 'reloj/mover.mjs')).href;
    const child = spawn(process.execPath, ['--import', mover, file], { env: { ...process.env, RELOJ: clock } });
    let words = '';
    child.stdout.on('data', (part: Buffer) => (words += part.toString()));
    child.stderr.on('data', (part: Buffer) => (words += part.toString()));
    return new Promise((done) => child.once('close', () => done(words.trim())));
  }
  const MOVE = `import { writeFileSync } from 'node:fs'; const move = (ms) => writeFileSync(process.env.RELOJ, String(ms));`;

  it('tells the moved time, and ends waits that fell due', async () => {
    const words = await told(`import { setTimeout as sleep } from 'node:timers/promises'; ${MOVE}
      const [began, machine] = [Date.now(), performance.now()];
      let times = 0;
      const every = setInterval(() => times++, 60_000);
      setTimeout(() => move(${HOUR}), 50);
      await sleep(${HOUR});
      clearInterval(every);
      const later = new Date();
      console.log(times, later - began >= ${HOUR}, performance.now() - machine < 10_000, later instanceof Date, later.constructor === Date, new Date(5).getTime());`);
    expect(words).toBe('1 true true true true 5');
  });

  it('does not fire a wait that was ended, nor one twice', async () => {
    const words = await told(`${MOVE}
      let fired = 0;
      clearTimeout(setTimeout(() => console.log('ended'), ${HOUR}));
      setTimeout(() => fired++, ${HOUR});
      setTimeout(() => move(2 * ${HOUR}), 20);
      setTimeout(() => { console.log(fired); process.exit(0); }, 600);`);
    expect(words).toBe('1');
  });
});

describe('the clock of a database', () => {
  let server: Embedded;
  let url: string;
  beforeAll(async () => {
    server = await startEmbedded({ folder: join(folder, 'base'), durable: false });
    url = await server.ensureDatabase('reloj');
    await plantClock(url);
  }, 60_000);
  afterAll(() => server.stop());

  it('moves defaults, statements and functions, and new tables lie where they lay', async () => {
    const client = await openClient(url);
    await client.query(`create table visita (en timestamptz default now())`);
    await moveClock(client, HOUR);
    await client.query('insert into visita default values');
    const { rows } = await client.query<Record<string, unknown>>(
      `select extract(epoch from en - pg_catalog.now())::int as escrita, extract(epoch from clock_timestamp() - pg_catalog.clock_timestamp())::int as leida,
         current_schema() as esquema from visita`,
    );
    expect(rows).toEqual([{ escrita: 3600, leida: 3600, esquema: 'public' }]);
    await client.end();
  });

  it('is asked by functions alone: nothing of ours names a time that cannot be shadowed', () => {
    const sources = ['app', 'db', 'jobs'].flatMap((root) =>
      readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => join(root, name)),
    );
    expect(sources.length).toBeGreaterThan(500);
    const strange = sources.filter((file) =>
      /\b(?:current_timestamp|current_date|localtimestamp|localtime|current_time)\b(?!')/i.test(
        readFileSync(file, 'utf8'),
      ),
    );
    expect(strange).toEqual([]);
  });
});
