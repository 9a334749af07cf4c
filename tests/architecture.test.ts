import { expect, test } from 'vitest';
import { ARROWS, LEANS, LINE } from './architecture/plan';
import * as rules from './architecture/rules';
import { effectReads } from './support/effectReads';
import { filesUnder, foldersUnder, readProjectFile, readSources, sourceOf, type Source } from './support/sources';

const sources = readSources(['app', 'db', 'jobs', 'bin', 'tests']);

/** Files as a rule's fixture writes them: path and text. */
type Files = Record<string, string>;
const fixture = (files: Files): Source[] => Object.entries(files).map(([path, text]) => sourceOf(path, text));

/** Each rule of the house: its sentence, the rule, and a fixture that breaks it. */
const RULES: [sentence: string, rule: rules.Rule, broken: Files][] = [
  [
    'every room leans only on the rooms that the plan lets it',
    rules.leansOnlyWhereItMay,
    { 'app/core/money.ts': "import { db } from '~db/shared.server';" },
  ],
  [
    'no circle between files, types included',
    rules.hasNoCircleOfFiles,
    { 'app/core/a.ts': "import './b';", 'app/core/b.ts': "import type { A } from './a';" },
  ],
  [
    'arrows between the rooms of the business point back along the line',
    rules.pointsBackAlongTheLine,
    { 'app/domain/ventas/ordenes/orden.ts': "import { x } from '~/domain/cierre/reportes/grafica.server';" },
  ],
  [
    'an arrow between rooms is listed with its reason',
    rules.listsItsArrows,
    { 'app/domain/cierre/reportes/x.ts': "import { y } from '~/domain/publicaciones/publicador/y';" },
  ],
  ['an arrow that is listed is needed by an import', rules.needsItsArrows, { 'app/core/money.ts': '' }],
  [
    'the arrows stay few',
    rules.hasFewArrows,
    Object.fromEntries(
      LINE.flatMap((to, before) =>
        LINE.slice(before + 1).map((from, at) => [
          `app/domain/${from}/n/${to}${at}.ts`,
          `import { x } from '~/${to === 'platform' ? 'platform/lists' : `domain/${to}/n`}/face';`,
        ]),
      ),
    ),
  ],
  ['every file of the business lies in a room of the line', rules.liesInARoom, { 'app/domain/varios/util.ts': '' }],
  [
    'what a folder keeps in internal/ stays in the folder',
    rules.keepsInternalsInside,
    { 'app/routes/x.tsx': "import { y } from '~/domain/compras/stock/internal/y';" },
  ],
  [
    'a face is imported by somebody outside its noun',
    rules.hasNoIdleFace,
    { 'app/domain/compras/stock/idle.server.ts': 'export const x = 1;' },
  ],
  [
    'no file only re-exports others',
    rules.doesNotOnlyReexport,
    { 'app/domain/compras/stock/index.ts': "/** All. */\nexport { a } from './a';\nexport * from './b';" },
  ],
  [
    'the names that are used from outside their room stay few',
    rules.offersFewNames,
    {
      'app/routes/x.tsx': `import * as all from '~/domain/compras/stock/all';\n${Array.from({ length: 3_000 }, (_, at) => `all.name${at}();`).join('\n')}`,
    },
  ],
  [
    'only the worker imports a task',
    rules.importsTasksInTheWorkerAlone,
    { 'app/routes/x.tsx': "import task from '~jobs/tasks/ventas.sync';" },
  ],
  [
    'nobody but the effects reads a key or digs into a request',
    rules.leavesEffectsAlone,
    { 'app/domain/ventas/ordenes/x.server.ts': "sql`select split_part(e.key, ':', 3) from effect e`" },
  ],
  [
    'nobody reaches a marketplace but its adapter',
    rules.reachesMarketplacesThroughAdapters,
    {
      'app/domain/ventas/ordenes/x.server.ts':
        "import { createMercadolibre } from '~/integrations/mercadolibre/client.server';",
    },
  ],
  [
    'a room after mercados asks the common face, never an adapter',
    rules.namesNoAdapter,
    { 'app/domain/ventas/ordenes/x.server.ts': "import { cuenta } from '~/domain/mercados/ml/cuenta.server';" },
  ],
  [
    'a client that writes outside is made only at its far side, and handed to effects alone',
    rules.handsWritersToEffectsAlone,
    {
      'app/domain/ventas/ordenes/x.server.ts':
        "import { createCtWriter } from '~/integrations/proveedores/ct/write.server';",
    },
  ],
  [
    'of a supplier only the writing half writes: its reading half leans on nothing of it',
    rules.keepsSuppliersHalvesApart,
    { 'app/integrations/proveedores/ct/read.server.ts': "import { w } from './write.server';" },
  ],
  [
    'what reaches the database, a secret or the system ends in .server.ts',
    rules.marksServerFiles,
    { 'app/domain/ventas/ordenes/orden.ts': "import { sql } from 'kysely';" },
  ],
  [
    'a route holds no SQL and no fetch',
    rules.holdsNoSqlInRoutes,
    { 'app/routes/ventas/ordenes/lista.tsx': "await db.selectFrom('orden');" },
  ],
  [
    'a form is read by defineActions alone, and says its intent',
    rules.readsFormsByDefineActions,
    { 'app/routes/ventas/ordenes/lista.tsx': 'const form = await request.formData();' },
  ],
  [
    'what only the server runs lies outside the screens; files have their own',
    rules.keepsServerFilesOutOfScreens,
    { 'app/routes/ventas/ordenes/sql.server.ts': '' },
  ],
  [
    'the sandbox shares nothing with us',
    rules.sharesNothingWithTheSandbox,
    { 'tests/sandbox/ct/door.ts': "import { Money } from '~/core/money';" },
  ],
  [
    'a migration is frozen in time: it imports nothing of ours',
    rules.freezesMigrations,
    { 'db/migrations/20260101_0900_x.ts': "import { Money } from '~/core/money';" },
  ],
  [
    'a date that came as text is read by core/time alone',
    rules.readsDatesInOnePlace,
    { 'app/routes/x.tsx': 'const dia = new Date(params.dia);' },
  ],
  [
    'a test asks for the day of the business, not for that of UTC or of the machine',
    rules.asksForTheDayOfTheBusiness,
    { 'tests/routes/x.test.ts': 'const hoy = new Date().toISOString().slice(0, 10);' },
  ],
  [
    'a text from outside finds only what a table holds itself',
    rules.looksUpOwnRowsOnly,
    { 'app/api/x.ts': "export const A: Readonly<Record<string, string>> = { a: 'b' };" },
  ],
  [
    'a helper of the tests has no hook, which only the first file of a process would get',
    rules.leavesHooksToTestFiles,
    { 'tests/support/x.ts': "import { afterAll } from 'vitest';\nafterAll(() => undefined);" },
  ],
  [
    'no comment silences a rule of the linter',
    rules.silencesNoRule,
    { 'app/core/x.ts': `// ${'oxlint'}-disable-next-line no-empty` },
  ],
  [
    'no script puts the focus on what acts: fields, headings and links take it, through one door',
    rules.focusesNothingThatActs,
    { 'app/routes/x.tsx': 'export default () => <button autoFocus>Enviar</button>;' },
  ],
  [
    'a part of what a sale leaves is added up from its ledger alone, in SQL',
    rules.addsFromTheLedger,
    { 'app/domain/x/y.server.ts': 'select sum(o.comision) as comision from orden o' },
  ],
  [
    'a part of what a sale leaves is added up from its ledger alone, by the name of its column',
    rules.addsFromTheLedger,
    { 'app/domain/x/y.server.ts': "db.select(({ fn }) => fn.sum<string>('orden.costoEnvio').as('envio'))" },
  ],
  [
    'a part of what a sale leaves is added up from its ledger alone, of rows that were read',
    rules.addsFromTheLedger,
    { 'app/domain/x/y.ts': 'const retenido = Money.sum(ordenes.map((orden) => orden.retencion));' },
  ],
  [
    'what a form without fields is refused is told on its page',
    rules.tellsEachRefusal,
    { 'app/routes/x.tsx': 'export default () => <Hidden intent="pagar" />;' },
  ],
];

