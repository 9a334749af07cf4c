import type { SearchWindow } from '~/integrations/mercadolibre/client.server';
import type { Cambio } from '~/domain/mercados/mercado';

export type SearchPage = { total: number; orders: { id: string; version: Date | null }[] };
/** Orders touched in a window; of a window that is too full, those created in a second one. */
export type Slice = SearchWindow & { created?: SearchWindow };

/** `moving`: rows kept leaving while it was paged. `full`: there are more than the search lets us see. */
export type Listing = 'whole' | 'moving' | 'full';

export type ListingOptions = {
  /** Orders touched later belong to the next window, so one that appears does not mean that another hides. */
  until: Date;
  /** Lists what can be seen of a slice that is too full; otherwise none of it is listed. */
  evenFull: boolean;
};

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PAGE = 50;
/** The search refuses offsets over 10,000: a slice with more than these is cut in two. */
const MAX_LISTED = 9_000;
const LAST_OFFSET = 9_950;
/** How often a slice is paged before it is given up for now. */
const PASSES = 8;
/** So many passes without anything new outweigh a total that went down meanwhile. */
const QUIET = 3;
/** Sales older than this are touched no more. */
const OLDEST_YEARS = 5;

/**
 * Yields every order of a slice. Pages are asked for by offset: when an order leaves the slice (somebody touched or cancelled it) those
 * behind it move up, and one slips from a page not yet asked for to one that was. So what took more than one page is paged again, until a whole pass
 * shows no order that is new and none left meanwhile. An order is yielded once, and again when a later pass knows of a newer version.
 */
export async function* listSlice(
  search: (offset: number) => Promise<SearchPage>,
  { until, evenFull }: ListingOptions,
): AsyncGenerator<Cambio[], Listing> {
  const listed = new Map<string, number>();
  let quiet = 0;
  for (let pass = 1; pass <= PASSES; pass++) {
    let news = false;
    let shrank = false;
    let most = 0;
    for (let offset = 0; ;) {
      if (offset > LAST_OFFSET) return 'full';
      const { total, orders } = await search(offset);
      if (offset === 0 && total > MAX_LISTED && !evenFull) return 'full';
      if (total < most) shrank = true;
      most = Math.max(most, total);
      const fresh = orders.filter(({ id, version }) => (listed.get(id) ?? -1) < timeOf(version));
      if (fresh.some(({ id, version }) => !listed.has(id) && timeOf(version) <= until.getTime())) news = true;
      for (const { id, version } of fresh) listed.set(id, timeOf(version));
      if (fresh.length > 0) yield fresh.map(({ id, version }) => ({ marketId: id, version }));
      offset += orders.length;
      // The total is known to be wrong at times: only an empty page surely ends, and a short one when the total agrees.
      const ends = orders.length < PAGE && offset >= total;
      // What came in one page was seen in one moment.
      if (ends && offset === orders.length) return 'whole';
      if (ends || orders.length === 0) break;
    }
    quiet = news ? 0 : quiet + 1;
    if (quiet > 0 && (!shrank || quiet >= QUIET)) return 'whole';
  }
  return 'moving';
}

const timeOf = (version: Date | null) => version?.getTime() ?? 0;

/** The two halves of a slice: of its window by whole hours, and of a single hour by when its orders were created. Null: it can be cut no more. */
export function cutInTwo({ from, to, created }: Slice): [Slice, Slice] | null {
  if (!created && to.getTime() - from.getTime() > HOUR) {
    const middle = middleOf({ from, to });
    return [
      { from, to: middle },
      { from: middle, to },
    ];
  }
  const whole = created ?? { from: new Date(to.getTime() - OLDEST_YEARS * 365 * DAY), to };
  if (whole.to.getTime() - whole.from.getTime() <= HOUR) return null;
  const middle = middleOf(whole);
  return [
    { from, to, created: { from: whole.from, to: middle } },
    { from, to, created: { from: middle, to: whole.to } },
  ];
}

function middleOf({ from, to }: SearchWindow): Date {
  const middle = new Date(Math.floor((from.getTime() + to.getTime()) / 2 / HOUR) * HOUR);
  return middle > from ? middle : new Date(from.getTime() + HOUR);
}
