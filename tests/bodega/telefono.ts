import { indexedDB } from 'fake-indexeddb';
import { afterAll, afterEach, beforeAll, beforeEach, vi, type MockInstance } from 'vitest';
import { type Entrada, forget, type Hecho, remove, save, listEntradas, type Pieza } from '~/bodega/almacen';
import { sendQueue } from '~/bodega/cola';

const SERVIDOR = 'http://trastienda.test';
export const BASE = `${SERVIDOR}/user/bodega`;
export const ANA = 'ana';
export const LUIS = 'luis';

/** A request as it reached the far end. */
export type Pedido = { path: string; campos: Record<string, string>; foto?: File };
/** An answer of the far end; a thrown error is a network that lost the request or its answer. */
export type Contesta = (pedido: Pedido) => Response | Promise<Response>;

export const json = (status: number, body: object) => Response.json(body, { status });
export const hecho = (version?: number, aviso = 'Listo.') =>
  json(200, { aviso, ...(version !== undefined && { version, estado: 'vendido' }) });
export const sinRed = (): never => {
  throw new TypeError('Failed to fetch');
};

export class Telefono {
  /** Everything that reached the far end, the oldest first. */
  readonly pedidos: Pedido[] = [];
  /** Answers of the far end. */
  readonly hechos: Hecho[] = [];
  contesta: Contesta = () => hecho();

  /** One press of a person that waits on the phone. Returns its key. */
  async presiona(over: Partial<Entrada> & Pick<Entrada, 'sobre'>): Promise<string> {
    const clave = crypto.randomUUID();
    await save({
      clave,
      usuario: ANA,
      que: 'estado',
      campos: { id: `id-${over.sobre}`, version: '1', estado: 'vendido' },
      dice: `Pasar ${over.sobre} a Vendido`,
      visto: 'Disponible',
      cuando: Date.now(),
      estado: 'espera',
      ...over,
    });
    return clave;
  }

  envia(usuario = ANA) {
    return sendQueue({ base: BASE, usuario, done: (_clave, hecho) => void this.hechos.push(hecho) });
  }

  /** Keys of the presses that reached the far end. */
  llegaron = () => this.pedidos.flatMap(({ campos }) => campos.clave ?? []);
}

/** Web Locks as one browser has them: a lock that is held is not available to another page. */
class Candados {
  private readonly tomados = new Set<string>();
  async request<T>(
    name: string,
    _options: { ifAvailable: true },
    work: (lock: object | null) => T,
  ): Promise<Awaited<T>> {
    if (this.tomados.has(name)) return await work(null);
    this.tomados.add(name);
    try {
      return await work({ name });
    } finally {
      this.tomados.delete(name);
    }
  }
}

async function pedidoOf(request: Request): Promise<Pedido> {
  const { pathname, search } = new URL(request.url);
  const form = request.method === 'POST' ? await request.formData() : new FormData();
  const foto = form.get('foto');
  const campos = Object.fromEntries([...form].filter(([, value]) => typeof value === 'string')) as Record<
    string,
    string
  >;
  return { path: pathname + search, campos, ...(foto instanceof File && { foto }) };
}

/** The phone of a file of tests: each test begins with nothing on it, and with a server that accepts everything. */
export function tomaTelefono(): () => Telefono {
  let telefono: Telefono;
  let red: MockInstance;
  const stubs = { indexedDB, navigator: { locks: new Candados() } };
  const known = Object.keys(stubs).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  beforeAll(() => {
    for (const [name, value] of Object.entries(stubs))
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  });
  beforeEach(async () => {
    telefono = new Telefono();
    red = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
      const request = new Request(url, init);
      const pedido = await pedidoOf(request);
      telefono.pedidos.push(pedido);
      return telefono.contesta(pedido);
    });
    for (const { n } of await listEntradas()) await remove(n!);
    await forget();
  });
  afterEach(() => red.mockRestore());
  afterAll(() => {
    for (const [name, was] of known)
      if (was) Object.defineProperty(globalThis, name, was);
      else Reflect.deleteProperty(globalThis, name);
  });
  return () => telefono;
}

/** A piece as the server tells it. */
export const pieza = (folio: string, over: Partial<Pieza> = {}): Pieza =>
  ({
    id: `id-${folio}`,
    folio,
    nombre: 'Cámara',
    estado: 'disponible',
    estadoLabel: 'Disponible',
    version: 7,
    cuando: '2026-11-03T18:00:00.000Z',
    regresaHasta: null,
    ...over,
  }) as Pieza;
