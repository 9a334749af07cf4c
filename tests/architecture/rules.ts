import { effectReads } from '../support/effectReads';
import { datesOf, elementsOf, type Import, type Source } from '../support/sources';
import { ARROWS, type DomainRoom, KNOWS_ADAPTERS, LEANS, LINE, MOST, type Room, ROOMS } from './plan';

/** A rule looks at sources and returns a line for each offence, with its cure; an empty list means that the rule holds. */
export type Rule = (sources: readonly Source[]) => string[];

export const isIn = (path: string, place: string) =>
  path === place || path.startsWith(`${place}/`) || path.startsWith(`${place}.`);

const say = (one: Import) => `${one.from} -> ${one.to}`;
const importsOf = (sources: readonly Source[]) => sources.flatMap((source) => source.imports);
const oursOf = (sources: readonly Source[]) => importsOf(sources).filter((one) => one.ours);

/** Room of a path; undefined for the configuration files at the root. */
export const roomOf = (path: string): Room | undefined =>
  ROOMS.filter((room) => isIn(path, room)).sort((a, b) => b.length - a.length)[0];
const isRoom = (place: string): place is Room => ROOMS.some((room) => room === place);

/** Room of the line that a path lies in: `platform`, or a room of the business. */
export function domainRoomOf(path: string): DomainRoom | undefined {
  if (isIn(path, 'app/platform')) return 'platform';
  const name = /^app\/domain\/([^/.]+)/.exec(path)?.[1];
  return LINE.find((room) => room === name);
}

/**
 * Folder of the noun that a path lies in. A room without nouns is one itself, the common face of all marketplaces is one beside each marketplace, and a
 * file at the top of `platform` or of a room belongs to the noun of its name.
 */
export function nounOf(path: string): string | undefined {
  const [, domain, room, noun] = /^app\/(domain|platform)\/([^/]+)(?:\/([^/]+)\/)?/.exec(path) ?? [];
  if (!room) return undefined;
  const name = room.replace(/(\.server)?\.tsx?$/, '');
  if (domain === 'platform') return `platform/${name}`;
  return noun && noun !== 'internal' ? `${name}/${noun}` : name;
}

const folderOf = (noun: string) => (noun.startsWith('platform/') ? `app/${noun}` : `app/domain/${noun}`);

function mayLean(from: Exclude<Room, 'tests'>, to: string): boolean {
  return LEANS[from].some((place) => (isRoom(place) ? roomOf(to) === place : isIn(to, place)));
}

export const leansOnlyWhereItMay: Rule = (sources) =>
  oursOf(sources)
    .filter((one) => {
      const [from, to] = [roomOf(one.from), roomOf(one.to)];
      return from !== 'tests' && from !== to && !(from && mayLean(from, one.to));
    })
    .map((one) => `${say(one)}: ${roomOf(one.from)} may not lean on it (LEANS in tests/architecture/plan.ts)`);

/** Every set of names that reach each other (Tarjan's strongly connected components), each set in the order of its names. */
export function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
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

export const hasNoCircleOfFiles: Rule = (sources) => {
  const files = new Set(sources.map(({ path }) => path));
  const fileOf = (to: string) => ['.ts', '.tsx', '.mjs'].map((end) => to + end).find((path) => files.has(path));
  const leans = sources
    .filter(({ path }) => ['app', 'db', 'jobs', 'bin'].some((place) => isIn(path, place)))
    .map(
      ({ path, imports }) =>
        [path, imports.flatMap((one) => (one.ours ? (fileOf(one.to) ?? []) : []))] as [string, string[]],
    );
  return circlesOf(new Map(leans)).map((circle) => `circle: ${circle.join(', ')}`);
};

/** Arrows between rooms of the line that the sources need, each with the imports behind it. */
export function arrowsOf(sources: readonly Source[], placeOf: (path: string) => string | undefined) {
  const arrows = new Map<string, string[]>();
  for (const one of oursOf(sources)) {
    const [from, to] = [placeOf(one.from), placeOf(one.to)];
    if (from === undefined || to === undefined || from === to) continue;
    const arrow = `${from} -> ${to}`;
    arrows.set(arrow, [...(arrows.get(arrow) ?? []), say(one)]);
  }
  return arrows;
}

