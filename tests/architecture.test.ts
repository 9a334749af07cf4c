import { expect, test } from 'vitest';
import { effectReads } from './support/effectReads';
import { elementsOf, filesUnder, foldersUnder, type Import, readProjectFile, readSources } from './support/sources';

const sources = readSources(['app', 'db', 'jobs', 'bin', 'tests']);
const imports = sources.flatMap((source) => source.imports);
const ours = imports.filter((one) => one.ours);
const say = (one: Import) => `${one.from} -> ${one.to}`;

/** The domain is a line, not a web: each room may lean on those before it. The first ones lie under all the others. */
const DOMAIN = [
  'bitacora',
  'hoy',
  'files',
  'lists',
  'search',
  'connections',
  'effects',
  'lotes',
  'cuentas',
  'aplicacion',
  'catalogo',
  'mercados',
  'precios',
  'ordenes',
  'envios',
  'proveedores',
  'stock',
  'pedidos',
  'publicaciones',
  'publicador',
  'pagos',
  'cfdi',
  'receptores',
  'cancelacion',
  'mes',
  'emision',
  'enlaces',
  'notasCredito',
  'publico',
  'notaSencilla',
  'atencion',
  'reportes',
  'ganchos',
  'sync',
  'conciliacion',
  'exports',
  'mantenimiento',
  'effectCatalog',
  'linkCatalog',
  'searchCatalog',
  'loteCatalog',
  'hoyCatalog',
  'effectRuntime',
];

/** Longest prefix wins: a room inside another has its own row. */
const ROOMS = [
  'app/core',
  'app/ui',
  'app/integrations',
  'app/domain',
  'app/access',
  'app/http',
  'app/api',
  'app/routes',
  'app/bodega',
  'app',
  'bin/seed',
  'db',
  'db/queue',
  'jobs/task',
  'jobs/tasks',
  'jobs',
  'bin',
  'tests/sandbox',
  'tests',
] as const;
type Room = (typeof ROOMS)[number];

/**
 * What each room may lean on besides itself (house.md): a room, or one place inside a room. `app` is what surrounds the screens: root and
 * entries. `jobs/task` is how a task is defined. `build` is what the bundlers wrote. Tests look everywhere.
 */
const LEANS: Record<Exclude<Room, 'tests'>, readonly string[]> = {
  'app/core': [],
  'app/ui': ['app/core'],
  'app/integrations': ['app/core'],
  db: ['app/core'],
  'db/queue': ['app/core', 'db'],
  'app/domain': ['app/core', 'db', 'app/integrations', 'db/queue'],
  'app/access': ['app/core', 'db', 'app/domain/personal'],
  'app/http': ['app/core', 'app/access', 'db'],
  'app/api': ['app/core', 'app/access', 'app/http', 'app/domain', 'db/client.server', 'db/shared.server'],
  app: ['app/core', 'app/ui', 'app/http'],
  'app/routes': [
    'app/core',
    'app/ui',
    'app/integrations',
    'app/domain',
    'app/access',
    'app/http',
    'app/api',
    'app',
    'db/client.server',
    'db/shared.server',
  ],
  // The script of one page, which React does not run.
  'app/bodega': ['app/core', 'app/ui', 'app/domain'],
  'jobs/task': ['db', 'db/queue'],
  'jobs/tasks': ['app/api', 'app/domain', 'app/integrations', 'db', 'jobs/task'],
  jobs: ['app/core', 'db', 'db/queue', 'jobs/task', 'jobs/tasks'],
  'bin/seed': ['app/core', 'app/domain', 'db'],
  bin: ['app/api', 'app/core', 'app/domain', 'db', 'jobs', 'build'],
  'tests/sandbox': [],
};

const isIn = (path: string, place: string) =>
  path === place || path.startsWith(`${place}/`) || path.startsWith(`${place}.`);
/** Undefined for the configuration files at the root. */
const roomOf = (path: string): Room | undefined =>
  ROOMS.filter((room) => isIn(path, room)).sort((a, b) => b.length - a.length)[0];
const isRoom = (place: string): place is Room => ROOMS.some((room) => room === place);

function mayLean(from: Exclude<Room, 'tests'>, to: string): boolean {
  return LEANS[from].some((place) => (isRoom(place) ? roomOf(to) === place : isIn(to, place)));
}

test('every room leans only on the rooms house.md lets it', () => {
  const wrong = ours.filter((one) => {
    const [from, to] = [roomOf(one.from), roomOf(one.to)];
    return from !== 'tests' && from !== to && !(from && mayLean(from, one.to));
  });
  expect(wrong.map(say)).toEqual([]);
});

