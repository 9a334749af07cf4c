import { z } from 'zod';
import { civilDay } from '~/core/time';
import { Refused, UnexpectedShape } from '../../errors';
import type { Cumple, FacturaListada, Lecturas, Miradas, Recorrido, RecorridoDeElecciones, Tramo } from '../cara';
import { importeOf } from '../leer';
import { type ClienteOptions, createLlamadas, isExito, fallaOf, formaOf, jsonOf } from '../llamar.server';
import { itemPedido, readItems, tramoOf } from '../paginas';
import { type SYSCOM } from './capacidades';
import {
  type Categoria,
  Categorias,
  Codigos,
  DetalleDeFactura,
  Factura,
  facturaOf,
  itemOf,
  MetodosDePago,
  PaginaDeFacturas,
  PaginaDeProductos,
  TipoDeCambio,
} from './wire';

export type SyscomOptions = ClienteOptions;

const LABEL = 'Syscom';
/** Pages of a year's invoices that are searched for one order. */
const PAGINAS_DE_FACTURAS = 10;
/** Level of categories that have none below them. */
const NIVEL_DE_HOJA = 3;
/** Shortest cut folio that is believed to be an order's. */
const FOLIO_CORTADO = 8;

/** Syscom on the wire. */
export const ladoSyscom = ({ baseUrl, acceso, takeCall, trace, timeoutMs }: SyscomOptions) => ({
  name: 'syscom',
  label: LABEL,
  baseUrl: `${baseUrl}/api/v1`,
  acceso,
  conToken: (token: string) => ({ authorization: `Bearer ${token}` }),
  takeCall,
  trace,
  timeoutMs,
});

