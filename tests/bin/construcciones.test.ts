/** Builds side by side: what runs keeps its own while another is made, and old ones go when nobody needs them. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import type * as Construido from '../../bin/lib/construido.mjs';
import { folderOf } from '../../bin/lib/construido.mjs';
import { atEndOfFile } from '../support/endOfFile';
import { Web } from '../support/web';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const DAY_MS = 86_400_000;

/** A folder with the commands of the project and builds of its own. */
async function place() {
  const root = mkdtempSync(join(tmpdir(), 'trastienda-construcciones-'));
  atEndOfFile(() => rmSync(root, { recursive: true, force: true }));
  cpSync(join(PROJECT, 'bin'), join(root, 'bin'), { recursive: true });
  cpSync(join(PROJECT, 'package.json'), join(root, 'package.json'));
  symlinkSync(join(PROJECT, 'node_modules'), join(root, 'node_modules'));
  mkdirSync(join(root, 'build'));
  const module = pathToFileURL(join(root, 'bin/lib/construido.mjs')).href;
  const builds = (await import(module)) as typeof Construido;
  const inBuild = (...parts: string[]) => join(root, 'build', ...parts);
  const names = () => readdirSync(inBuild()).filter((name) => name !== 'actual.json');
  /** Makes a build that holds one file with these words, and makes it the current one. */
  const build = async (id: string, words = id) => {
    const name = await builds.makeBuild('node', id, (folder) => {
      mkdirSync(folder);
      writeFileSync(join(folder, 'dice.js'), `console.log(${JSON.stringify(words)}, process.argv.slice(2));`);
    });
    builds.moveTo({ node: name });
    return name;
  };
  const replaced = (name: string, days: number) => {
    const then = new Date(Date.now() - days * DAY_MS);
    utimesSync(inBuild(name), then, then);
  };
  const run = async (asked: string, ...args: string[]) => {
    const child = spawn(process.execPath, [join(root, 'bin/proceso.mjs'), asked, ...args], { stdio: 'pipe' });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += String(part)));
    await once(child, 'close');
    return said.trim();
  };
  return { root, builds, inBuild, names, build, replaced, run };
}

test('what an image brings along lies beside the builds of before, and is what starts next', async () => {
  const { root, builds, names, build, run } = await place();
  const image = await place();
  await expect(builds.takeBuilds(join(root, 'construcciones'))).rejects.toThrow('no trae construcciones');
  await build('antes');
  await image.build('nueva');
  cpSync(image.inBuild(), join(root, 'construcciones'), { recursive: true });
  // Twice, as a container that is started anew.
  for (let time = 0; time < 2; time++) {
    const { status, stdout } = spawnSync(process.execPath, [join(root, 'bin/construcciones.mjs')], {
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, 'Al día: node-nueva.\n']);
    expect(names().toSorted()).toEqual(['node-antes', 'node-nueva']);
    expect(await run('dice')).toBe('nueva []');
  }
});

test('a build is made beside the current one, and becomes it when it is whole', async () => {
  const { builds, names, build, run } = await place();
  expect(await run('dice')).toBe('Falta la construcción: npm run build');
  await build('aaa');
  expect(await run('dice', '--revisar')).toBe("aaa [ '--revisar' ]");
  const seen = await builds.makeBuild('node', 'bbb', (folder) => {
    mkdirSync(folder);
    expect([builds.currentBuilds(), names().includes('node-bbb')]).toEqual([{ node: 'node-aaa' }, false]);
  });
  expect([seen, builds.currentBuilds(), names().sort()]).toEqual([
    'node-bbb',
    { node: 'node-aaa' },
    ['node-aaa', 'node-bbb'],
  ]);
  builds.moveTo({ node: seen, web: 'web-ccc' });
  expect(builds.currentBuilds()).toEqual({ node: 'node-bbb', web: 'web-ccc' });
});

