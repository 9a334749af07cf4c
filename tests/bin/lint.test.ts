import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))));

/** What the linter says of a project of these files, under the rules of this one: `rule line`, file by file. */
async function lint(files: Record<string, string>): Promise<Record<string, string[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'trastienda-lint-'));
  folders.push(folder);
  await symlink(at('node_modules'), join(folder, 'node_modules'));
  const project = {
    ...files,
    'oxlint.config.mjs': `export { default } from ${JSON.stringify(pathToFileURL(at('oxlint.config.js')))};`,
    'tsconfig.json': JSON.stringify({
      include: ['app'],
      compilerOptions: { strict: true, module: 'ESNext', moduleResolution: 'Bundler', target: 'ES2022', types: [] },
    }),
  };
  for (const [path, text] of Object.entries(project)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const args = [at('node_modules/oxlint/bin/oxlint'), '--config', 'oxlint.config.mjs', '--format', 'json'];
  const said = await new Promise<string>((resolve, reject) =>
    execFile(process.execPath, args, { cwd: folder }, (error, stdout, stderr) =>
      stdout.startsWith('{') ? resolve(stdout) : reject(new Error(stdout + stderr, { cause: error })),
    ),
  );
  const { diagnostics } = JSON.parse(said) as {
    diagnostics: { filename: string; code: string; severity: string; labels: { span: { line: number } }[] }[];
  };
  expect(diagnostics.filter(({ severity }) => severity !== 'error')).toEqual([]);
  return Object.fromEntries(
    Object.keys(files).map((path) => [
      path,
      diagnostics
        .filter(({ filename }) => filename === path)
        .map(({ code, labels }) => `${labels[0]!.span.line} ${code}`)
        .sort((a, b) => parseInt(a) - parseInt(b) || a.localeCompare(b)),
    ]),
  );
}

test('every rule of ours still speaks', async () => {
  const said = await lint({
    'app/thing.ts': 'export type Thing = number;',
    'app/wrong.tsx': `import { Thing } from './thing';
// TODO: later
export async function send() {}
send();
if (send()) throw new Error();
[1].forEach(async () => { await send(); });
export const three = await 3;
export const anything: any = three;
// @ts-ignore
export const thing: Thing = 1;
export function name(kind: 'a' | 'b') {
  switch (kind) {
    case 'a': return 1;
  }
}
const unused = 1;
export const same = anything == thing;
var old = 1;
let never = old;
export { never };
export const exponential = /^(?:a+)+$/;
export const quadratic = /a*b/;
export const twice = /[aa]/;
declare function useEffect(run: () => void, on: unknown[]): void;
export function Part({ on }: { on: boolean }) {
  if (on) useEffect(() => {}, []);
  useEffect(() => { console.log(on); }, []);
}
try { await send(); } catch (error) {}
`,
    'app/right.tsx': `import { type Thing } from './thing';
export async function send(_thing: Thing) {}
export const onClick = { press: async () => send(1) };
export function run(): () => void { return () => send(1); }
export function name(kind: 'a' | 'b') {
  switch (kind) {
    case 'a': return 1;
    default: return 2;
  }
}
export function rest({ one, ...others }: { one: number; two: number }) { return others; }
export const nothing = (value: unknown) => value == null;
`,
    'plain.mjs': `const unused = 1;
nowhere();
console.log(process.pid, fetch, Buffer);
`,
  });
  expect(said).toEqual({
    'app/thing.ts': [],
    'app/wrong.tsx': [
      '1 typescript(consistent-type-imports)',
      '2 eslint(no-warning-comments)',
      '4 typescript(no-floating-promises)',
      '5 typescript(no-misused-promises)',
      '6 typescript(no-misused-promises)',
      '7 typescript(await-thenable)',
      '8 typescript(no-explicit-any)',
      '9 typescript(ban-ts-comment)',
      '12 typescript(switch-exhaustiveness-check)',
      '16 eslint(no-unused-vars)',
      '17 eslint(eqeqeq)',
      '18 eslint(no-var)',
      '19 eslint(prefer-const)',
      '21 regexp(no-super-linear-backtracking)',
      '21 regexp(no-trivially-nested-quantifier)',
      '22 regexp(no-super-linear-move)',
      '23 regexp(no-dupe-characters-character-class)',
      '26 react-hooks(rules-of-hooks)',
      '27 react-hooks(exhaustive-deps)',
      '29 eslint(no-unused-vars)',
    ],
    'app/right.tsx': [],
    'plain.mjs': ['1 eslint(no-unused-vars)', '2 eslint(no-undef)'],
  });
});

test('an amount is written by one function, and not by a template', async () => {
  const said = await lint({
    'app/carta.ts': 'export const carta = (total: string) => `Son $${total}.`;\n',
    'app/otra.ts': 'export const otra = (total: string) => `Son ${total}.`;\n',
  });
  expect(said).toEqual({ 'app/carta.ts': ['1 trastienda(pesos)'], 'app/otra.ts': [] });
});