export const pointsBackAlongTheLine: Rule = (sources) =>
  [...arrowsOf(sources, domainRoomOf)].flatMap(([arrow, behind]) => {
    const [from, to] = arrow.split(' -> ').map((room) => LINE.findIndex((one) => one === room));
    return to! < from! ? [] : behind.map((one) => `${one}: ${arrow} goes up the line; hand it in, or move it`);
  });

export const listsItsArrows: Rule = (sources) =>
  [...arrowsOf(sources, domainRoomOf)].flatMap(([arrow, behind]) =>
    arrow in ARROWS
      ? []
      : [`${arrow} is not listed (${behind[0]}); ask a room it leans on already, or list it in ARROWS`],
  );

export const needsItsArrows: Rule = (sources) => {
  const needed = arrowsOf(sources, domainRoomOf);
  return Object.keys(ARROWS).flatMap((arrow) =>
    needed.has(arrow) ? [] : [`${arrow} is listed in ARROWS and no import needs it; take it out`],
  );
};

/** Arrows between nouns; `platform` counts as one. */
export const nounArrowsOf = (sources: readonly Source[]) =>
  arrowsOf(sources, (path) => (isIn(path, 'app/platform') ? 'platform' : nounOf(path)));

export const hasFewArrows: Rule = (sources) => {
  const rooms = arrowsOf(sources, domainRoomOf).size;
  const nouns = nounArrowsOf(sources).size;
  return [
    ...(rooms > MOST.rooms ? [`${rooms} arrows between rooms, at most ${MOST.rooms}`] : []),
    ...(nouns > MOST.nouns ? [`${nouns} arrows between nouns, at most ${MOST.nouns}`] : []),
  ];
};

/** Every business folder lies in a room of the line. */
export const liesInARoom: Rule = (sources) =>
  sources
    .filter(({ path }) => isIn(path, 'app/domain') && domainRoomOf(path) === undefined)
    .map(({ path }) => `${path} lies in no room of LINE`);

export const keepsInternalsInside: Rule = (sources) =>
  oursOf(sources)
    .filter((one) => {
      const home = /^(.*?)\/internal\//.exec(one.to)?.[1];
      return home !== undefined && !isIn(one.from, home) && !isIn(one.from, 'tests');
    })
    .map(
      (one) =>
        `${say(one)}: internal/ belongs to its folder; use a top file of that folder, or move what is shared there`,
    );

/** Top files of a noun that nobody outside of it imports. */
export const hasNoIdleFace: Rule = (sources) => {
  const asked = new Set(
    oursOf(sources)
      .filter((one) => !isIn(one.from, 'tests'))
      .filter((one) => nounOf(one.to) !== undefined && nounOf(one.from) !== nounOf(one.to))
      .map((one) => one.to),
  );
  return sources
    .filter(
      ({ path }) =>
        nounOf(path) !== undefined && !path.includes('/internal/') && !/^app\/(domain|platform)\/[^/]+$/.test(path),
    )
    .filter(({ path }) => !asked.has(path.replace(/\.tsx?$/, '')))
    .map(
      ({ path }) => `${path} is a face that nobody outside ${folderOf(nounOf(path)!)} imports; move it to internal/`,
    );
};

export const doesNotOnlyReexport: Rule = (sources) =>
  sources
    .filter(({ path }) => /^(app|db|jobs)\//.test(path) && /\.tsx?$/.test(path))
    .filter(({ text, imports }) => {
      if (!imports.some((one) => one.again)) return false;
      const rest = text
        .split('\n')
        .filter((line) => !/^\s*(?:\/\/|\/\*|\*)/.test(line))
        .join(' ')
        .replace(/export\s+(?:type\s+)?(?:\*|\{[^}]*\})(?:\s+as\s+\w+)?\s+from\s+['"][^'"]+['"];?/g, '');
      return rest.trim() === '';
    })
    .map(({ path }) => `${path} only re-exports others; import them where they are`);

