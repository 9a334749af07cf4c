import type { VentaVista } from '~/domain/compras/stock/bodega.server';
import type { ConteoVista, listPartes } from '~/domain/compras/stock/conteos.server';
import type { PaqueteVista, PorEmpacar } from '~/domain/compras/stock/empaque.server';
import type { PorRecibir } from '~/domain/compras/stock/devoluciones.server';
import type { Hecho, Pieza } from './almacen';

/** No answer came. The press may have arrived, and is sent again with the same key. */
export class SinSenal extends Error {}
/**
 * The server failed, or a proxy reported the server away. `suya`: the failure concerns this press alone, and other
 * presses may pass.
 */
export class ServidorFalla extends Error {
  constructor(
    readonly suya: boolean,
    /** Words of the server about its failure. */
    readonly dice: string | null,
  ) {
    super(dice ?? '');
  }
}
/** The session ended. */
export class SinEntrar extends Error {}

/** A piece received a moment ago. */
export type Reciente = { folio: string; nombre: string };

/** Result of reading a text: a piece, a label without a piece, a sale, or nothing. */
export type Leido =
  | { clase: 'pieza'; pieza: Pieza }
  | { clase: 'etiqueta'; codigo: string; recientes: Reciente[] }
  | { clase: 'venta'; venta: VentaVista }
  | { clase: 'nada' };

/** Time without an answer before a request counts as without signal. */
const PACIENCIA_MS = 20_000;
/** Statuses of a proxy, or of a server that asks for time: other presses would get the same answer. */
const PARA_TODO = new Set([408, 429, 502, 504]);

/** Sends a request and returns status and JSON. Throws `SinSenal`, `ServidorFalla` or `SinEntrar`. */
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
    // A 503 of our own server has words; a 503 of a proxy has none.
    const suya = !PARA_TODO.has(answer.status) && (answer.status !== 503 || typeof dice === 'string');
    throw new ServidorFalla(suya, typeof dice === 'string' ? dice : null);
  }
  if (answer.redirected || answer.status === 401) throw new SinEntrar();
  // A page in place of JSON comes from a network with a sign-in of its own.
  if (answer.ok && body === undefined) throw new SinSenal();
  return { status: answer.status, body };
}

/** Returns the words of a refusal; an answer without words is told by its status. */
export const textoOf = ({ status, body }: { status: number; body: unknown }): string => {
  const texto = (body as { texto?: unknown } | null | undefined)?.texto;
  return typeof texto === 'string' ? texto : `El servidor no lo aceptó (${status}). Avisa a quien administra.`;
};

/** Asks the server for the record that a text names. Throws as `requestFromServer`. */
export async function readFromServer(base: string, texto: string): Promise<Leido> {
  const answer = await requestFromServer(`${base}/leer?${String(new URLSearchParams({ texto }))}`);
  if (answer.status === 403) throw new ServidorFalla(true, textoOf(answer));
  return answer.status === 200 ? (answer.body as Leido) : { clase: 'nada' };
}

export type { PaqueteVista as Paquete, PorEmpacar } from '~/domain/compras/stock/empaque.server';

/** Asks the server for the parcels to pack. Throws as `requestFromServer`. */
export async function fetchPorEmpacar(base: string): Promise<PorEmpacar> {
  const answer = await requestFromServer(`${base}/leer?empaque=1`);
  return answer.status === 200 ? (answer.body as PorEmpacar) : { total: 0, paquetes: [] };
}

/** Asks the server for the parcel that a text names; undefined when there is none. Throws as `requestFromServer`. */
export async function fetchPaquete(base: string, texto: string): Promise<PaqueteVista | undefined> {
  const answer = await requestFromServer(`${base}/leer?${String(new URLSearchParams({ paquete: texto }))}`);
  return answer.status === 200 ? (answer.body as { paquete?: PaqueteVista }).paquete : undefined;
}

/** Asks the server for the returns to receive. Throws as `requestFromServer`. */
export async function fetchPorRecibir(base: string): Promise<PorRecibir> {
  const answer = await requestFromServer(`${base}/leer`);
  return answer.status === 200 ? (answer.body as PorRecibir) : { total: 0, ventas: [] };
}

export type { ConteoVista as Conteo } from '~/domain/compras/stock/conteos.server';

/** What can be counted, with what is being counted. */
export type Partes = {
  partes: Pick<Awaited<ReturnType<typeof listPartes>>[number], 'parte' | 'piezas' | 'conteo' | 'leidas' | 'quien'>[];
};

/** Asks the server what can be counted. Throws as `requestFromServer`. */
export async function fetchPartes(base: string): Promise<Partes> {
  const answer = await requestFromServer(`${base}/leer?conteos=1`);
  return answer.status === 200 ? (answer.body as Partes) : { partes: [] };
}

/** Asks the server for a count; undefined when there is none. Throws as `requestFromServer`. */
export async function fetchConteo(base: string, id: string): Promise<ConteoVista | undefined> {
  const answer = await requestFromServer(`${base}/leer?${String(new URLSearchParams({ conteo: id }))}`);
  return answer.status === 200 ? (answer.body as { conteo?: ConteoVista }).conteo : undefined;
}

/**
 * Opens a count, or joins the one that is open, and returns its id. It waits in no queue: whether somebody counts already is known
 * by the server alone. Throws as `requestFromServer`, and `ServidorFalla` with the words of a refusal.
 */
export async function beginConteo(base: string, usuario: string, parte: string | null): Promise<string> {
  const form = new FormData();
  for (const [name, value] of Object.entries({
    que: 'empezarConteo',
    clave: crypto.randomUUID(),
    usuario,
    parte: parte ?? '',
  }))
    form.append(name, value);
  const answer = await requestFromServer(`${base}/enviar`, { method: 'POST', body: form });
  const { conteo } = (answer.body ?? {}) as Hecho;
  if (answer.status !== 200 || conteo === undefined) throw new ServidorFalla(true, textoOf(answer));
  return conteo;
}
