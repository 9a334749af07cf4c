/** Folders that hold a version of the product whole, as `docs/operar.md` has it installed. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
/** On the disk of the project: packages are too large for memory, and those of an old version are kept for the next run. */
const PLACES = join(PROJECT, '.cache/despliegue');
const LOCKFILE = 'package-lock.json';

/** Runs a program to its end and returns what it wrote. Throws with what it complained of. */
export async function run(cwd: string, program: string, args: string[], env: Record<string, string> = {}) {
  const { stdout } = await promisify(execFile)(program, args, {
    cwd,
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1_024 * 1_024,
  });
  return stdout;
}

/** Returns a folder with the version of a commit, or with what lies in the project now, and its packages. */
export async function placeOf(commit?: string): Promise<string> {
  const place = join(PLACES, commit ?? 'ahora');
  // The packages of a version that is written down do not change.
  if (!commit || !existsSync(join(place, LOCKFILE))) {
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place, { recursive: true });
    if (commit) await run(PROJECT, 'sh', ['-c', `git archive ${commit} | tar -x -C "${place}"`]);
    else
      for (const path of (await run(PROJECT, 'git', ['ls-files', '--cached', '--others', '--exclude-standard'])).split(
        '\n',
      ))
        if (path !== '' && existsSync(join(PROJECT, path))) {
          mkdirSync(dirname(join(place, path)), { recursive: true });
          cpSync(join(PROJECT, path), join(place, path));
        }
  }
  const lockOf = (folder: string) => readFileSync(join(folder, LOCKFILE), 'utf8');
  if (!existsSync(join(place, 'node_modules')))
    if (lockOf(place) === lockOf(PROJECT))
      cpSync(join(PROJECT, 'node_modules'), join(place, 'node_modules'), { recursive: true, verbatimSymlinks: true });
    else await run(place, 'npm', ['ci', '--include=dev', '--no-audit', '--no-fund']);
  return place;
}

/** `npm run build`, beside what runs. */
export const build = (place: string) => run(place, process.execPath, ['bin/build.mjs']);

/** `npm run migrate`, or what it would hold up. */
export const migrate = (place: string, env: Record<string, string>, ...args: string[]) =>
  run(place, process.execPath, ['bin/proceso.mjs', 'migrate', ...args], env);

/** Each folder gets the web builds of the other, so old pages find their assets at any web. */
export async function shareWebBuilds(one: string, other: string): Promise<void> {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const)
    await run(PROJECT, 'sh', ['-c', `cp -an "${from}"/build/web-* "${to}/build/"`]);
}

/** Makes the next version in a folder: a column that its code asks for, and another colour. */
export function plantNextVersion(place: string): void {
  const name = '99991231_0000_despliegue';
  writeFileSync(
    join(place, `db/migrations/${name}.ts`),
    `import { type Kysely, sql } from 'kysely';
export async function up(db: Kysely<unknown>) {
  await sql\`alter table orden add column despliegue text\`.execute(db);
}
`,
  );
  const index = join(place, 'db/migrations/index.ts');
  const words = readFileSync(index, 'utf8');
  const last = words.lastIndexOf('\n};');
  if (last === -1) throw new Error('the list of migrations has another form');
  writeFileSync(
    index,
    `import * as despliegue from './${name}';\n${words.slice(0, last)}\n  '${name}': despliegue,${words.slice(last)}`,
  );
  const sheet = join(place, 'app/ui/tokens.css');
  writeFileSync(sheet, `${readFileSync(sheet, 'utf8')}\n:root { --despliegue: 1px; }\n`);
}
