import type { VentaVista } from '~/domain/stock/bodega.server';
import type { Pieza } from './almacen';

/** Nothing came back: it may have arrived, and is sent again with the same key. */
export class SinSenal extends Error {}
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

export async function pedir(url: string, init: RequestInit = {}): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(url, { ...init, cache: 'no-store', signal: AbortSignal.timeout(PACIENCIA_MS) }).catch(
    (cause: unknown) => {
      throw new SinSenal('', { cause });
    },
  );
  // A proxy that finds nobody behind it, and a server that failed or asks for time, are tried again.
  if (answer.status >= 500 || answer.status === 429 || answer.status === 408) throw new SinSenal();
  if (answer.redirected || answer.status === 401) throw new SinEntrar();
  const body: unknown = await answer.json().catch((cause: unknown) => {
    throw new SinSenal('', { cause });
  });
  return { status: answer.status, body };
}

export async function leerDelServidor(base: string, texto: string): Promise<Leido> {
  const { status, body } = await pedir(`${base}/leer?${String(new URLSearchParams({ texto }))}`);
  return status === 200 ? (body as Leido) : { clase: 'nada' };
}