test('a build that fails leaves the current one, and nothing of itself', async () => {
  const { builds, names, build, run } = await place();
  await build('aaa');
  const failing = builds.makeBuild('node', 'bbb', (folder) => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'dice.js'), '');
    throw new Error('falta una llave');
  });
  await expect(failing).rejects.toThrow('falta una llave');
  expect([builds.currentBuilds(), names()]).toEqual([{ node: 'node-aaa' }, ['node-aaa']]);
  expect(await run('dice')).toBe('aaa []');
});

test('the sources of before take their build of before, and a forced build harms no file of it', async () => {
  const { builds, inBuild, build, run } = await place();
  await build('aaa');
  await build('bbb');
  // The one that is there is taken: nothing says other words.
  expect(await build('aaa', 'otra cosa')).toBe('node-aaa');
  expect(await run('dice')).toBe('aaa []');
  const forced = await builds.makeBuild('node', 'aaa', (folder) => void mkdirSync(folder), { force: true });
  expect(forced).toBe('node-aaa.2');
  builds.moveTo({ node: forced });
  expect([builds.isCurrent('node', 'aaa'), builds.isCurrent('node', 'bbb')]).toEqual([true, false]);
  expect(existsSync(inBuild('node-aaa/dice.js'))).toBe(true);
  // A process of the launcher stays with the build that it names.
  expect(await run('node-bbb/dice')).toBe('bbb []');
});

