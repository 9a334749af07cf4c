import { Unavailable, UnexpectedShape } from '../../errors';
import type { HttpAnswer } from '../../http.server';
import { instantOf } from '~/core/time';
import type { Cumple, Lecturas, Miradas, Recorrido, RecorridoDeElecciones, RecorridoDePrecios } from '../cara';
import {
  type ClienteOptions,
  createLlamadas,
  dicho,
  dichoEn,
  isExito,
  fallaOf,
  formaOf,
  jsonOf,
  type Llamada,
  negado,
} from '../llamar.server';
import { itemPedido, readItems, tramoOf } from '../paginas';
import { LABEL } from './auth.server';
import { type CVA } from './capacidades';
import { opensAt } from './horario';
import {
  articulosOf,
  diaOf,
  estadoOf,
  FacturaConsultada,
  itemOf,
  PedidoLeido,
  PedidosDeOrden,
  Sucursales,
  totalOf,
} from './wire';

const COMPLETO = 'promos=true&sucursales=true&tc=true&upc=true&codigosat=true';

/** Whether an answer says that CVA is closed. Pages of products are long and are not searched for it. */
const isHorario = (answer: HttpAnswer) => answer.body.length < 2_000 && /horario/i.test(dichoEn(answer) ?? '');

/** CVA on the wire. */
export const ladoCva = (options: ClienteOptions) => ({
  ...options,
  name: 'cva',
  label: LABEL,
  conToken: (token: string) => ({ authorization: `Bearer ${token}` }),
  // Some see an old token as a 401, others as a 403. A 403 may also mean closed hours.
  caducado: (answer: HttpAnswer) => answer.status === 401 || (answer.status === 403 && !isHorario(answer)),
});

const sinProductos = (words: string) => /no se encontr/i.test(words);

/** Whether CVA says in words, in place of a list, that there are no orders. */
const sinPedidos = (json: unknown) => /no se encontr|no existe/i.test(dicho(json) ?? '');

function foliosOf(json: unknown): string[] {
  const read = formaOf(PedidosDeOrden, json, LABEL, 'pedido_orden_compra');
  if (!Object.hasOwn(json as object, 'pedidos'))
    throw new UnexpectedShape(`${LABEL} no dijo los pedidos de una orden de compra`);
  return read.pedidos;
}

