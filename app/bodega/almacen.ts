import type { Hecho, PiezaVista } from '~/domain/compras/stock/bodega.server';

export type QueSeHace =
  'estado' | 'deshacer' | 'surtir' | 'foto' | 'ligar' | 'recibir' | 'empacar' | 'faltar' | 'contar';

/**
 * A press that waits on the phone. `campos` are the fields to send, and `version` among them is the version on the
 * screen.
 */
export type Entrada = {
  n?: number;
  clave: string;
  usuario: string;
  que: QueSeHace;
  campos: Record<string, string>;
  foto?: Blob;
  /** Folio of the piece, or number of the sale. */
  sobre: string;
  /** The act in words for people. */
  dice: string;
  /** State of the piece on the screen at the press, in words. */
  visto: string | null;
  /** Moment of the press, in ms. */ cuando: number;
  estado: 'espera' | 'choque' | 'no';
  /** Reason to wait for a person, with the state of the piece by now. */
  porque?: { titulo: string; texto: string; pieza: Pieza | null; marcas?: Record<string, string | number> } | undefined;
  /** Words of the server that failed; the press is sent again without a person. */
  fallo?: string | undefined;
};

/** A piece as JSON carries a piece: instants are text. */
export type Pieza = Omit<PiezaVista, 'cuando' | 'regresaHasta'> & { cuando: string; regresaHasta: string | null };
export type { Hecho };

const BASE = 'bodega';
/** Time that a phone remembers a piece. */
const VIGENCIA_MS = 12 * 3_600_000;

let abierta: Promise<IDBDatabase> | undefined;

function openDatabase(): Promise<IDBDatabase> {
  return (abierta ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(BASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('cola', { keyPath: 'n', autoIncrement: true });
      request.result.createObjectStore('piezas', { keyPath: 'folio' });
      request.result.createObjectStore('sesion');
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('no hay dónde guardar'));
  }));
}

/**
 * Runs work in a transaction of IndexedDB and resolves once the phone has stored the writes: a page that closes then
 * loses nothing.
 */
async function inStores<T>(
  stores: string[],
  mode: IDBTransactionMode,
  work: (trx: IDBTransaction) => IDBRequest<T> | undefined,
): Promise<T> {
  const trx = (await openDatabase()).transaction(stores, mode);
  const request = work(trx);
  return new Promise((resolve, reject) => {
    trx.oncomplete = () => resolve(request?.result as T);
    trx.onabort = () => reject(trx.error ?? new Error('no se guardó'));
  });
}

/** Returns every press that waits on this phone, the oldest first. */
export const listEntradas = (): Promise<Entrada[]> =>
  inStores<Entrada[]>(['cola'], 'readonly', (trx) => trx.objectStore('cola').getAll() as IDBRequest<Entrada[]>);
/** Stores a press; a press with `n` replaces the stored press. */
export const save = (entrada: Entrada) =>
  inStores(['cola'], 'readwrite', (trx) => trx.objectStore('cola').put(entrada));
/** Removes a press by its number `n`. */
export const remove = (n: number) => inStores(['cola'], 'readwrite', (trx) => trx.objectStore('cola').delete(n));

/** Stores a piece as the server showed the piece. */
export const remember = (pieza: Pieza) =>
  inStores(['piezas'], 'readwrite', (trx) => trx.objectStore('piezas').put({ ...pieza, desde: Date.now() }));
/** What this phone keeps of the server, with the moment at which the server told it, in ms. */
export type Recordado<T> = { value: T; desde: number };

/**
 * Returns the remembered piece and when it was seen; undefined when this phone never saw the piece, or saw the piece over twelve hours ago.
 */
export async function recall(folio: string): Promise<Recordado<Pieza> | undefined> {
  const pieza = await inStores<(Pieza & { desde: number }) | undefined>(
    ['piezas'],
    'readonly',
    (trx) => trx.objectStore('piezas').get(folio) as IDBRequest<(Pieza & { desde: number }) | undefined>,
  );
  if (!pieza || Date.now() - pieza.desde >= VIGENCIA_MS) return undefined;
  const { desde, ...value } = pieza;
  return { value, desde };
}

/** Keeps what the server showed, under a name, as long as the session of this person. */
export const keepNote = (name: string, value: object) =>
  inStores(['sesion'], 'readwrite', (trx) => trx.objectStore('sesion').put({ value, desde: Date.now() }, name));
/** Returns what was kept under a name, and since when; undefined without it, or after twelve hours. */
export async function recallNote<T>(name: string): Promise<Recordado<T> | undefined> {
  const note = await inStores<Recordado<T> | undefined>(
    ['sesion'],
    'readonly',
    (trx) => trx.objectStore('sesion').get(name) as IDBRequest<Recordado<T> | undefined>,
  );
  return note && Date.now() - note.desde < VIGENCIA_MS ? note : undefined;
}

/** Returns the person who works here without signal: the last person that the server named. */
export const lastUsuario = (): Promise<string | undefined> =>
  inStores<string | undefined>(
    ['sesion'],
    'readonly',
    (trx) => trx.objectStore('sesion').get('usuario') as IDBRequest<string | undefined>,
  );

/** Records the person who works here. Another person forgets the pieces and session of the person before. */
export async function enterAs(usuario: string): Promise<void> {
  if ((await lastUsuario()) === usuario) return;
  await forget();
  await inStores(['sesion'], 'readwrite', (trx) => trx.objectStore('sesion').put(usuario, 'usuario'));
}

/** Forgets pieces and session. Presses that wait stay, under the name of the person who pressed. */
export const forget = () =>
  inStores(['piezas', 'sesion'], 'readwrite', (trx) => {
    trx.objectStore('piezas').clear();
    return trx.objectStore('sesion').clear();
  });