/** Names of a room of the line that files outside of that room import, tests apart. Each property used of `import * as` is a name. */
export function outsideNames(sources: readonly Source[]): Map<DomainRoom, Set<string>> {
  const names = new Map<DomainRoom, Set<string>>();
  for (const one of oursOf(sources)) {
    const room = domainRoomOf(one.to);
    if (!room || domainRoomOf(one.from) === room || isIn(one.from, 'tests')) continue;
    const known = names.get(room) ?? new Set();
    for (const name of one.names) known.add(`${one.to}#${name}`);
    names.set(room, known);
  }
  return names;
}

export const offersFewNames: Rule = (sources) => {
  const total = [...outsideNames(sources).values()].reduce((sum, names) => sum + names.size, 0);
  return total > MOST.names ? [`${total} names are used from outside their room, at most ${MOST.names}`] : [];
};

export const importsTasksInTheWorkerAlone: Rule = (sources) =>
  oursOf(sources)
    .filter(
      (one) =>
        isIn(one.to, 'jobs/tasks') &&
        !isIn(one.from, 'jobs/tasks') &&
        one.from !== 'jobs/worker.ts' &&
        !isIn(one.from, 'tests'),
    )
    .map(say);

/** Nobody but the effects reads a key or digs into a request: the subjects of an effect say what it is about. */
export const leavesEffectsAlone: Rule = (sources) =>
  sources
    .filter(
      ({ path }) =>
        !isIn(path, 'app/platform/effects') &&
        !isIn(path, 'app/platform/batches') &&
        !isIn(path, 'tests') &&
        !isIn(path, 'db/migrations') &&
        /\.ts$/.test(path),
    )
    .flatMap(({ path, text }) => effectReads(path, text));

const CLIENTS = ['app/integrations/mercadolibre', 'app/integrations/amazon'];
const ADAPTERS = ['app/domain/mercados/ml', 'app/domain/mercados/amz'];

/** A marketplace's client is for its adapter; its writing half goes to effects. */
export const reachesMarketplacesThroughAdapters: Rule = (sources) =>
  oursOf(sources)
    .filter(
      (one) =>
        CLIENTS.some((client) => isIn(one.to, client)) &&
        !isIn(one.from, 'app/integrations') &&
        !ADAPTERS.some((adapter) => isIn(one.from, adapter)) &&
        !isIn(one.from, 'tests'),
    )
    .map((one) => `${say(one)}: ask the face of mercados`);

/** Marketplaces are reached by their common face, but from the places of `KNOWS_ADAPTERS`. */
export const namesNoAdapter: Rule = (sources) =>
  oursOf(sources)
    .filter(
      (one) =>
        ADAPTERS.some((adapter) => isIn(one.to, adapter)) &&
        !isIn(one.from, 'app/domain/mercados') &&
        !Object.keys(KNOWS_ADAPTERS).some((place) => isIn(one.from, place)) &&
        !isIn(one.from, 'tests'),
    )
    .map((one) => `${say(one)}: ask the face of mercados`);

const writesOutside = (to: string) => /^app\/integrations\/.*(write|mailer)\.server$/.test(to);

export const handsWritersToEffectsAlone: Rule = (sources) => [
  ...oursOf(sources)
    .filter(
      (one) =>
        writesOutside(one.to) &&
        !one.typeOnly &&
        !/conexion\w*\.server\.ts$|^app\/domain\/(compras\/directorio|facturacion\/cfdi|operacion)\//.test(one.from) &&
        !isIn(one.from, 'tests') &&
        !isIn(one.from, 'app/integrations'),
    )
    .map((one) => `${say(one)}: only the far side makes a client that writes`),
  ...oursOf(sources)
    .filter(
      (one) =>
        isIn(one.to, 'app/platform/connections/clients') &&
        one.from !== 'app/domain/operacion/effectRuntime.server.ts' &&
        !isIn(one.from, 'tests'),
    )
    .map((one) => `${say(one)}: clients are handed to effects by their runtime`),
];