test.each(RULES)('%s', (_sentence, rule) => {
  expect(rule(sources)).toEqual([]);
});

test.each(RULES)('its fixture breaks the rule: %s', (_sentence, rule, broken) => {
  expect(rule(fixture(broken))).not.toEqual([]);
});

test('no room leans on one that leans on it, near or far', () => {
  const leans = Object.entries(LEANS).map(
    ([room, places]) => [room, places.flatMap((place) => rules.roomOf(place) ?? [])] as const,
  );
  expect(rules.circlesOf(new Map(leans))).toEqual([]);
});

test('a circle is found whatever its length', () => {
  const graph = { a: ['b'], b: ['c'], c: ['a', 'd'], d: ['d'], e: ['a'], f: [] };
  expect(rules.circlesOf(new Map(Object.entries(graph)))).toEqual([['d'], ['a', 'b', 'c']]);
});

test('an arrow says its reason', () => {
  expect(Object.entries(ARROWS).filter(([, why]) => why.length < 10)).toEqual([]);
});

test('forms without fields are found where screens write them', () => {
  expect(rules.hiddenIntents(sources).length).toBeGreaterThan(20);
});

test.each([
  ["sql`select split_part(e.key, ':', 3) from effect e`", 1],
  ['sql`select id from effect where type = ${type} and key like ${`global:${mes}:%`}`', 1],
  ["sql`select e.request #>> '{cfdi,receptor,uid}' from factura f join effect e on e.id = f.effect_id`", 1],
  ["sql`request ->> 'uid' = ${uid}`", 1],
  ['sql`insert into effect (type, key) values (1, 2)`', 1],
  ["db.selectFrom('effect').select('state').where('key', '=', 'venta:' + numero)", 1],
  [
    "db.selectFrom('factura').innerJoin('effect', 'effect.id', 'factura.effectId').select(['folio', 'effect.request'])",
    1,
  ],
  ["effectsAbout(db, ['envio', id]).select(['effect.id', 'request'])", 1],
  ["db.selectFrom('effect').selectAll().where('id', '=', id)", 1],
  ["db.insertInto('effect').values(row)", 1],
  ['new Set(failed.map((one) => stampGlobal.key(one)))', 1],
  ["eb.ref('effect.request', '->>').key('mes')", 1],
  ["db.selectFrom('rateLimit').select('hits').where('key', '=', hashed)", 0],
  ['sql`select last_ok_at from effect_attempt a where a.key_id = 1`', 0],
  ["db.selectFrom('effect').select(['id', 'state']).where('type', '=', 'cfdi.stamp')", 0],
  ['Object.entries(rows).map(({ key, request }) => [key, request])', 0],
])('what counts as reading a key or a request: %s', (text, offences) => {
  expect(Math.min(1, effectReads('somewhere.ts', text).length)).toBe(offences);
});

test('no name that Windows keeps for itself', () => {
  const reserved = /^(aux|con|nul|prn|com\d|lpt\d)(\.|$)/i;
  const names = ['app', 'bin', 'db', 'docs', 'jobs', 'public', 'tests'].flatMap((folder) => [
    ...filesUnder(folder),
    ...foldersUnder(folder),
  ]);
  expect(names.filter((path) => reserved.test(path.split('/').at(-1)!))).toEqual([]);
});

test('the lockfile has the binaries of every platform', () => {
  const { packages } = JSON.parse(readProjectFile('package-lock.json')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>;
  };
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`])
      .map((name) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});