test('no room leans on one that leans on it, near or far', () => {
  const leans = Object.entries(LEANS).map(
    ([room, places]) => [room, places.flatMap((place) => roomOf(place) ?? [])] as const,
  );
  expect(circlesOf(new Map(leans))).toEqual([]);
});

test('no circle between files, types included', () => {
  const files = new Set(sources.map(({ path }) => path));
  const fileOf = (to: string) =>
    ['.ts', '.tsx', '.mjs', '/index.ts', '/index.tsx'].map((end) => to + end).find((path) => files.has(path));
  const leans = sources
    .filter(({ path }) => ['app', 'db', 'jobs', 'bin'].some((place) => isIn(path, place)))
    .map(
      ({ path, imports }) =>
        [path, imports.flatMap((one) => (one.ours ? (fileOf(one.to) ?? []) : []))] as [string, string[]],
    );
  expect(leans.flatMap(([, to]) => to).length).toBeGreaterThan(1_000);
  expect(circlesOf(new Map(leans))).toEqual([]);
});

/** Every set of names that reach each other (Tarjan's strongly connected components), each set in the order of its names. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const [order, lowest, open] = [new Map<string, number>(), new Map<string, number>(), new Array<string>()];
  const visit = (name: string) => {
    order.set(name, order.size);
    lowest.set(name, order.get(name)!);
    open.push(name);
    for (const next of graph.get(name) ?? []) {
      if (!order.has(next)) visit(next);
      if (open.includes(next)) lowest.set(name, Math.min(lowest.get(name)!, lowest.get(next)!));
    }
    if (lowest.get(name) !== order.get(name)) return;
    const circle = open.splice(open.indexOf(name));
    if (circle.length > 1 || graph.get(name)?.includes(name)) circles.push(circle.sort());
  };
  for (const name of graph.keys()) if (!order.has(name)) visit(name);
  return circles;
}

test('a circle is found whatever its length', () => {
  const graph = { a: ['b'], b: ['c'], c: ['a', 'd'], d: ['d'], e: ['a'], f: [] };
  expect(circlesOf(new Map(Object.entries(graph)))).toEqual([['d'], ['a', 'b', 'c']]);
});

test('the rooms of the domain form a line', () => {
  const domainRoom = (path: string) => /^app\/domain\/([^/.]+)/.exec(path)?.[1];
  const wrong = ours.filter((one) => {
    const [from, to] = [domainRoom(one.from), domainRoom(one.to)];
    return from !== undefined && to !== undefined && from !== to && DOMAIN.indexOf(to) >= DOMAIN.indexOf(from);
  });
  expect(wrong.map(say)).toEqual([]);
  const unknown = [...filesUnder('app/domain')]
    .map(domainRoom)
    .filter((room) => room === undefined || !DOMAIN.includes(room));
  expect(new Set(unknown)).toEqual(new Set());
});

test('what a room keeps in internal/ stays in the room', () => {
  const wrong = ours.filter((one) => {
    const home = /^(.*)\/internal\//.exec(one.to)?.[1];
    return home !== undefined && !isIn(one.from, home) && !isIn(one.from, 'tests');
  });
  expect(wrong.map(say)).toEqual([]);
});

test('only the worker imports a task', () => {
  const wrong = ours.filter(
    (one) =>
      isIn(one.to, 'jobs/tasks') &&
      !isIn(one.from, 'jobs/tasks') &&
      one.from !== 'jobs/worker.ts' &&
      !isIn(one.from, 'tests'),
  );
  expect(wrong.map(say)).toEqual([]);
});

test('nobody but the effects reads a key or digs into a request: what an effect is about are its subjects', () => {
  const outside = sources.filter(
    ({ path }) =>
      !isIn(path, 'app/platform/effects') && !isIn(path, 'tests') && !isIn(path, 'db/migrations') && /\.ts$/.test(path),
  );
  expect(outside.flatMap(({ path, text }) => effectReads(path, text))).toEqual([]);
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
])('what counts as reading them: %s', (text, offences) => {
  expect(Math.min(1, effectReads('somewhere.ts', text).length)).toBe(offences);
});

/** What may know the name of a marketplace: its type, its traits, its adapter and the link of its account. */
const NAMES_MARKETS = [
  'app/core/market',
  'app/domain/mercados',
  'app/domain/mercados/ml/cuenta',
  'app/domain/mercados/amz/cuenta',
  'app/domain/mercados/ml/conexion',
  'app/domain/mercados/amz/conexion',
];
/** Their clients, and the adapters that read them. */
const CLIENTS = ['app/integrations/mercadolibre', 'app/integrations/amazon'];
const ADAPTERS = ['app/domain/mercados/ml', 'app/domain/mercados/amz'];