const SUPPLIERS = 'app/integrations/proveedores';

export const keepsSuppliersHalvesApart: Rule = (sources) => [
  ...oursOf(sources)
    .filter((one) => isIn(one.from, SUPPLIERS) && /write\.server$/.test(one.to))
    .map((one) => `${say(one)}: the reading half of a supplier leans on nothing that writes`),
  ...sources
    .filter(
      ({ path, text }) => isIn(path, SUPPLIERS) && !path.endsWith('/write.server.ts') && /\bescribir\(/.test(text),
    )
    .map(({ path }) => `${path} writes outside of write.server.ts`),
  // Whoever writes asks the gate of real hosts first.
  ...sources
    .filter(({ path }) => isIn(path, SUPPLIERS) && path.endsWith('/write.server.ts'))
    .filter(
      ({ text }) =>
        text.split('requireProduccion(').length - 1 !==
        (text.match(
          /^ {4}async (?:crearPedido|probarPedido|confirmar|enviarGuia|createPedido|confirmPedido|sendGuia)\(/gm,
        )?.length ?? 0),
    )
    .map(({ path }) => `${path} has a verb that does not ask requireProduccion first`),
];

const SECRET_PACKAGES = ['pg', 'kysely', '@node-rs/argon2', 'nodemailer', 'graphile-worker'];

/** What reaches the database, a secret or the system ends in `.server.ts`. Remix itself cuts loaders and actions out of a route's browser file. */
export const marksServerFiles: Rule = (sources) =>
  importsOf(sources)
    .filter((one) => isIn(one.from, 'app') && !/\.server\.tsx?$/.test(one.from))
    .filter(
      (one) =>
        !isIn(one.from, 'app/routes') && !['app/root.tsx', 'app/routes.ts', 'app/entry.server.tsx'].includes(one.from),
    )
    .filter(
      (one) =>
        !one.typeOnly &&
        (one.ours
          ? /\.server$/.test(one.to) || roomOf(one.to) === 'db'
          : one.to.startsWith('node:') || SECRET_PACKAGES.includes(one.to)),
    )
    .map((one) => `${say(one)}: name the file .server.ts`);

export const holdsNoSqlInRoutes: Rule = (sources) => {
  const routes = sources.filter(({ path }) => isIn(path, 'app/routes'));
  const writing = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|(?<![.\w])fetch\(/;
  return [
    ...importsOf(routes)
      .filter((one) => ['kysely', 'pg'].includes(one.to) && !one.typeOnly)
      .map((one) => `${say(one)}: SQL is a verb of the domain`),
    ...routes
      .filter(({ text }) => writing.test(text))
      .map(({ path }) => `${path} holds SQL or a fetch; ask the domain`),
  ];
};

export const readsFormsByDefineActions: Rule = (sources) => {
  const byHand = /\.formData\(\)|\bform\.get(All)?\(|parseWithZod|\baskFirst\(|(name="|')accion['"]|\baccion:/;
  const places = ['app/routes', 'app/ui', 'app/access'];
  return sources
    .filter(({ path, text }) => places.some((place) => isIn(path, place)) && byHand.test(text))
    .map(({ path }) => `${path} reads a form by hand; use defineActions`);
};

export const keepsServerFilesOutOfScreens: Rule = (sources) =>
  sources
    .map(({ path }) => path)
    .filter((path) => isIn(path, 'app/routes') && /\.server\.tsx?$/.test(path) && !isIn(path, 'app/routes/files'))
    .map((path) => `${path}: what only the server runs lies outside the screens`);

export const sharesNothingWithTheSandbox: Rule = (sources) =>
  oursOf(sources)
    .filter((one) => isIn(one.from, 'tests/sandbox') && !isIn(one.to, 'tests/sandbox'))
    .map(say);

export const freezesMigrations: Rule = (sources) =>
  oursOf(sources)
    .filter((one) => /^db\/migrations\/\d/.test(one.from))
    .map((one) => `${say(one)}: a migration is frozen in time and imports nothing of ours`);

export const asksForTheDayOfTheBusiness: Rule = (sources) => {
  const asking = /\.toISOString\(\)\.slice\(0, (?:4|7|10)\)|new Date\(\)\.get(?:UTC)?(?:FullYear|Month|Date)\(/;
  return sources
    .filter(({ path, text }) => /^tests\/(?!sandbox|mundo|bench|architecture)/.test(path) && asking.test(text))
    .map(
      ({ path }) =>
        `${path} asks for the day of UTC or of the machine; civilDay of core/time knows that of the business`,
    );
};

/** Readers of dates: what came as text is read by its form, in the zone of the business. */
const READS_DATES = 'readInstant, readDay, readMonth, readEnd and toInstant of app/core/time.ts read dates';

/** `Date.parse`, and `new Date` of anything but nothing, ms that are plainly a number, or an instant that is written out. */
export const readsDatesInOnePlace: Rule = (sources) =>
  sources
    .filter(
      ({ path, text }) =>
        /^(?:app|jobs)\//.test(path) && path !== 'app/core/time.ts' && /\bDate[.(]|\bcoerce\.date/.test(text),
    )
    .flatMap((source) => datesOf(source).map((written) => `${source.path}: ${written}; ${READS_DATES}`));

/** A table that any text may ask; a look-up by a text that was only said to be a key; `in`, which also finds what every object inherits. */
const OUTSIDE_KEYS = [
  [
    /^(?:export )?const \w+: (?:Readonly<)?Record<string, .*? = (?!tableOf\()/,
    'a table by any text is a Map or tableOf()',
  ],
  [/\w\[[\w.?]+ as [^\]\n]+\]/, 'a text is no key because it is said to be one: rowOf()'],
  [
    /(?:[(!]|&& |\|\| |=> |return |\? )(?!const |let )[\w.]+ in [\w.]+(?:[ )(;,]|$)/,
    'in finds inherited names: Object.hasOwn()',
  ],
] as const;

export const looksUpOwnRowsOnly: Rule = (sources) =>
  sources
    .filter(({ path }) => /^(?:app|jobs|db)\//.test(path) && !/^(?:app\/core\/table\.ts|db\/migrations\/)/.test(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) => {
        const code = line.replace(/^\s*(?:\/?\*|\/\/).*|\/\/ .*|(?:'[^']*'|"[^"]*"|`[^`]*`)(?= in )/, '');
        return OUTSIDE_KEYS.flatMap(([sign, cure]) => (sign.test(code) ? [`${path}:${at + 1}: ${cure}`] : []));
      }),
    );

/** A process reads a helper once for many test files: a hook of the helper would be of the first file alone. */
export const leavesHooksToTestFiles: Rule = (sources) =>
  sources.flatMap(({ path, text }) =>
    /^tests\/.*(?<!\.(?:test|spec))\.tsx?$/.test(path) &&
    path !== 'tests/support/setup.ts' &&
    /^(?:before|after)(?:Each|All)\(/m.test(text)
      ? [`${path} has a hook; atEndOfFile of tests/support/endOfFile.ts, or onTestFinished, holds for each file`]
      : [],
  );

export const silencesNoRule: Rule = (sources) =>
  sources
    .filter(
      ({ path, text }) => !isIn(path, 'tests/architecture') && /(?:\/\/|\/\*)\s*(?:oxlint|eslint)-disable/.test(text),
    )
    .map(({ path }) => `${path} silences a rule of the linter`);

/** Whatever a press of Enter or Space would do something with. */
const ACTS = /^(?:button|Button|Boton|ActionIcon|Confirm|summary)$/;

/** No script puts the focus on what acts: fields, headings and links take it, through one door. */
export const focusesNothingThatActs: Rule = (sources) => {
  const screens = sources.filter(({ path }) => path.startsWith('app/') && path.endsWith('.tsx'));
  const written = screens.flatMap((source) => elementsOf(source).map((one) => ({ path: source.path, ...one })));
  const marks = (attributes: string[]) =>
    attributes.some((name) => /^(?:autoFocus|data-autofocus|data-foco)$/.test(name));
  return [
    ...written
      .filter(({ tag, attributes }) => marks(attributes) && ACTS.test(tag))
      .map(({ path, tag }) => `${path}: <${tag}> takes the focus and acts`),
    ...sources
      .filter(({ path, text }) => path.startsWith('app/') && path !== 'app/ui/foco.ts' && /\.focus\(/.test(text))
      .map(({ path }) => `${path} moves the focus by hand; app/ui/foco.ts is the door`),
    // The one button that waits for a key is the one that does nothing.
    ...written
      .filter(({ path, attributes }) => attributes.includes('data-no') && path !== 'app/ui/Confirm.tsx')
      .map(({ path }) => `${path} has a data-no of its own`),
  ];
};

/** Leaving is refused to nobody, nor is the fold of one's own menu, what stands first in it, the use of one's own keys or the end of the tour. */
const NEVER_REFUSED = ['salir', 'cajon', 'fijar', 'teclas', 'recorrido'];

/** Intents of forms without fields, as screens write them. */
export const hiddenIntents = (sources: readonly Source[]) =>
  sources
    .filter(({ path }) => path.startsWith('app/routes/') && path.endsWith('.tsx'))
    .flatMap(({ text }) => [...text.matchAll(/<Hidden\s(?:[^>]*\s)?intent="(\w+)"/g)].map(([, intent]) => intent!));

/** What a form without fields is refused is told on its page. */
export const tellsEachRefusal: Rule = (sources) => {
  const screens = sources.filter(({ path }) => path.startsWith('app/routes/'));
  const tells = (text: string, intent: string) =>
    new RegExp(`of="${intent}"|use(?:Answer|ActionForm)(?:<[^(]*>)?\\('${intent}'`).test(text) ||
    (/<Refusal|refusals=|BY_BUTTON/.test(text) && new RegExp(`\\[[^\\]]*'${intent}'`).test(text));
  return hiddenIntents(sources)
    .filter((intent) => !NEVER_REFUSED.includes(intent) && !screens.some(({ text }) => tells(text, intent)))
    .map((intent) => `the refusal of '${intent}' is told on no page`);
};

/** Parts of what a sale leaves, as rows of `orden` have them. */
const PARTE = String.raw`(?:comision|costo_?envio|retencion|cupon|liquidado|utilidad)`;
/** Sums of them: in SQL, by a column's name, of rows that were read. */
const SUMAS = [
  String.raw`\b(?:sum|avg)\(\s*(?:coalesce\(\s*)?(?:o|orden)\.${PARTE}\b`,
  String.raw`\b(?:sum|avg)\((?:coalesce\()?\$\{sql\.ref\('(?:o|orden)\.${PARTE}'\)`,
  String.raw`\b(?:total|sum|avg)(?:<[^>]*>)?\('(?:o|orden)\.${PARTE}'`,
  String.raw`Money\.sum\((?:ordenes|ventas|filas)\b[^;]*?=>\s*\(?(?:\w+\.)?${PARTE}\b`,
].map((one) => new RegExp(one, 'i'));
/** The labels that we bought for shipments of our own, which are no part of a profit there. */
const SUMA_GUIAS = 'app/domain/ventas/envios/listCotizar.server.ts';

/** What a sale leaves, and each part of it, is added up from its ledger alone. */
export const addsFromTheLedger: Rule = (sources) =>
  sources
    .filter(({ path, text }) => path.startsWith('app/') && path !== SUMA_GUIAS && SUMAS.some((one) => one.test(text)))
    .map(({ path }) => `${path} adds a part of a sale's money from its row; libro_venta has it, with what is unknown`);
