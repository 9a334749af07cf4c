/**
 * `npm run bench`: measures the product on its production build over a database of its own, and prints a table and one JSON document.
 * Names (`npm run bench -- lists notas`) choose, `--quick` shortens, `--years=10` measures over a million orders, `--write` keeps the table in
 * docs/bench.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { handIn } from '~/domain/operacion/handIn.server';
import { benchApi } from './api';
import { benchCondiciones } from './condiciones';
import { benchExcel, benchExportStart } from './excel';
import { loadNow, markdownOf, tableOf, verdictOf, type Figure } from './figures';
import { benchFilas } from './filas';
import { benchGanchos } from './ganchos';
import { benchLoaders, benchProductos, benchReads, benchVerbs } from './lists';
import { benchMemory } from './memory';
import { benchMercados } from './mercados/parts';
import { benchGente } from './gente';
import { benchGlobal, benchNotas } from './mes';
import { benchPages } from './pages';
import { benchPantalla } from './pantalla';
import { benchPedidos } from './pedidos';
import { benchNegocios } from './negocios';
import { Place } from './place';
import { benchProveedores } from './proveedores';
import { benchPublic } from './publico';
import { benchReports, carryYear } from './reports';
import { benchRestauracion } from './restauracion';
import { benchSearch } from './search';
import { benchSepomex } from './sepomex';
import { benchManyStamps, benchStampPath } from './stamps';
import { benchStartup } from './startup';
import { benchStock } from './stock';
import { benchSync } from './sync';
import { benchWebhooks } from './webhooks';

type Run = {
  place: Place;
  quick: boolean;
  web(): ReturnType<Place['web']>;
  /** Keeps a figure now: a long measure that fails later has told what it knew. */
  tell(this: void, figure: Figure): void;
};

async function stamping({ place }: Run) {
  await place.worker();
  const { db, owner, person } = await place.database();
  return { db, owner, person, sandbox: await place.sandbox() };
}

/** In this order: what fills the database comes last, and memory is looked at after the load. */
const MEASURES: Record<string, (run: Run) => Promise<Figure[]>> = {
  start: ({ place, quick }) => benchStartup(place, { checkout: !quick }),
  negocios: ({ place, quick }) => benchNegocios(place, quick ? 2 : 4, quick ? 60 : 120),
  async lists({ place, quick }) {
    const { db, person } = await place.database();
    await place.catalogo();
    return benchVerbs(db, person, quick ? 15 : 60);
  },
  async productos({ place, quick, web }) {
    const { db, person } = await place.database();
    await place.catalogo();
    const rounds = quick ? 15 : 60;
    return [...(await benchVerbs(db, person, rounds, ['productos'])), ...(await benchProductos(await web(), rounds))];
  },
  async reads({ place, quick }) {
    return benchReads((await place.database()).db, quick ? 15 : 60);
  },
  async condiciones({ place, quick }) {
    const { db, owner } = await place.database();
    return benchCondiciones(db, owner, quick ? 15 : 60);
  },
  async loaders({ place, quick }) {
    const web = await place.web();
    return benchLoaders((await place.database()).db, web, quick ? 20 : 100);
  },
  async reports({ place, quick }) {
    const { db, owner, person } = await place.database();
    await carryYear(owner);
    return benchReports(db, person, quick ? 10 : 40);
  },
  async sepomex({ place }) {
    return benchSepomex((await place.database()).db, place.folder);
  },
  async search({ place, quick }) {
    const web = await place.web();
    return benchSearch((await place.database()).db, web, quick ? 15 : 60);
  },
  async gente({ place, quick }) {
    const web = await place.web();
    await place.worker();
    return benchGente((await place.database()).db, web, quick ? 1 : 3);
  },
  async api({ place, quick }) {
    const web = await place.web();
    const { db, person } = await place.database();
    const asked = await benchApi(db, person, web, quick ? 5 : 15);
    // Receivers are on this machine.
    process.env.GANCHOS_RED_PRIVADA = '1';
    await place.worker();
    return [...asked, ...(await benchGanchos(db, person))];
  },
  async pantalla({ place, quick }) {
    const web = await place.web();
    return benchPantalla((await place.database()).db, web, quick ? 2 : 5);
  },
  filas: ({ quick }) => Promise.resolve(benchFilas(quick ? 5 : 40)),
  pages: async ({ place, quick }) => benchPages(await place.web(), quick ? 2 : 5),
  async publico({ place, quick }) {
    const { db, person } = await place.database();
    return benchPublic(db, person, await place.web(), quick ? 2 : 5);
  },
  async excel({ place }) {
    const { db, person } = await place.database();
    const worker = await place.worker();
    return [...(await benchExcel(db, person, worker)), ...(await benchExportStart(db, person))];
  },
  stamp: async (run) => benchStampPath(await stamping(run), run.quick ? 20 : 100),
  async stamps(run) {
    const bench = await stamping(run);
    const count = run.quick ? 200 : 1_000;
    return [...(await benchManyStamps(bench, count, 'create')), ...(await benchManyStamps(bench, count, 'every call'))];
  },
  global: async (run) => benchGlobal(await stamping(run), run.quick ? 1_000 : 5_000),
  notas: async (run) => benchNotas(await stamping(run), await run.place.web(), run.quick ? 200 : 2_000),
  sync: async (run) => benchSync(await stamping(run), run.quick ? 2_000 : 10_000),
  mercados: async (run) => benchMercados({ ...(await stamping(run)), place: run.place, quick: run.quick }),
  webhooks: async (run) => benchWebhooks(await stamping(run), await run.place.web()),
  async proveedores({ place, quick, tell }) {
    try {
      await benchProveedores(place, quick ? 15_000 : 150_000, tell);
    } finally {
      // The two halves ask nothing of each other.
      await place.worker();
      const { db, person } = await place.database();
      const pedidos = await benchPedidos({ db, person, sandbox: await place.sandbox() }, quick ? 20 : 100);
      pedidos.forEach(tell);
    }
    return [];
  },
  async stock({ place, quick, web }) {
    const { db, owner, person } = await place.database();
    return benchStock({ db, owner, person }, await web(), quick ? 15 : 60);
  },
  restauracion: ({ place }) => benchRestauracion(place),
  async memory({ place }) {
    await Promise.all([place.web(), place.worker()]);
    return benchMemory(place.pids());
  },
};