/** Makes the half of Syscom that reads. The state of an order cannot be asked for; its invoices tell it. */
export function createSyscomReader(
  options: SyscomOptions,
): Cumple<typeof SYSCOM, Lecturas> &
  Pick<Miradas, 'facturasDesde' | 'lineasDeFactura'> &
  Recorrido &
  RecorridoDeElecciones {
  const { leer } = createLlamadas(ladoSyscom(options));
  const now = options.now ?? (() => new Date());

  /** Returns null for a 404, which also stands for an empty list. */
  async function get<S extends z.ZodType>(path: string, what: string, schema: S): Promise<z.output<S> | null> {
    const answer = await leer({ method: 'GET', path });
    if (answer.status === 404) return null;
    if (!isExito(answer)) throw fallaOf(answer, LABEL, what);
    return formaOf(schema, jsonOf(answer, LABEL, what), LABEL, what);
  }

  async function producto(id: string) {
    const raw = await get(`/productos/${encodeURIComponent(id)}?moneda=usd`, 'productos', z.unknown());
    if (raw === null) return null;
    return itemPedido(Array.isArray(raw) ? (raw as unknown[]) : [raw], id, (one) => itemOf(one, now()), LABEL);
  }

  async function categorias(path: string): Promise<Categoria[]> {
    const found = await get(path, 'categorias', Categorias);
    return (found ?? []).toSorted((a, b) => a.id - b.id);
  }

  /**
   * Walks the leaves of the categories from `desde` on, each with the path that leads to it. Syscom cannot be asked for everything, and only a leaf
   * lists its products. Leaves come in the order of their numbers, so a new or removed category moves no other.
   */
  async function* hojas(desde: readonly number[], way: readonly number[] = []): AsyncGenerator<number[]> {
    const [from = 0] = desde;
    const path = way.length === 0 ? '/categorias' : `/categorias/${way.at(-1)}`;
    const found = await categorias(path);
    if (found.length === 0 && way.length > 0) yield [...way];
    for (const { id, nivel } of found) {
      if (id < from) continue;
      const next = [...way, id];
      if (nivel >= NIVEL_DE_HOJA) yield next;
      else yield* hojas(id === from ? desde.slice(1) : [], next);
    }
  }

  async function tipoCambio() {
    const doc = await get('/tipocambio', 'tipocambio', TipoDeCambio);
    const pesos = importeOf(doc?.preferencial) ?? importeOf(doc?.normal);
    if (!pesos || pesos.isZero()) throw new UnexpectedShape(`${LABEL} no dijo su tipo de cambio`);
    return { pesos, leidoEn: now() };
  }

  /**
   * Finds the invoice of an order. The search may or may not know the order's folio, so its results are checked, and then the whole year is searched.
   */
  async function facturaDelPedido(folio: string): Promise<Factura | null> {
    const year = civilDay(now()).slice(0, 4);
    for (const query of [`busqueda=${encodeURIComponent(folio)}`, `anio=${year}`]) {
      const found = await facturasDe(query, folio);
      if (found.length === 1) return found[0]!;
      const exact = found.filter(({ folio_pedido: pedido }) => pedido === folio);
      if (exact.length === 1) return exact[0]!;
    }
    return null;
  }

  const facturasDe = (query: string, folio: string) => listaDeFacturas(query, (factura) => isOfPedido(factura, folio));

  async function listaDeFacturas(query: string, wanted: (factura: Factura) => boolean): Promise<Factura[]> {
    const found: Factura[] = [];
    for (let page = 1; page <= PAGINAS_DE_FACTURAS; page++) {
      const doc = await get(`/facturas?${query}&pagina=${page}`, 'facturas', PaginaDeFacturas).catch(
        (error: unknown) => {
          // A search that Syscom refuses is no failure. The year is searched next.
          if (error instanceof Refused && !error.details.account) return null;
          throw error;
        },
      );
      if (!doc) break;
      for (const raw of doc.facturas) {
        const read = Factura.safeParse(raw);
        if (read.success && wanted(read.data)) found.push(read.data);
      }
      if (page >= doc.paginas) break;
    }
    return found;
  }

  /** Reads an invoice. Its folio has a slash, and its spelling inside an address is documented nowhere, so the known spellings are tried in turn. */
  async function detalleDe(folio: string): Promise<z.output<typeof DetalleDeFactura> | null> {
    for (const spelt of new Set([encodeURIComponent(folio), folio.replaceAll('/', '-'), folio])) {
      const detail = await get(`/facturas/${spelt}`, 'facturas', DetalleDeFactura);
      if (detail) return detail;
    }
    return null;
  }

  return {
    async buscar(texto, pagina) {
      const words = texto
        .split(/\s+/)
        .filter(Boolean)
        .map((word) => encodeURIComponent(word))
        .join('+');
      const empty = { items: [], ilegibles: [], pagina, paginas: 0, total: 0 };
      if (words === '') return empty;
      const doc = await get(`/productos?busqueda=${words}&pagina=${pagina}&moneda=usd`, 'productos', PaginaDeProductos);
      if (!doc) return empty;
      const read = readItems(doc.productos, (raw) => itemOf(raw, now()));
      return { ...read, pagina, paginas: doc.paginas, total: doc.cantidad };
    },

    producto,
    tipoCambio,

    async existencia(id) {
      return (await producto(id))?.existencia ?? null;
    },

    async *catalogo(desde) {
      const { way, page: first } = lugarOf(desde);
      let waiting: Tramo | null = null;
      for await (const hoja of hojas(way)) {
        const begun = hoja.join('/') === way.join('/') ? first : 1;
        for (let page = begun, more = true; more; page++) {
          // The place of the next stretch is known when the current one has ended.
          if (waiting) yield { ...waiting, sigue: `${hoja.join('/')}:${page}` };
          const doc = await get(
            `/productos?categoria=${hoja.at(-1)}&pagina=${page}&moneda=usd`,
            'productos',
            PaginaDeProductos,
          );
          more = doc !== null && doc.productos.length > 0 && page < doc.paginas;
          waiting = tramoOf(doc?.productos ?? [], 'producto_id', itemOf, now());
        }
      }
      if (!waiting) throw new UnexpectedShape(`${LABEL} no dijo ninguna categoría`);
      yield waiting;
    },

    async estatus(folio) {
      const factura = await facturaDelPedido(folio);
      if (!factura) return { estado: 'confirmado', dice: 'Sin factura todavía', factura: null, raw: null };
      const cancelada = /cancel/i.test(factura.estatus_fiscal ?? '');
      return {
        estado: cancelada ? 'cancelado' : 'facturado',
        dice: factura.estatus_fiscal ?? 'Facturado',
        factura: factura.folio_factura,
        raw: factura,
      };
    },

    async factura(folio) {
      const factura = await facturaDelPedido(folio);
      if (!factura) return null;
      return facturaOf(factura, (await detalleDe(factura.folio_factura))?.nom_guia ?? null);
    },

    async facturasDesde(dia) {
      const found = new Map<string, FacturaListada>();
      const thisYear = Number(civilDay(now()).slice(0, 4));
      for (let year = Number(dia.slice(0, 4)); year <= thisYear; year++) {
        const list = await listaDeFacturas(`anio=${year}`, ({ fecha }) => fecha !== null && fecha.slice(0, 10) >= dia);
        for (const { folio_factura: folio, folio_pedido: pedido, fecha } of list)
          found.set(folio, { folio, pedido, fecha: fecha! });
      }
      return [...found.values()].toSorted((a, b) => a.fecha.localeCompare(b.fecha));
    },

    async lineasDeFactura(folio) {
      const detalle = await detalleDe(folio);
      return (
        detalle &&
        detalle.productos.map(({ producto_id: id, cantidad }) => ({ idProveedor: id ?? '', cantidad: cantidad ?? 0 }))
      );
    },

    async elecciones() {
      return {
        metodoPago: (await get('/carrito/pago', 'carrito/pago', MetodosDePago)) ?? [],
        fletera: (await get('/carrito/fleteras', 'carrito/fleteras', Codigos)) ?? [],
        usoCfdi: (await get('/carrito/cfdi', 'carrito/cfdi', Codigos)) ?? [],
      };
    },

    async comprobar() {
      await tipoCambio();
    },
  };
}

/** Whether an invoice names an order: its folio is equal, or cut at its end. */
function isOfPedido({ folio_pedido: told }: Factura, folio: string): boolean {
  return told !== null && (told === folio || (told.length >= FOLIO_CORTADO && folio.startsWith(told)));
}

/** Reads a place, '22/207/1295:3': the path to a leaf, and a page of it. */
function lugarOf(desde: string | null): { way: number[]; page: number } {
  const [way = '', page = '1'] = (desde ?? '').split(':');
  return { way: way === '' ? [] : way.split('/').map(Number), page: Math.max(1, Number(page) || 1) };
}
