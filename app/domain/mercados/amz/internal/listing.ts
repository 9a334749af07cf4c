import type { Amazon, Fila, Pagina } from '~/integrations/amazon/client.server';
import type { Asking, Ventana } from '~/domain/mercados/mercado';

/** How often a window is paged before it is given up for now. */
const PASADAS = 4;
/** Pages of one pass over a window that can be cut; a token lives a day, and one page in three minutes makes these an hour and a half. */
export const PAGINAS_POR_VENTANA = 30;
/** Of one that cannot; what goes on for longer goes round in circles. */
const MAX_PAGINAS = 450;
const HOUR = 3_600_000;
/** What changed shortly before a pass began may show only while it is paged. */
const MARGEN_MS = 5 * 60_000;

type Buscador = Pick<Amazon, 'searchOrders'>;

/** `moving`: rows kept leaving while it was paged. `full`: it takes more pages than may be asked for, and can be cut in two. */
export type Listado = 'whole' | 'moving' | 'full';

/** The two halves of a window; null when it is as short as windows get. */
export function cutInTwo({ from, to }: Ventana): [Ventana, Ventana] | null {
  if (to.getTime() - from.getTime() <= HOUR) return null;
  const middle = new Date((from.getTime() + to.getTime()) / 2);
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}

/**
 * Yields the pages of a window and returns whether all of it was seen. Nobody knows whether Amazon's pages go on after a row or by position. By position, a sale
 * that is touched leaves the window and those behind it move up, so that one slips from a page not yet asked for to one that was. Only a sale that was touched can
 * have left, and it is among those touched since the pass began. When one of them may have stood in the window, the window is paged again, until a pass brings
 * nothing new. What came in one page was seen in one moment.
 */
export async function* listWindow(
  amazon: Buscador,
  window: Ventana,
  asking: Asking,
  clock: () => Date = () => new Date(),
): AsyncGenerator<Fila[], Listado> {
  const most = cutInTwo(window) ? PAGINAS_POR_VENTANA : MAX_PAGINAS;
  const seen = new Set<string>();
  for (let pass = 1; pass <= PASADAS; pass++) {
    const since = new Date(clock().getTime() - MARGEN_MS);
    // Later ones belong to the next window, so one that appears does not mean that another hides.
    const until = new Date(Math.min(window.to.getTime(), since.getTime()));
    let pages = 0;
    let news = false;
    for await (const filas of pagesOf(amazon, window, asking, clock)) {
      if (++pages > most) return cutInTwo(window) ? 'full' : 'moving';
      for (const { id, version } of filas) {
        if (!seen.has(id) && (version === null || version <= until)) news = true;
        seen.add(id);
      }
      yield filas;
    }
    if (pages === 1 || (pass > 1 && !news)) return 'whole';
    let left = false;
    for await (const filas of pagesOf(amazon, { from: since, to: clock() }, asking, clock)) {
      left ||= filas.some(({ raw }) => wasBorn(raw, until));
      yield filas;
    }
    if (!left) return 'whole';
  }
  return 'moving';
}

async function* pagesOf(
  amazon: Buscador,
  window: Ventana,
  { patiently, signal }: Asking,
  clock: () => Date,
): AsyncGenerator<Fila[], void> {
  let next: string | null = null;
  do {
    signal?.throwIfAborted();
    const token: string | null = next;
    const page: Pagina = await patiently(() => amazon.searchOrders(window, token, clock()));
    yield page.filas;
    next = page.siguiente;
  } while (next !== null);
}

/** A row that does not say when may have been. */
function wasBorn(raw: unknown, until: Date): boolean {
  const { createdTime } = (raw ?? {}) as { createdTime?: unknown };
  return typeof createdTime !== 'string' || !(Date.parse(createdTime) > until.getTime());
}
