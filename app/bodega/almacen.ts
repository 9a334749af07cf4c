import type { Hecho, PiezaVista } from '~/domain/compras/stock/bodega.server';

export type QueSeHace = 'estado' | 'deshacer' | 'surtir' | 'foto' | 'ligar' | 'recibir';

/** One press that waits on the phone. `campos` are what it sends, and `version` what the screen showed. */
export type Entrada = {
  n?: number;
  clave: string;
  usuario: string;
  que: QueSeHace;
  campos: Record<string, string>;
  foto?: Blob;
  /** The folio of its piece, or the number of its sale. */
  sobre: string;
  /** What it does, as people read it. */
  dice: string;
  /** How the piece looked when it was pressed. */
  visto: string | null;
  cuando: number;
  estado: 'espera' | 'choque' | 'no';
  /** Why it waits for a person, and how the piece stands now. */
  porque?: { titulo: string; texto: string; pieza: Pieza | null; marcas?: Record<string, string | number> } | undefined;
  /** What the server said when it failed at it; it is tried again by itself. */
  fallo?: string | undefined;
};

/** A piece as it travels: instants are text. */
export type Pieza = Omit<PiezaVista, 'cuando' | 'regresaHasta'> & { cuando: string; regresaHasta: string | null };
export type { Hecho };

const BASE = 'bodega';
/** How long a phone remembers what a piece looked like. */
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

/** Resolves once what was written is on the phone: a page that closes then loses nothing. */
async function en<T>(
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

export const todas = (): Promise<Entrada[]> =>
  en<Entrada[]>(['cola'], 'readonly', (trx) => trx.objectStore('cola').getAll() as IDBRequest<Entrada[]>);
export const save = (entrada: Entrada) => en(['cola'], 'readwrite', (trx) => trx.objectStore('cola').put(entrada));
export const remove = (n: number) => en(['cola'], 'readwrite', (trx) => trx.objectStore('cola').delete(n));

export const remember = (pieza: Pieza) =>
  en(['piezas'], 'readwrite', (trx) => trx.objectStore('piezas').put({ ...pieza, desde: Date.now() }));
export async function recordada(folio: string): Promise<Pieza | undefined> {
  const pieza = await en<(Pieza & { desde: number }) | undefined>(
    ['piezas'],
    'readonly',
    (trx) => trx.objectStore('piezas').get(folio) as IDBRequest<(Pieza & { desde: number }) | undefined>,
  );
  return pieza && Date.now() - pieza.desde < VIGENCIA_MS ? pieza : undefined;
}

/** Who works here without signal: the last one the server named. */
export const quien = (): Promise<string | undefined> =>
  en<string | undefined>(
    ['sesion'],
    'readonly',
    (trx) => trx.objectStore('sesion').get('usuario') as IDBRequest<string | undefined>,
  );

/** Somebody else's pieces are not this person's to look at. */
export async function enters(usuario: string): Promise<void> {
  if ((await quien()) === usuario) return;
  await forget();
  await en(['sesion'], 'readwrite', (trx) => trx.objectStore('sesion').put(usuario, 'usuario'));
}

/** What is not sent stays, under the name of who did it; everything else goes. */
export const forget = () =>
  en(['piezas', 'sesion'], 'readwrite', (trx) => {
    trx.objectStore('piezas').clear();
    return trx.objectStore('sesion').clear();
  });
