import type { VentaVista } from '~/domain/compras/stock/bodega.server';
import type { PorRecibir } from '~/domain/compras/stock/devoluciones.server';
import type { Pieza } from './almacen';

/** Nothing came back: it may have arrived, and is sent again with the same key. */
export class SinSenal extends Error {}
/** The server answered that it cannot, or somebody before it that it is away. `suya`: it failed at this one thing, and others may pass. */
export class ServidorFalla extends Error {
  constructor(
    readonly suya: boolean,
    /** What it says of it itself. */
    readonly dice: string | null,
  ) {
    super(dice ?? '');
  }
}
/** Nobody is signed in any more. */
export class SinEntrar extends Error {}

/** A piece that came a moment ago. */
export type Reciente = { folio: string; nombre: string };

export type Leido =
  | { clase: 'pieza'; pieza: Pieza }
  | { clase: 'etiqueta'; codigo: string; recientes: Reciente[] }
  | { clase: 'venta'; venta: VentaVista }
  | { clase: 'nada' };

/** How long a press waits before it counts as without signal. */
const PACIENCIA_MS = 20_000;
/** Who answers so for a server is a proxy, or a server that asks for time: whatever else waits would be told the same. */
const PARA_TODO = new Set([408, 429, 502, 504]);

export async function requestFromServer(
  url: string,
  init: RequestInit = {},
): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(url, { ...init, cache: 'no-store', signal: AbortSignal.timeout(PACIENCIA_MS) }).catch(
    (cause: unknown) => {
      throw new SinSenal('', { cause });
    },
  );
  const body: unknown = await answer.json().catch(() => undefined);
  if (answer.status >= 500 || PARA_TODO.has(answer.status)) {
    const dice = (body as { texto?: unknown } | undefined)?.texto;
    // Of a 503 only ours says why.
    const suya = !PARA_TODO.has(answer.status) && (answer.status !== 503 || typeof dice === 'string');
    throw new ServidorFalla(suya, typeof dice === 'string' ? dice : null);
  }
  if (answer.redirected || answer.status === 401) throw new SinEntrar();
  // The page of a network that asks for its own sign-in, before the world is reached.
  if (answer.ok && body === undefined) throw new SinSenal();
  return { status: answer.status, body };
}

/** What the server says of a no; a page instead of words is told by its number. */
export const textoOf = ({ status, body }: { status: number; body: unknown }): string => {
  const texto = (body as { texto?: unknown } | null | undefined)?.texto;
  return typeof texto === 'string' ? texto : `El servidor no lo aceptó (${status}). Avisa a quien administra.`;
};

export async function readFromServer(base: string, texto: string): Promise<Leido> {
  const answer = await requestFromServer(`${base}/leer?${String(new URLSearchParams({ texto }))}`);
  if (answer.status === 403) throw new ServidorFalla(true, textoOf(answer));
  return answer.status === 200 ? (answer.body as Leido) : { clase: 'nada' };
}

export async function fetchPorRecibir(base: string): Promise<PorRecibir> {
  const answer = await requestFromServer(`${base}/leer`);
  return answer.status === 200 ? (answer.body as PorRecibir) : { total: 0, ventas: [] };
}
