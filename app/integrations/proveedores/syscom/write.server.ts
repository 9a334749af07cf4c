import { z } from 'zod';
import { Refused, Uncertain } from '../../errors';
import type { HttpAnswer } from '../../http.server';
import type { Cumple, Direccion, Ensayo, Escrituras, Guia, NuevoPedido, PedidoHecho } from '../cara';
import { importeOf, monedaOf } from '../leer';
import {
  createLlamadas,
  dicho,
  isExito,
  fallaAlEscribir,
  fallaOf,
  formaOf,
  jsonOf,
  jsonEscrito,
  type Llamadas,
  negado,
} from '../llamar.server';
import { requireProduccion } from '../produccion.server';
import { type SYSCOM } from './capacidades';
import { ladoSyscom, type SyscomOptions } from './read.server';
import { EstadosDeCp, PedidoAnswer } from './wire';

const LABEL = 'Syscom';
const WHAT = 'carrito/generar';
const MAX_GUIA = 6 * 1024 * 1024;
const MAX_ESTADO = 4;

const Opciones = z.object({
  /** A key of the supplier, with `/ppd` after it for a payment in parts. */
  metodoPago: z.string().min(1),
  fletera: z.string().min(1),
  usoCfdi: z.string().default('G01'),
  moneda: z.enum(['mxn', 'usd']).default('mxn'),
  /** Two clients send MEX. One says that only MÉX is taken. */
  pais: z.enum(['MEX', 'MÉX']).default('MEX'),
});

/** Makes the half of Syscom that writes; only effects get it. An order is firm at once. */
export function createSyscomWriter(options: SyscomOptions): Cumple<typeof SYSCOM, Escrituras> {
  const { escribir, leer } = createLlamadas(ladoSyscom(options));

  return {
    async crearPedido(pedido) {
      requireProduccion(options.baseUrl);
      const fields = camposOf(await conEstado(leer, pedido));
      const answer = await escribir({
        method: 'POST',
        path: '/carrito/generar',
        timeoutMs: options.timeoutMs ?? 60_000,
        // A file can only go in a multipart body. Without a file the body is JSON, like that of all known clients.
        ...(pedido.guia ? { form: partesOf(fields, pedido.guia) } : { json: fields }),
      });
      return readPedido(answer, pedido.guia !== null);
    },
  };
}

/**
 * Makes the rehearsal of an order at Syscom. It goes as a test and as a quotation, so that nothing is bought where either of the two is not understood.
 * A lost answer costs nothing.
 */
export function createSyscomEnsayo(options: SyscomOptions): Ensayo {
  const { leer } = createLlamadas(ladoSyscom(options));
  return {
    async probarPedido(pedido) {
      requireProduccion(options.baseUrl);
      const json = { ...camposOf(await conEstado(leer, pedido)), ordenar: false, testmode: true };
      const answer = await leer({ method: 'POST', path: '/carrito/generar', json, timeoutMs: 60_000 });
      if (!isExito(answer)) throw fallaOf(answer, LABEL, WHAT);
      const raw = jsonOf(answer, LABEL, WHAT);
      const { error, resumen = {}, totales = {} } = formaOf(PedidoAnswer, raw, LABEL, WHAT);
      if (typeof error === 'string' && error.trim() !== '') throw negado(noOf(error, raw), claseOf(error), answer);
      const [importe, moneda] = [importeOf(totales.total), monedaOf(resumen.moneda)];
      return importe && moneda && { importe, moneda };
    },
  };
}

/**
 * Puts Syscom's own code of the state, of at most four letters, into the address. Syscom tells it by postal code. Throws `Refused` for an unknown
 * postal code.
 */
async function conEstado(leer: Llamadas['leer'], pedido: NuevoPedido): Promise<NuevoPedido> {
  const { envio } = pedido;
  if (!envio || envio.estado.length <= MAX_ESTADO) return pedido;
  const what = 'carrito/estados';
  const answer = await leer({ method: 'GET', path: `/carrito/estados/${encodeURIComponent(envio.cp)}` });
  if (!isExito(answer) && answer.status !== 404) throw fallaOf(answer, LABEL, what);
  const estado = answer.status === 404 ? null : EstadosDeCp.parse(jsonOf(answer, LABEL, what));
  if (!estado) throw negado(`Syscom no conoce el código postal ${envio.cp}. No se pidió nada.`, 'validacion', answer);
  return { ...pedido, envio: { ...envio, estado } };
}