test('old builds go; the current one, those in use and the last ones of a week stay', async () => {
  const { root, builds, inBuild, names, build, replaced } = await place();
  for (const id of ['old', 'used', 'young', 'now']) await build(id);
  mkdirSync(inBuild('.web-interrumpida'));
  mkdirSync(inBuild('client'));
  for (const name of ['node-old', 'node-used', 'node-now', 'client']) replaced(name, 8);
  replaced('node-young', 6);
  const holder = spawn(
    process.execPath,
    [
      '-e',
      `import('${pathToFileURL(join(root, 'bin/lib/construido.mjs')).href}').then(({ holdBuild }) => {
      holdBuild('node', 'node-used'); console.log('ya'); setInterval(() => {}, 1e6);
    })`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  atEndOfFile(() => holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  const proc = existsSync('/proc/self/fd');
  builds.removeOldBuilds();
  expect(names().sort()).toEqual(['node-now', ...(proc ? ['node-used'] : []), 'node-young']);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  builds.removeOldBuilds();
  expect(names().sort()).toEqual(['node-now', 'node-young']);
  // However many there are within a week, some are kept.
  for (let number = 0; number < 8; number++) await build(`n${number}`);
  for (let number = 0; number < 8; number++) replaced(`node-n${number}`, 5 - number / 10);
  replaced('node-now', 6);
  replaced('node-young', 6);
  builds.removeOldBuilds();
  expect(names().sort()).toEqual(['node-n3', 'node-n4', 'node-n5', 'node-n6', 'node-n7']);
});

/** Assets of a build by name, without their compressed copies. */
const assetsIn = (build: string) => readdirSync(join(build, 'client/assets')).filter((name) => !name.endsWith('.br'));

let here: Awaited<ReturnType<typeof place>>;
let old: Web;
let assets: string[];
beforeAll(async () => {
  // Without a running web of this file, builtOnce has not been asked yet.
  const { builtOnce } = await import('../support/processes/built');
  await builtOnce('web');
  here = await place();
  cpSync(folderOf('web'), here.inBuild('web-vieja'), { recursive: true });
  here.builds.moveTo({ web: 'web-vieja' });
  assets = assetsIn(here.inBuild('web-vieja'));
  old = await Web.start({ PRIMERA_DICHA: '1' }, here.root);
}, 180_000);

test('a build beside a running web takes no asset from it, and the web stays with its own', async () => {
  const { builds, inBuild } = here;
  const answers = new Map<number, number>();
  let over = false;
  const visitor = (async () => {
    for (let turn = 0; !over || turn === 0; turn++)
      for (const name of [...assets, '../login']) {
        const { status, body } = await old.fetch(`/assets/${name}`);
        await body?.cancel();
        answers.set(status, (answers.get(status) ?? 0) + 1);
      }
  })();
  const name = await builds.makeBuild('web', 'nueva', async (folder) => {
    cpSync(inBuild('web-vieja'), folder, { recursive: true });
    const [one] = assetsIn(folder);
    rmSync(join(folder, 'client/assets', one!));
    writeFileSync(join(folder, 'client/assets/nuevo-12345678.js'), 'export {};');
    writeFileSync(join(folder, 'client/assets/nuevo-12345678.js.br'), 'en brotli');
    await new Promise((resolve) => setTimeout(resolve, 500));
  });
  builds.moveTo({ web: name });
  builds.removeOldBuilds();
  over = true;
  await visitor;
  expect(Object.fromEntries(answers)).toEqual({ 200: expect.any(Number) });
  expect((await old.fetch('/login')).status).toBe(200);
  // Nothing is left of the way in which the folder was made while it was not whole.
  expect(here.names().sort()).toEqual(['web-nueva', 'web-vieja']);
});

test('any web serves the assets of every build that is kept, as its own, and none that exists nowhere', async () => {
  const young = await Web.start({ PRIMERA_DICHA: '1' }, here.root);
  const gone = assets.find((name) => !existsSync(here.inBuild('web-nueva/client/assets', name)))!;
  const tell = async (web: Web, name: string) => {
    const { status, headers } = await web.fetch(`/assets/${name}`, { headers: { 'Accept-Encoding': 'identity' } });
    return [status, headers.get('Cache-Control'), headers.get('Content-Security-Policy')];
  };
  const KEPT = [200, 'public, max-age=31536000, immutable', null];
  expect(await tell(young, gone)).toEqual(KEPT);
  expect(await tell(old, 'nuevo-12345678.js')).toEqual(KEPT);
  const raw = await old.raw(['GET /assets/nuevo-12345678.js HTTP/1.1', 'Host: 127.0.0.1', 'Accept-Encoding: br']);
  expect([raw.status, raw.text]).toEqual([200, expect.stringContaining('en brotli')]);
  for (const web of [old, young])
    for (const [name, status] of [
      ['no-existe.js', 404],
      ['..%2f..%2factual.json', 400],
      ['a/nuevo-12345678.js', 404],
    ])
      expect([name, (await web.fetch(`/assets/${name}`)).status]).toEqual([name, status]);
  // A build that was removed is asked for no more.
  rmSync(here.inBuild('web-nueva/client/assets/nuevo-12345678.js.br'));
  rmSync(here.inBuild('web-nueva/client/assets/nuevo-12345678.js'));
  expect((await tell(old, 'nuevo-12345678.js'))[0]).toBe(404);
  expect(readFileSync(here.inBuild('actual.json'), 'utf8')).toContain('web-nueva');
});

test('each answer says its version, and a page of another one gets no data to draw', async () => {
  const page = await old.fetch('/login');
  const version = page.headers.get('X-Construccion')!;
  expect(version).toMatch(/^[0-9a-f]{8}$/);
  const ask = async (path: string, says?: string) => {
    const { status, headers } = await old.fetch(path, {
      headers: says === undefined ? {} : { 'X-Construccion': says },
    });
    return [status === 204, headers.get('X-Construccion')];
  };
  expect(await ask('/login.data')).toEqual([false, version]);
  expect(await ask('/login.data', version)).toEqual([false, version]);
  expect(await ask('/login.data', 'de-antes')).toEqual([true, version]);
  expect(await ask('/login', 'de-antes')).toEqual([false, version]);
  // What was sent is accepted or refused by its form.
  const sent = await old.post(
    '/login.data',
    { intent: 'entrar', usuario: 'nadie', password: 'x' },
    {
      headers: { 'X-Construccion': 'de-antes' },
    },
  );
  expect(sent.status).not.toBe(204);
  const empty = async (says: string) => {
    const answer = await old.post('/login.data', { intent: 'entrar' }, { headers: { 'X-Construccion': says } });
    return [answer.status, (await answer.text()).includes('Esta pantalla cambió.')];
  };
  expect([await empty(version), await empty('de-antes')]).toEqual([
    [422, false],
    [409, true],
  ]);
});
