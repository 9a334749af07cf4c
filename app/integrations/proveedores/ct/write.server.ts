import { Uncertain } from '../../errors';
import type { Cumple, Direccion, Escrituras, NuevoPedido, PedidoHecho } from '../cara';
import { createLlamadas, isExito, fallaAlEscribir, jsonEscrito, negado } from '../llamar.server';
import { requireProduccion } from '../produccion.server';
import { type CT } from './capacidades';
import { type CtOptions, ladoCt } from './read.server';
import { fallaPorCodigo, LABEL, noOf, noEn } from './no.server';
import { Hecho, Pedido } from './wire';

/** Largest reference: the widest integer that such a column is known to keep. */
const MAX_ID = 2_147_483_647;

/** Makes the half of CT that writes; only effects get it. An order lapses after 48 hours unless it is confirmed, and confirming makes CT invoice. */
export function createCtWriter(options: CtOptions): Cumple<typeof CT, Escrituras> {
  const { escribir } = createLlamadas(ladoCt(options));

  async function post(path: string, what: string, json: unknown): Promise<unknown> {
    const answer = await escribir({ method: 'POST', path, json, timeoutMs: options.timeoutMs ?? 60_000 });
    const no = noOf(answer);
    if (no) throw fallaPorCodigo(no, answer);
    if (!isExito(answer)) throw fallaAlEscribir(answer, LABEL, what);
    return jsonEscrito(answer, LABEL, what);
  }

  /** Sends something whose answer has to say yes. Any other answer is `Uncertain`, since CT may have done it. */
  async function sendAndRequireYes(path: string, what: string, json: unknown): Promise<void> {
    if (Hecho.safeParse(await post(path, what, json)).data?.okCode !== '2000')
      throw new Uncertain(`${LABEL} no dijo si lo hizo (${what})`);
  }

  return {
    async crearPedido(pedido) {
      requireProduccion(options.baseUrl);
      return readPedido(await post('/pedido', 'pedido', cuerpoOf(pedido)));
    },

    async confirmar(folio) {
      requireProduccion(options.baseUrl);
      await sendAndRequireYes('/pedido/confirmar', 'confirmar', { folio });
    },

    async enviarGuia(folio, { numero, paqueteria, archivo }) {
      requireProduccion(options.baseUrl);
      await sendAndRequireYes('/pedido/guias', 'guias', {
        folio,
        guias: [{ guia: numero, paqueteria: paqueteria.toLowerCase(), archivo: archivo.toString('base64') }],
      });
    },
  };
}

function cuerpoOf({ folio, lineas, almacen, envio, opciones }: NuevoPedido) {
  const idPedido = Number(folio);
  if (!/^\d+$/.test(folio) || idPedido > MAX_ID)
    throw negado('La referencia de un pedido de CT es un número entero. No se pidió nada.', 'validacion');
  if (!almacen) throw negado('Un pedido de CT es de un almacén. No se pidió nada.', 'validacion');
  return {
    idPedido,
    almacen,
    tipoPago: opciones.tipoPago ?? '99',
    cfdi: opciones.usoCfdi ?? 'G01',
    // CT knows no address without a telephone. A package with a label needs none, since the label has its address.
    envio: envio?.telefono ? [envioOf(envio)] : [],
    producto: lineas.map(({ idProveedor, cantidad, precio }) => ({
      cantidad,
      clave: idProveedor,
      precio: Number(precio.importe.toFixed(6)),
      moneda: precio.moneda,
    })),
  };
}

/** CT takes postal code and telephone as integers, so a leading zero is lost. */
const envioOf = (envio: Direccion) => ({
  nombre: envio.nombre,
  direccion: envio.calle,
  entreCalles: ' ',
  noExterior: envio.numero,
  noInterior: envio.interior,
  colonia: envio.colonia,
  estado: envio.estado,
  ciudad: envio.ciudad,
  codigoPostal: Number(envio.cp),
  telefono: Number(envio.telefono),
});

/** Reads the answer to an order. An order that CT objects to exists all the same, with a folio: it lapses by itself and is never confirmed. */
function readPedido(raw: unknown): PedidoHecho {
  const respuesta = Pedido.safeParse(raw).data?.respuestaCT;
  if (!respuesta?.pedidoWeb) throw new Uncertain(`${LABEL} no dijo el folio (pedido)`);
  return {
    folio: respuesta.pedidoWeb,
    estado: 'solicitado',
    total: null,
    errores: respuesta.errores.map((one) => noEn(one)?.words ?? 'sin explicación'),
    guia: null,
    correos: [],
    raw,
  };
}