test('a marketplace is named only by its adapter, the link of its account and its traits', () => {
  const named = sources.filter(
    ({ path, text }) =>
      /^(app|db|jobs)\//.test(path) &&
      !isIn(path, 'db/migrations') &&
      !isIn(path, 'app/integrations') &&
      !NAMES_MARKETS.some((place) => isIn(path, place)) &&
      /(['"`])(ml|amz)\1/.test(text),
  );
  expect(named.map(({ path }) => path)).toEqual([]);
});

test('from ordenes on nobody reads a marketplace: its client is for the adapter, the link and what writes outside', () => {
  const wrong = ours.filter(
    (one) =>
      CLIENTS.some((client) => isIn(one.to, client)) &&
      !isIn(one.from, 'app/integrations') &&
      !ADAPTERS.some((adapter) => isIn(one.from, adapter)) &&
      !isIn(one.from, 'app/domain/personal') &&
      !isIn(one.from, 'app/platform/connections') &&
      !isIn(one.from, 'tests') &&
      !/\/(write\.server|wireWrite)$/.test(one.to),
  );
  expect(wrong.map(say)).toEqual([]);
  const adapters = ours.filter(
    (one) =>
      ADAPTERS.some((adapter) => isIn(one.to, adapter)) &&
      !isIn(one.from, 'app/domain/mercados') &&
      !isIn(one.from, 'app/routes/files/avisosMercadolibre') &&
      !isIn(one.from, 'tests'),
  );
  expect(adapters.map(say)).toEqual([]);
});

test('a client that writes outside is made only at its far side, and handed to effects alone', () => {
  const writes = (to: string) => /^app\/integrations\/.*(write|mailer)\.server$/.test(to);
  const wrong = ours.filter(
    (one) =>
      writes(one.to) &&
      !one.typeOnly &&
      !isIn(one.from, 'app/platform/connections') &&
      !isIn(one.from, 'tests') &&
      !isIn(one.from, 'app/integrations'),
  );
  expect(wrong.map(say)).toEqual([]);
  const hands = ours.filter(
    (one) =>
      isIn(one.to, 'app/platform/connections/clients') && one.from !== 'app/domain/operacion/effectRuntime.server.ts',
  );
  expect(hands.map(say)).toEqual([]);
});

test('of a supplier only the writing half writes: its reading half leans on nothing of it', () => {
  const inside = (path: string) => isIn(path, 'app/integrations/proveedores');
  const leaning = ours.filter((one) => inside(one.from) && /write\.server$/.test(one.to));
  expect(leaning.map(say)).toEqual([]);
  const halves = sources.filter(({ path }) => inside(path) && path.endsWith('/write.server.ts'));
  expect(halves.length).toBeGreaterThan(0);
  // Whoever writes asks the gate of real hosts first.
  const calls = (text: string, name: string) => text.split(`${name}(`).length - 1;
  const verbs = /^ {4}async (?:crearPedido|confirmar|enviarGuia)\(/gm;
  for (const { path, text } of halves)
    expect([path, calls(text, 'requireProduccion')]).toEqual([path, text.match(verbs)?.length]);
  const writing = sources.filter(
    ({ path, text }) => inside(path) && /\bescribir\(/.test(text) && !path.endsWith('/write.server.ts'),
  );
  expect(writing.map(({ path }) => path)).toEqual([]);
});

test('what reaches the database, a secret or the system ends in .server.ts', () => {
  const secret = (one: Import) =>
    !one.typeOnly &&
    (one.ours
      ? /\.server$/.test(one.to) || roomOf(one.to) === 'db'
      : one.to.startsWith('node:') ||
        ['pg', 'kysely', '@node-rs/argon2', 'nodemailer', 'graphile-worker'].includes(one.to));
  // Remix itself cuts loaders and actions out of a route's browser file; root, entries and the server's own modules are not screens' food.
  const exempt = (path: string) =>
    isIn(path, 'app/routes') || ['app/root.tsx', 'app/routes.ts', 'app/entry.server.tsx'].includes(path);
  const wrong = imports.filter(
    (one) => isIn(one.from, 'app') && !/\.server\.tsx?$/.test(one.from) && !exempt(one.from) && secret(one),
  );
  expect(wrong.map(say)).toEqual([]);
});

test('a route holds no SQL and no fetch', () => {
  const routes = sources.filter(({ path }) => isIn(path, 'app/routes'));
  const sql = routes
    .flatMap((source) => source.imports)
    .filter((one) => ['kysely', 'pg'].includes(one.to) && !one.typeOnly);
  expect(sql.map(say)).toEqual([]);
  const writing = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|(?<![.\w])fetch\(/;
  expect(routes.filter(({ text }) => writing.test(text)).map(({ path }) => path)).toEqual([]);
});

test('a form is read by defineActions alone, and says its intent', () => {
  const byHand = /\.formData\(\)|\bform\.get(All)?\(|parseWithZod|\baskFirst\(|(name="|')accion['"]|\baccion:/;
  const places = ['app/routes', 'app/ui', 'app/access'];
  const found = sources.filter(({ path, text }) => places.some((place) => isIn(path, place)) && byHand.test(text));
  expect(found.map(({ path }) => path)).toEqual([]);
});

test('what only the server runs lies outside the screens; files have their own', () => {
  const found = filesUnder('app/routes').filter(
    (path) => /\.server\.tsx?$/.test(path) && !isIn(path, 'app/routes/files'),
  );
  expect(found).toEqual([]);
});

test('the sandbox shares nothing with us', () => {
  const wrong = ours.filter((one) => isIn(one.from, 'tests/sandbox') && !isIn(one.to, 'tests/sandbox'));
  expect(wrong.map(say)).toEqual([]);
});

test('a migration is frozen in time: it imports nothing of ours', () => {
  const wrong = ours.filter((one) => /^db\/migrations\/\d/.test(one.from));
  expect(wrong.map(say)).toEqual([]);
});

test('a test asks for the day of the business, not for that of UTC or of the machine', () => {
  const asking = /\.toISOString\(\)\.slice\(0, (?:4|7|10)\)|new Date\(\)\.get(?:UTC)?(?:FullYear|Month|Date)\(/;
  const tests = sources.filter(({ path }) => /^tests\/(?!sandbox|bench)/.test(path));
  expect(tests.filter(({ text }) => asking.test(text)).map(({ path }) => path)).toEqual([]);
});

test('no name that Windows keeps for itself', () => {
  const reserved = /^(aux|con|nul|prn|com\d|lpt\d)(\.|$)/i;
  const names = ['app', 'bin', 'db', 'docs', 'jobs', 'public', 'tests'].flatMap((folder) => [
    ...filesUnder(folder),
    ...foldersUnder(folder),
  ]);
  expect(names.filter((path) => reserved.test(path.split('/').at(-1)!))).toEqual([]);
});

test('no comment silences a rule of the linter', () => {
  const silencing = /(?:\/\/|\/\*)\s*(?:oxlint|eslint)-disable/;
  expect(sources.filter(({ text }) => silencing.test(text)).map(({ path }) => path)).toEqual([]);
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

/** Whatever a press of Enter or Space would do something with. */
const ACTS = /^(?:button|Button|ActionIcon|Confirm|summary)$/;

test('no script puts the focus on what acts: fields, headings and links take it, through one door', () => {
  const screens = sources.filter(({ path }) => path.startsWith('app/') && path.endsWith('.tsx'));
  const written = screens.flatMap((source) => elementsOf(source).map((one) => ({ path: source.path, ...one })));
  const marked = written.filter(({ attributes }) =>
    attributes.some((name) => /^(?:autoFocus|data-autofocus|data-foco)$/.test(name)),
  );
  expect(marked.length).toBeGreaterThan(0);
  expect(marked.filter(({ tag }) => ACTS.test(tag))).toEqual([]);
  const byHand = sources.filter(({ path, text }) => path.startsWith('app/') && /\.focus\(/.test(text));
  expect(byHand.map(({ path }) => path)).toEqual(['app/ui/foco.ts']);
  // The one button that waits for a key is the one that does nothing.
  const noes = written.filter(({ attributes }) => attributes.includes('data-no'));
  expect([...new Set(noes.map(({ path }) => path))]).toEqual(['app/ui/Confirm.tsx']);
});

/** Leaving is refused to nobody, nor is the fold of one's own menu, what stands first in it or the use of one's own keys. */
const NEVER_REFUSED = ['salir', 'cajon', 'fijar', 'teclas'];

test('what a form without fields is refused is told on its page', () => {
  const screens = sources.filter(({ path }) => path.startsWith('app/routes/') && path.endsWith('.tsx'));
  const intents = screens.flatMap(({ text }) =>
    [...text.matchAll(/<Hidden\s(?:[^>]*\s)?intent="(\w+)"/g)].map(([, intent]) => intent!),
  );
  expect(intents.length).toBeGreaterThan(20);
  const tells = (text: string, intent: string) =>
    new RegExp(`of="${intent}"|use(?:Answer|ActionForm)(?:<[^(]*>)?\\('${intent}'`).test(text) ||
    (text.includes('<Refusal') && new RegExp(`\\[[^\\]]*'${intent}'`).test(text));
  const untold = intents.filter(
    (intent) => !NEVER_REFUSED.includes(intent) && !screens.some(({ text }) => tells(text, intent)),
  );
  expect(untold).toEqual([]);
});
