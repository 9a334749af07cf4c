import { z } from 'zod';
import { UnexpectedShape } from '../../errors';
import type { HttpAnswer } from '../../http.server';
import type { Cumple, Lecturas, Miradas, Recorrido, RecorridoDePrecios } from '../cara';
import { importeOf, lista, unoOf } from '../leer';
import { type ClienteOptions, createLlamadas, isExito, fallaOf, formaOf, jsonOf } from '../llamar.server';
import { tramosOfLista } from '../porPartes.server';
import { archivoOf } from './archivo.server';
import { type CT } from './capacidades';
import { fallaPorCodigo, LABEL, NO_AUTORIZADO, noOf, noEn } from './no.server';
import {
  Estatus,
  estadoOf,
  existenciaOf,
  itemOfArchivo,
  itemOf,
  Pedido,
  PedidoListado,
  PorAlmacen,
  Producto,
  TipoDeCambio,
} from './wire';

export type CtOptions = ClienteOptions & {
  /** Address of its files, `http:` or `ftp:`. Without it there is no catalogue to read. */
  archivos?: string;
};

/** Time limit in ms. Price and stock of everything come in one answer, for which other clients wait three minutes. */
const DESCARGA_MS = 180_000;
const ARCHIVO_MS = 60_000;

/** Whether the token was refused. The code decides, since it comes with any status: a 401 with another code is about the order. */
function noAutorizado(answer: HttpAnswer): boolean {
  const code = noOf(answer)?.code;
  return code === NO_AUTORIZADO || (answer.status === 401 && code === undefined);
}

/** CT on the wire. */
export const ladoCt = ({ baseUrl, acceso, takeCall, trace, timeoutMs }: CtOptions) => ({
  name: 'ct',
  label: LABEL,
  baseUrl,
  acceso,
  conToken: (token: string) => ({ 'x-auth': token }),
  caducado: noAutorizado,
  rechazado: noAutorizado,
  takeCall,
  trace,
  timeoutMs,
});

/** Makes the half of CT that reads. The API tells price and stock by warehouse; names and models are in CT's file alone. */
export function createCtReader(
  options: CtOptions,
): Cumple<typeof CT, Lecturas> &
  Pick<Miradas, 'pedidosDe'> &
  Pick<Recorrido, 'comprobar'> &
  Partial<Pick<Recorrido, 'catalogo'>> &
  RecorridoDePrecios {
  const { leer, bajar } = createLlamadas(ladoCt(options));
  const now = options.now ?? (() => new Date());

  /** Returns null for what CT does not know, however CT says that. */
  async function get(path: string, what: string): Promise<unknown> {
    const answer = await leer({ method: 'GET', path });
    if (answer.status === 404) return null;
    const no = noOf(answer);
    if (no) throw fallaPorCodigo(no, answer);
    if (!isExito(answer)) throw fallaOf(answer, LABEL, what);
    const json = jsonOf(answer, LABEL, what);
    return isEmpty(json) ? null : json;
  }

  async function tipoCambio() {
    const doc = formaOf(TipoDeCambio, await get('/pedido/tipoCambio', 'tipoCambio'), LABEL, 'tipoCambio');
    const pesos = importeOf(doc.tipoCambio);
    if (!pesos || pesos.isZero()) throw new UnexpectedShape(`${LABEL} no dijo su tipo de cambio`);
    return { pesos, leidoEn: now() };
  }

  async function estatusDe(folio: string) {
    const json = await get(`/pedido/estatus/${encodeURIComponent(folio)}`, 'estatus');
    return json === null ? null : { doc: formaOf(Estatus, json, LABEL, 'estatus'), raw: json };
  }

  return {
    async producto(id) {
      const json = await get(`/existencia/promociones/${encodeURIComponent(id)}`, 'existencia/promociones');
      if (json === null) return null;
      const raw = formaOf(unoOf(z.unknown()), json, LABEL, 'existencia/promociones');
      // CT may answer with all products, or with another one.
      if (formaOf(Producto, raw, LABEL, 'existencia/promociones').codigo !== id)
        throw new UnexpectedShape(`${LABEL} contestó otro producto que el ${id}`);
      return itemOf(raw, now());
    },

    async existencia(id) {
      const json = await get(`/existencia/${encodeURIComponent(id)}`, 'existencia');
      return json === null ? null : existenciaOf(formaOf(PorAlmacen, json, LABEL, 'existencia'), now());
    },

    tipoCambio,

    async estatus(folio) {
      const read = await estatusDe(folio);
      if (!read?.doc?.status) return null;
      const { status, folioFactura, factura } = read.doc;
      return { estado: estadoOf(status), dice: status, factura: folioFactura ?? factura, raw: read.raw };
    },

    /** The folio of an invoice is documented nowhere. Without one the UUID is told. */
    async factura(folio) {
      const read = await estatusDe(folio);
      if (estadoOf(read?.doc?.status ?? '') !== 'facturado') return null;
      const detail = await get(`/pedido/detalle/${encodeURIComponent(folio)}`, 'detalle');
      const respuesta = Pedido.safeParse(detail).data?.respuestaCT;
      const told = respuesta?.folioFactura ?? read?.doc?.folioFactura ?? read?.doc?.factura ?? null;
      const uuid = read?.doc?.uuid ?? null;
      if (told === null && uuid === null) return null;
      return { folio: told, fecha: null, total: null, uuid, guia: null, raw: { estatus: read?.raw, detalle: detail } };
    },

    /** CT tells all its orders in one answer. An unreadable row may be the wanted one, so such a list throws. */
    async pedidosDe(referencia) {
      const rows = lista(z.unknown()).parse((await get('/pedido/listar', 'listar')) ?? []);
      return rows.flatMap((raw) => {
        const doc = formaOf(PedidoListado, raw, LABEL, 'listar');
        if (doc.idPedido !== referencia) return [];
        if (!doc.respuestaCT?.pedidoWeb)
          throw new UnexpectedShape(`${LABEL} no dijo el folio del pedido ${referencia}`);
        return [
          {
            folio: doc.respuestaCT.pedidoWeb,
            lineas: doc.producto.map(({ clave, cantidad }) => ({ idProveedor: clave ?? '', cantidad: cantidad ?? 0 })),
            en: doc.respuestaCT.fecha,
            total: null,
            errores: doc.respuestaCT.errores.map((one) => noEn(one)?.words ?? 'sin explicación'),
            raw,
          },
        ];
      });
    },

    /** CT's file tells everything that it sells. Its address carries the right to read it, so it needs no token. */
    ...(options.archivos && {
      async *catalogo() {
        const en = now();
        const file = await archivoOf(`${options.archivos}/catalogo_xml/productos.json`, LABEL, ARCHIVO_MS);
        yield* tramosOfLista(file, { label: `${LABEL} (archivo)`, clave: 'clave', itemOf: itemOfArchivo, en });
      },
    }),

    async *precios() {
      // An old token is answered with status 200 here. A short question renews it first.
      await tipoCambio();
      const en = now();
      const answer = await bajar({ path: '/existencia/promociones', timeoutMs: DESCARGA_MS }, 'existencia/promociones');
      yield* tramosOfLista(answer, { label: LABEL, clave: 'codigo', itemOf, en });
    },

    async comprobar() {
      await tipoCambio();
    },
  };
}

const isEmpty = (json: unknown) =>
  json === null || (typeof json === 'object' && Object.keys(json).length === 0 && noEn(json) === undefined);
