import { Unavailable, UnexpectedShape } from '../../errors';
import type { HttpAnswer } from '../../http.server';
import { instantOf } from '~/core/time';
import type { Cumple, Lecturas, Miradas, Recorrido, RecorridoDePrecios } from '../cara';
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
import { articulosOf, diaOf, estadoOf, FacturaConsultada, itemOf, PedidoLeido, PedidosDeOrden, totalOf } from './wire';

const COMPLETO = 'promos=true&sucursales=true&tc=true&upc=true&codigosat=true';

/** A text of its own and no page of products, so a long answer is not looked through. */
const isHorario = (answer: HttpAnswer) => answer.body.length < 2_000 && /horario/i.test(dichoEn(answer) ?? '');

export const ladoCva = (options: ClienteOptions) => ({
  ...options,
  name: 'cva',
  label: LABEL,
  conToken: (token: string) => ({ authorization: `Bearer ${token}` }),
  // An old token is a 401 to some and a 403 to others; a 403 may be the hour too.
  caducado: (answer: HttpAnswer) => answer.status === 401 || (answer.status === 403 && !isHorario(answer)),
});

const sinProductos = (words: string) => /no se encontr/i.test(words);

/** That there is none, said in words in place of a list. */
const sinPedidos = (json: unknown) => /no se encontr|no existe/i.test(dicho(json) ?? '');

function foliosOf(json: unknown): string[] {
  const read = formaOf(PedidosDeOrden, json, LABEL, 'pedido_orden_compra');
  if (!Object.hasOwn(json as object, 'pedidos'))
    throw new UnexpectedShape(`${LABEL} no dijo los pedidos de una orden de compra`);
  return read.pedidos;
}

/** What CVA tells. Its texts and its whole list are closed while its stores are open. */
export function createCvaReader(
  options: ClienteOptions,
): Cumple<typeof CVA, Lecturas> & Pick<Miradas, 'pedidosDe'> & Recorrido & RecorridoDePrecios {
  const { leer } = createLlamadas(ladoCva(options));
  const now = options.now ?? (() => new Date());

  /** null for what it does not know, however it says that. */
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
      retryAfterMs: opensAt(now()) || undefined,
    });

  async function articulos(path: string, what: string) {
    const json = await get(path, what);
    const found = articulosOf(json);
    const words = dicho(json);
    if (words === undefined || found.articulos[0] !== json) return found;
    // A text in place of products: that there are none, or something else.
    if (sinProductos(words)) return { articulos: [], paginas: null };
    throw negado(`${LABEL}: ${words}`, 'desconocido');
  }

  async function pagina(query: string, page: number) {
    if (opensAt(now()) > 0) throw cerrado();
    const { articulos: raws, paginas } = await articulos(
      `lista_precios?${query}${COMPLETO}&page=${page}`,
      'lista_precios',
    );
    const more = raws.length > 0 && (paginas === null || page < paginas);
    return { raws, more, paginas };
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

    /** By the key of each branch, which the list of prices does not tell. */
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

    /** The folios it keeps under a reference, each looked at: what one of them holds tells whose it is. */
    async pedidosDe(referencia) {
      const what = 'pedido_orden_compra';
      const json = await post(what, { orden: referencia });
      const folios = json === null || sinPedidos(json) ? [] : foliosOf(json);
      const read = [];
      for (const folio of new Set(folios)) {
        const one = await pedidoDe(folio);
        if (!one) throw new UnexpectedShape(`${LABEL} nombra el pedido ${folio} y no lo conoce`);
        const { doc, raw } = one;
        // A row of another reference is not ours, whatever the list says.
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

    /** At any hour, and five hundred to a page where the list of prices has thirty-six. */
    async *precios(desde) {
      const what = 'precios_stock_ofertas';
      for (let page = Number(desde ?? 1), more = true; more; page++) {
        const { articulos: raws, paginas } = await articulos(`${what}?batch=LG&page=${page}`, what);
        more = raws.length > 0 && (paginas === null || page < paginas);
        yield { ...tramoOf(raws, 'clave', itemOf, now()), sigue: more ? String(page + 1) : null };
      }
    },

    /** One that is no product, so the answer is short; with a key that does not serve it is another. */
    async comprobar() {
      await articulos('precios_stock_ofertas?clave=TRASTIENDA-0', 'precios_stock_ofertas');
    },
  };
}
