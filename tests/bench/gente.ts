/**
 * People at work beside the worker: each reads a page, thinks, and reads the next. Answers are told over the whole time and for the five seconds after each
 * full minute, since work by the clock may wake there.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '~db/client.server';
import { BIG_MONTH, samplesOf } from './data';
import { rounded, type Figure } from './figures';
import { withVisitor } from './http';
import { FROM_TABLE } from './lists';
import type { Web } from './place';

/** Mean time between the answer of a page and the next page of the same person. */
const THINKS_MS = 8_000;
const AFTER_MINUTE_MS = 5_000;
/** What a round of people reads: the share of each page in a hundred. */
const SHARES = { ordenes: 30, panel: 20, search: 15, hoy: 15, facturas: 10, preguntas: 10 } as const;
/** Of p95, p99 and the slowest, by the number of people. */
const AIMS: Record<number, { p95: number; p99?: number; worst?: number }> = {
  50: { p95: 120 },
  200: { p95: 300, p99: 800, worst: 1_500 },
};

type Seen = { at: number; ms: number };

export async function benchGente(db: Db, web: Web, minutes: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const people of Object.keys(AIMS).map(Number)) {
    const seen = await workBeside(await addressesOf(db, web), web, { people, minutes });
    const slow = seen.filter(({ at }) => at % 60_000 < AFTER_MINUTE_MS);
    const { p95, p99, worst } = AIMS[people]!;
    const row = (name: string, value: number, aim?: number, note?: string): Figure => ({
      name: `${people} people: ${name}`,
      value: rounded(value),
      unit: 'ms',
      ...(aim !== undefined && { aim }),
      ...(note && { note }),
    });
    figures.push(
      row(
        'p95',
        atShare(seen, 0.95),
        p95,
        `${seen.length} answers in ${minutes} minutes, p50 ${rounded(atShare(seen, 0.5))} ms`,
      ),
      row('p99', atShare(seen, 0.99), p99),
      row('the slowest answer', atShare(seen, 1), worst, `${seen.filter(({ ms }) => ms > 400).length} over 400 ms`),
      row('p95 in the five seconds after a full minute', atShare(slow, 0.95), undefined, `${slow.length} answers`),
    );
  }
  return figures;
}

const atShare = (seen: readonly Seen[], share: number) => {
  const sorted = seen.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
};

/** Addresses as the pages themselves ask for them; those of a panel and of the search differ from one to the next. */
async function addressesOf(db: Db, { url }: Web): Promise<Record<keyof typeof SHARES, () => string>> {
  const { rfc, folio, modelo } = await samplesOf(db);
  const { rows } = await sql<{ id: string; numOrden: string }>`
    select id, num_orden from orden where fecha_creacion < ${BIG_MONTH.to}::timestamptz order by fecha_creacion desc limit 500`.execute(
    db,
  );
  const data = (screen: string, query: string) =>
    `${url}/sa/${screen}.data?${query}&_routes=${encodeURIComponent(`sa/${screen}`)}`;
  const one = <T>(of: readonly T[]) => of[Math.floor(Math.random() * of.length)]!;
  const texts = ['garcia', 'camara', rfc, folio, modelo, ...rows.slice(0, 50).map(({ numOrden }) => numOrden)];
  return {
    ordenes: () => data('ordenes', BIG_MONTH.query),
    panel: () => data('ordenes', `${BIG_MONTH.query}&ver=${one(rows).id}`),
    search: () => data('buscar', `q=${encodeURIComponent(one(texts))}`),
    hoy: () => `${url}/sa.data?_routes=sa%2Fhome`,
    facturas: () => data('facturasClientes', BIG_MONTH.query),
    preguntas: () => data('preguntas', ''),
  };
}

async function workBeside(
  addresses: Record<keyof typeof SHARES, () => string>,
  { cookie }: Web,
  { people, minutes }: { people: number; minutes: number },
): Promise<Seen[]> {
  const deck = Object.entries(SHARES).flatMap(([page, share]) =>
    Array<keyof typeof SHARES>(share).fill(page as keyof typeof SHARES),
  );
  const seen: Seen[] = [];
  const end = performance.now() + minutes * 60_000;
  await Promise.all(
    Array.from({ length: people }, () =>
      withVisitor({ cookie, ...FROM_TABLE }, async (visitor) => {
        // Nobody begins at the same moment.
        await sleep(Math.random() * THINKS_MS);
        while (performance.now() < end) {
          const page = deck[Math.floor(Math.random() * deck.length)]!;
          const [at, from] = [Date.now(), performance.now()];
          const { status } = await visitor.get(addresses[page]());
          if (status !== 200) throw new Error(`${page} answered ${status}`);
          seen.push({ at, ms: performance.now() - from });
          await sleep(THINKS_MS * (0.5 + Math.random()));
        }
      }),
    ),
  );
  return seen;
}