function camposOf({ folio, lineas, envio, guia, opciones }: NuevoPedido) {
  const read = Opciones.safeParse(opciones);
  if (!read.success || !envio)
    throw negado(
      'Syscom pide forma de pago, fletera y dirección para un pedido a domicilio. No se pidió nada.',
      'validacion',
    );
  if (guia && guia.archivo.length > MAX_GUIA)
    throw negado('La guía pesa más de 6 MB y Syscom no la recibe. No se pidió nada.', 'validacion');
  const { metodoPago, fletera, usoCfdi, moneda, pais } = read.data;
  const [metodo, tipoPago = 'pue'] = metodoPago.split('/');
  return {
    tipo_entrega: 'domicilio',
    direccion: direccionOf(envio, pais),
    metodo_pago: metodo,
    productos: lineas.map(({ idProveedor, cantidad }) => ({ id: Number(idProveedor), tipo: 'nuevo', cantidad })),
    moneda,
    uso_cfdi: usoCfdi,
    tipo_pago: tipoPago,
    fletera,
    orden_compra: folio,
    ordenar: true,
    iva_frontera: false,
    // Otherwise Syscom drops lines without stock and orders the rest.
    forzar: false,
    testmode: false,
    // No papers with prices in the box.
    directo_cliente: true,
  };
}

const direccionOf = (envio: Direccion, pais: string) => ({
  atencion_a: envio.nombre.slice(0, 120),
  calle: envio.calle.slice(0, 100),
  num_ext: envio.numero.slice(0, 20),
  num_int: envio.interior.slice(0, 20),
  colonia: envio.colonia.slice(0, 100),
  codigo_postal: envio.cp,
  ciudad: envio.ciudad.slice(0, 100),
  estado: envio.estado,
  pais,
  telefono: envio.telefono.slice(0, 20),
});

function partesOf(fields: ReturnType<typeof camposOf>, guia: Guia): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  form.append('pdf_guia', new Blob([new Uint8Array(guia.archivo)], { type: 'application/pdf' }), 'guia.pdf');
  return form;
}

/**
 * Reads the answer to an order. A refusal is a 200 with a text in `error`; a success has an empty one or none. Without a folio the answer is
 * `Uncertain`.
 */
function readPedido(answer: HttpAnswer, conGuia: boolean): PedidoHecho {
  if (!isExito(answer)) throw fallaAlEscribir(answer, LABEL, WHAT);
  const raw = jsonEscrito(answer, LABEL, WHAT);
  const read = PedidoAnswer.safeParse(raw);
  const error = read.data?.error;
  if (typeof error === 'string' && error.trim() !== '') throw negado(noOf(error, raw), claseOf(error), answer);
  const { resumen = {}, totales = {} } = read.data ?? {};
  const folio = [resumen.folio, resumen.folio_pedido].find((one) => typeof one === 'string' && one.trim() !== '');
  if (folio === 'TESTMODE') throw new Refused('Syscom lo tomó como prueba: no se pidió nada.', { code: 'desconocido' });
  if (typeof folio !== 'string') throw new Uncertain(`Syscom no dijo el folio (${WHAT})`, { status: answer.status });
  const [importe, moneda] = [importeOf(totales.total), monedaOf(resumen.moneda)];
  return {
    folio,
    estado: 'confirmado',
    total: importe && moneda && { importe, moneda },
    errores: [],
    guia: conGuia ? 'sinConfirmar' : null,
    correos: [],
    raw,
  };
}

/** Class of a refusal. `validation` is a code; people read the text beside it. */
const claseOf = (error: string) =>
  error === 'validation' ? 'validacion' : /existencia/i.test(error) ? 'sinExistencia' : 'desconocido';
const noOf = (error: string, raw: unknown) => `Syscom: ${(error === 'validation' && dicho(raw)) || error}`;
