import type { SearchWindow } from '~/integrations/mercadolibre/client.server';
import type { Cambio } from '~/domain/mercados/mercado';

export type SearchPage = { total: number; orders: { id: string; version: Date | null }[] };
/** Orders that were touched in a window. Of a window that is too full, `created` narrows them to those created in a second window. */
export type Slice = SearchWindow & { created?: SearchWindow };

/** How the listing of a slice ended. `moving`: rows kept leaving while it was paged. `full`: there are more rows than the search shows. */
export type Listing = 'whole' | 'moving' | 'full';

export type ListingOptions = {
  /** End of the window. An order touched later belongs to the next window, so its coming does not mean that another order hides. */
  until: Date;
  /** Lists the part of a slice that can be seen when the slice is too full; otherwise nothing of such a slice is listed. */
  evenFull: boolean;
};

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PAGE = 50;
/** Most orders of a slice. The search refuses offsets over 10,000, so a fuller slice is cut in two. */
const MAX_LISTED = 9_000;
const LAST_OFFSET = 9_950;
/** Passes over a slice before it is given up for now. */
const PASSES = 8;
/** Passes without anything new that outweigh a total that went down meanwhile. */
const QUIET = 3;
/** Age after which nobody touches a sale. */
const OLDEST_YEARS = 5;

/**
 * Yields every order of a slice. Pages are asked for by offset. When an order leaves the slice (somebody touched or cancelled it) the orders
 * behind it move up, and one of them slips into a page that was asked for already. So a slice of several pages is paged again, until a whole
 * pass shows no new order and none left meanwhile. An order is yielded once, and again when a later pass knows of a newer version.
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
      // The total is wrong at times. An empty page is surely the last one; a short page is the last one when the total agrees.
      const ends = orders.length < PAGE && offset >= total;
      // A slice of one page was seen in one moment.
      if (ends && offset === orders.length) return 'whole';
      if (ends || orders.length === 0) break;
    }
    quiet = news ? 0 : quiet + 1;
    if (quiet > 0 && (!shrank || quiet >= QUIET)) return 'whole';
  }
  return 'moving';
}

const timeOf = (version: Date | null) => version?.getTime() ?? 0;

/** Returns the two halves of a slice: its window is cut by whole hours, and a single hour by when its orders were created. Null: the slice can be cut no more. */
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