/** Makes the half of CVA that reads. Searches and the whole list are closed while its stores are open. */
export function createCvaReader(
  options: ClienteOptions,
): Cumple<typeof CVA, Lecturas> & Pick<Miradas, 'pedidosDe'> & Recorrido & RecorridoDePrecios & RecorridoDeElecciones {
  const { leer } = createLlamadas(ladoCva(options));
  const now = options.now ?? (() => new Date());
  const reloj = options.reloj ?? now;

  /** Returns null for what CVA does not know, however CVA says that. */
  async function ask(llamada: Llamada, what: string): Promise<unknown> {
    const answer = await leer(llamada);
    if (isHorario(answer)) throw cerrado();
    if (answer.status === 404) return null;
    if (!isExito(answer)) throw fallaOf(answer, LABEL, what);
    return jsonOf(answer, LABEL, what);
  }
  const get = (path: string, what: string) => ask({ method: 'GET', path: `/catalogo_clientes/${path}` }, what);
  const post = (verb: string, json: unknown) => ask({ method: 'POST', path: `/pedidos_web/${verb}`, json }, verb);

  const cerrado = () =>
    new Unavailable(`${LABEL} no busca por palabras ni da su lista completa de 9:00 a 19:00`, {
      retryAfterMs: opensAt(reloj()) || undefined,
    });

  async function articulos(path: string, what: string) {
    const json = await get(path, what);
    const found = articulosOf(json);
    const words = dicho(json);
    if (words === undefined || found.articulos[0] !== json) return found;
    // A text in place of products says that there are none, or something else.
    if (sinProductos(words)) return { articulos: [], paginas: null };
    throw negado(`${LABEL}: ${words}`, 'desconocido');
  }

  async function pagina(query: string, page: number) {
    if (opensAt(reloj()) > 0) throw cerrado();
    const { articulos: raws, paginas } = await articulos(
      `lista_precios?${query}${COMPLETO}&page=${page}`,
      'lista_precios',
    );
    const more = raws.length > 0 && (paginas === null || page < paginas);
    return { raws, more, paginas };
  }

  /** Returns the product that a text names whole, by CVA's key or its maker's model, which are answered while searches are closed. */
  async function named(text: string) {
    for (const como of text.includes(' ') ? [] : ['clave', 'codigo']) {
      const { articulos: raws } = await articulos(
        `lista_precios?${como}=${encodeURIComponent(text)}&${COMPLETO}`,
        'lista_precios',
      );
      const { items, ilegibles } = readItems(raws, (raw) => itemOf(raw, now()));
      if (raws.length > 0) return { items, ilegibles, pagina: 1, paginas: 1, total: raws.length };
    }
    throw cerrado();
  }

  async function pedidoDe(folio: string) {
    const json = await post('consultar_pedido', { pedido: folio });
    const doc = json === null ? undefined : formaOf(PedidoLeido, json, LABEL, 'consultar_pedido').pedido;
    return doc && { doc, raw: json };
  }

  return {
    async buscar(text, page) {
      const words = text.trim().replace(/\s+/g, ' ');
      const empty = { items: [], ilegibles: [], pagina: page, paginas: 0, total: 0 };
      if (words === '') return empty;
      if (page === 1 && opensAt(reloj()) > 0) return named(words);
      const { raws, more, paginas } = await pagina(`desc=${encodeURIComponent(words)}&`, page);
      const { items, ilegibles } = readItems(raws, (raw) => itemOf(raw, now()));
      const last = paginas ?? (more ? page + 1 : page);
      if (page === 1 && items.length + ilegibles.length === 0) return empty;
      return {
        items,
        ilegibles,
        pagina: page,
        paginas: last,
        total: last <= 1 ? items.length + ilegibles.length : null,
      };
    },

    async producto(id) {
      const { articulos: raws } = await articulos(
        `lista_precios?clave=${encodeURIComponent(id)}&${COMPLETO}`,
        'lista_precios',
      );
      return itemPedido(raws, id, (raw) => itemOf(raw, now()), LABEL);
    },

    /** Reads stock by the key of each branch, which the list of prices does not tell. */
    async existencia(id) {
      const what = 'precios_stock_ofertas';
      const { articulos: raws } = await articulos(`${what}?clave=${encodeURIComponent(id)}`, what);
      return itemPedido(raws, id, (raw) => itemOf(raw, now()), LABEL)?.existencia ?? null;
    },

    async estatus(folio) {
      const read = await pedidoDe(folio);
      if (!read) return null;
      const { estatus, factura } = read.doc;
      return { estado: estadoOf(estatus, factura), dice: estatus ?? 'Sin estatus', factura, raw: read.raw };
    },

    async factura(folio) {
      const read = await pedidoDe(folio);
      const factura = read?.doc.factura;
      if (!factura) return null;
      const json = await post('consultar_factura', { factura });
      const doc = json === null ? undefined : formaOf(FacturaConsultada, json, LABEL, 'consultar_factura').factura;
      return {
        folio: factura,
        fecha: diaOf(doc?.fecha_factura),
        total: totalOf(doc?.total, doc?.moneda),
        uuid: null,
        guia: doc?.guia ?? read.doc.guia,
        raw: { pedido: read.raw, factura: json },
      };
    },

    /** Reads every order under a reference, since the content of an order tells whose it is. */
    async pedidosDe(referencia) {
      const what = 'pedido_orden_compra';
      const json = await post(what, { orden: referencia });
      const folios = json === null || sinPedidos(json) ? [] : foliosOf(json);
      const read = [];
      for (const folio of new Set(folios)) {
        const one = await pedidoDe(folio);
        if (!one) throw new UnexpectedShape(`${LABEL} nombra el pedido ${folio} y no lo conoce`);
        const { doc, raw } = one;
        // An order of another reference is not ours, although the list names it.
        if (doc.num_oc !== null && doc.num_oc !== referencia) continue;
        const dia = diaOf(doc.fecha_pedido);
        read.push({
          folio,
          lineas: doc.productos.map(({ clave, cantidad }) => ({ idProveedor: clave ?? '', cantidad: cantidad ?? 0 })),
          en: dia ? instantOf(`${dia}T00:00:00`, 'America/Mexico_City') : null,
          total: totalOf(doc.total, doc.moneda),
          errores: [],
          raw,
        });
      }
      return read;
    },

    async *catalogo(desde) {
      for (let page = Number(desde ?? 1), more = true; more; page++) {
        const { raws, ...rest } = await pagina('', page);
        more = rest.more;
        yield { ...tramoOf(raws, 'clave', itemOf, now()), sigue: more ? String(page + 1) : null };
      }
    },

    /** Open at any hour, with five hundred rows to a page where the list of prices has thirty-six. */
    async *precios(desde) {
      const what = 'precios_stock_ofertas';
      for (let page = Number(desde ?? 1), more = true; more; page++) {
        const { articulos: raws, paginas } = await articulos(`${what}?batch=LG&page=${page}`, what);
        more = raws.length > 0 && (paginas === null || page < paginas);
        yield { ...tramoOf(raws, 'clave', itemOf, now()), sigue: more ? String(page + 1) : null };
      }
    },

    async elecciones() {
      const json = await get('sucursales', 'sucursales');
      return { sucursal: json === null ? [] : formaOf(Sucursales, json, LABEL, 'sucursales').sucursales };
    },

    /** Asks for a product that does not exist, which is a short answer. A bad key is answered otherwise. */
    async comprobar() {
      await articulos('precios_stock_ofertas?clave=TRASTIENDA-0', 'precios_stock_ofertas');
    },
  };
}
