import { readInstant } from '~/core/time';
import type { Amazon, Fila, Pagina } from '~/integrations/amazon/client.server';
import type { Asking, Ventana } from '~/domain/mercados/mercado';

/** Passes over a window before it is given up for now. */
const PASADAS = 4;
/** Most pages of one pass over a window that can be cut. At one page in three minutes they take an hour and a half, and a token lives a day. */
export const PAGINAS_POR_VENTANA = 30;
/** Most pages of a window that cannot be cut: a longer pass goes round in circles. */
const MAX_PAGINAS = 450;
const HOUR = 3_600_000;
/** A change made this long before a pass may show only during the pass. */
const MARGEN_MS = 5 * 60_000;

type Buscador = Pick<Amazon, 'searchOrders'>;

/** How a listing ended. `moving`: rows kept leaving during the passes. `full`: the window takes more pages than may be asked for, and can be cut. */
export type Listado = 'whole' | 'moving' | 'full';

/** Returns the two halves of a window; null for the shortest window. */
export function cutInTwo({ from, to }: Ventana): [Ventana, Ventana] | null {
  if (to.getTime() - from.getTime() <= HOUR) return null;
  const middle = new Date((from.getTime() + to.getTime()) / 2);
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}

/**
 * Yields the pages of a window and returns whether the whole window was seen. Nobody knows whether Amazon's pages go on after a row or by
 * position. By position, a touched sale leaves the window and the sales behind it move up, so one of them slips into a page that was asked for
 * already. Only a touched sale can have left, and it is among those touched since the pass began. When one of these may have stood in the window,
 * the window is paged again, until a pass brings nothing new. A window of one page was seen in one moment.
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
    // A sale touched later belongs to the next window, so its coming does not mean that another sale hides.
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

/** Tells whether a row may have stood in the window before it was touched. A row without a date may have. */
function wasBorn(raw: unknown, until: Date): boolean {
  const { createdTime } = (raw ?? {}) as { createdTime?: unknown };
  const born = typeof createdTime === 'string' ? readInstant(createdTime) : null;
  return born === null || born <= until;
}