const DOCUMENT = 'docs/bench.md';
const LAST_RUN = '## Last whole run';

const say = (text: string) => process.stderr.write(`· ${text}\n`);

async function main(args: string[]): Promise<number> {
  const named = args.flatMap((arg) =>
    arg.startsWith('--') ? (/^--only=(.*)$/.exec(arg)?.[1]?.split(',') ?? []) : [arg],
  );
  const only = named.length > 0 ? named : undefined;
  const unknown = [
    ...named.filter((name) => !(name in MEASURES)),
    ...args.filter((arg) => /^--/.test(arg) && !/^--(only=.*|years=\d+|quick|write)$/.test(arg)),
  ];
  if (unknown.length > 0) {
    console.error(
      `No conozco ${unknown.join(', ')}. Hay: ${Object.keys(MEASURES).join(' ')} --quick --years=10 --write`,
    );
    return 1;
  }
  const years = Number(/^--years=(\d+)$/.exec(args.find((arg) => arg.startsWith('--years=')) ?? '')?.[1] ?? 1);
  const place = new Place(say, Math.max(1, years));
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void place.close().finally(() => process.exit(130)));

  const figures: Figure[] = [];
  const broken: { measure: string; error: string }[] = [];
  const tell = (figure: Figure) => void figures.push({ ...figure, load: loadNow() });
  const run: Run = { place, quick: args.includes('--quick'), web: () => place.web(), tell };
  const began = new Date();
  try {
    for (const [name, measure] of Object.entries(MEASURES)) {
      if (only && !only.includes(name)) continue;
      const from = Date.now();
      try {
        (await measure(run)).forEach(tell);
        say(`${name}: ${((Date.now() - from) / 1000).toFixed(1)} s`);
      } catch (error) {
        broken.push({ measure: name, error: error instanceof Error ? error.message : String(error) });
        say(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      }
    }
  } finally {
    await place.close();
  }

  const machine = {
    cores: cpus().length,
    cpu: cpus()[0]?.model.trim() ?? '',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    system: `${process.platform} ${process.arch}`,
  };
  const command = ['npm run bench', ...(args.length > 0 ? ['--', ...args.filter((arg) => arg !== '--write')] : [])]
    .join(' ')
    .replace(/ --$/, '');
  console.log(`\n${tableOf(figures)}\n`);
  console.log(
    JSON.stringify({
      at: began.toISOString(),
      seconds: Math.round((Date.now() - began.getTime()) / 1000),
      command,
      machine,
      figures: figures.map((figure) => ({ ...figure, verdict: verdictOf(figure) })),
      broken,
    }),
  );
  if (args.includes('--write')) writeFileSync(DOCUMENT, documentOf(began, command, machine, figures));
  return broken.length > 0 ? 1 : 0;
}

function documentOf(
  at: Date,
  command: string,
  {
    cores,
    cpu,
    memoryGb,
    node,
    system,
  }: { cores: number; cpu: string; memoryGb: number; node: string; system: string },
  figures: readonly Figure[],
): string {
  // What stands above the table is written by people.
  const [above = ''] = readFileSync(DOCUMENT, 'utf8').split(LAST_RUN);
  return [
    `${above}${LAST_RUN}`,
    '',
    `\`${command}\` on ${at.toISOString().slice(0, 10)}: ${cores} cores (${cpu}), ${memoryGb} GB, ${system}, Node ${node}. Everything runs on this one machine: PostgreSQL (durable), web, worker, the sandbox of outside APIs and the bench itself.`,
    '',
    "A figure is a median where a thing was repeated. `load` is the machine's load average at that moment: over 2 something else was using the cores, and figures wobble.",
    '',
    markdownOf(figures),
    '',
  ].join('\n');
}

handIn();
process.exit(await main(process.argv.slice(2)));
