import { Uncertain } from '../../errors';
import type { HttpAnswer } from '../../http.server';
import type { Acceso } from '../acceso';
import type { Cumple, Ensayo, Escrituras, Guia, NuevoPedido, PedidoHecho } from '../cara';
import { unoOf } from '../leer';
import {
  type ClienteOptions,
  createLlamadas,
  dicho,
  isExito,
  fallaAlEscribir,
  fallaOf,
  jsonEscrito,
  jsonOf,
  negado,
} from '../llamar.server';
import { requireProduccion } from '../produccion.server';
import { LABEL } from './auth.server';
import { type CVA } from './capacidades';
import { createCvaReader, ladoCva } from './read.server';
import { GuiaHecha, Hecho, totalOf } from './wire';

export type CvaWriterOptions = ClienteOptions & {
  /** Extra token for labels; empty when CVA gave none. */
  guias: Acceso;
};

const SIN_GUIAS =
  'CVA da aparte el token de guías y esta cuenta no lo tiene: envía la guía por correo. No se envió nada.';

/** Makes the half of CVA that writes; only effects get it. An order is firm at once. */
export function createCvaWriter({ guias, ...options }: CvaWriterOptions): Cumple<typeof CVA, Escrituras> {
  const { timeoutMs = 60_000 } = options;
  const { escribir } = createLlamadas(ladoCva(options));
  const conGuias = createLlamadas(ladoCva({ ...options, acceso: guias }));

  return {
    async crearPedido(pedido) {
      requireProduccion(options.baseUrl);
      const json = cuerpoOf(pedido);
      return readPedido(await escribir({ method: 'POST', path: '/pedidos_web/crear_orden', json, timeoutMs }));
    },

    async enviarGuia(folio, guia) {
      requireProduccion(options.baseUrl);
      if ((await guias.current()).token === '') throw negado(SIN_GUIAS, 'validacion');
      const json = guiaOf(folio, guia);
      readGuia(await conGuias.escribir({ method: 'POST', path: '/waybill', json, timeoutMs }));
    },
  };
}

/**
 * Makes the rehearsal of an order at CVA, which goes as a test. Its documents say that a test makes nothing; CVA is asked afterwards whether that is
 * so, also where its answer was lost, and an order that it made all the same is told as a refusal.
 */
export function createCvaEnsayo(options: ClienteOptions): Ensayo {
  const { leer } = createLlamadas(ladoCva(options));
  const { pedidosDe } = createCvaReader(options);
  return {
    async probarPedido(pedido) {
      requireProduccion(options.baseUrl);
      const what = 'crear_orden';
      const json = { ...cuerpoOf(pedido), test: 1 };
      const call = { method: 'POST', path: '/pedidos_web/crear_orden', json, timeoutMs: 60_000 } as const;
      const requireNothing = async () => {
        const [hecho] = await pedidosDe(pedido.folio);
        if (hecho)
          throw negado(
            `${LABEL} tomó la prueba como pedido ${hecho.folio}. Cancélalo con tu ejecutivo.`,
            'desconocido',
          );
      };
      const answer = await leer(call).catch(async (error: unknown) => {
        await requireNothing();
        throw error;
      });
      if (!isExito(answer)) throw fallaOf(answer, LABEL, what);
      const raw = jsonOf(answer, LABEL, what);
      const read = unoOf(Hecho).safeParse(raw).data;
      if (!read?.pedido) {
        const words = dicho(raw) ?? 'no dijo si lo tomaría';
        throw negado([`${LABEL}: ${words}`, read?.action].filter(Boolean).join('. '), claseOf(words), answer);
      }
      await requireNothing();
      return totalOf(read.total, read.moneda);
    },
  };
}

function cuerpoOf({ folio, lineas, almacen, opciones }: NuevoPedido) {
  if (!/^\d{1,4}$/.test(almacen ?? ''))
    throw negado('Un pedido de CVA es de una sucursal, por su número. No se pidió nada.', 'validacion');
  return {
    test: 0,
    num_oc: folio,
    codigo_sucursal: Number(almacen),
    // No freight of CVA: the parcel leaves with the marketplace's label.
    tipo_flete: 'SF',
    cotiza_flete: 0,
    observaciones: opciones.observaciones ?? `Embarcar con guía adjunta ${folio}`,
    productos: lineas.map(({ idProveedor, cantidad }) => ({ clave: idProveedor, cantidad })),
  };
}

/** Body of a label. The name of the file's field is documented nowhere and guessed here; the letter stays ready beside it. */
const guiaOf = (folio: string, { numero, paqueteria, archivo }: Guia) => ({
  order_number: folio,
  waybills: numero,
  carrier: paqueteria.toUpperCase(),
  file: archivo.toString('base64'),
});

/** Reads the answer to an order. Only a folio means yes. Words without a folio are a no, whatever the status. Neither is unclear. */
function readPedido(answer: HttpAnswer): PedidoHecho {
  const what = 'crear_orden';
  if (!isExito(answer)) throw fallaAlEscribir(answer, LABEL, what);
  const raw = jsonEscrito(answer, LABEL, what);
  const read = unoOf(Hecho).safeParse(raw).data;
  const words = dicho(raw);
  if (!read?.pedido) {
    if (words === undefined) throw new Uncertain(`${LABEL} no dijo el folio (${what})`, { status: answer.status });
    throw negado([`${LABEL}: ${words}`, read?.action].filter(Boolean).join('. '), claseOf(words), answer);
  }
  return {
    folio: read.pedido,
    estado: 'solicitado',
    total: totalOf(read.total, read.moneda),
    errores: [],
    guia: null,
    correos: [read.email_agente, read.email_almacen].filter((one) => one?.includes('@')) as string[],
    raw,
  };
}

const claseOf = (words: string) =>
  /cr[eé]dito/i.test(words) ? 'sinCredito' : /existencia|disponible/i.test(words) ? 'sinExistencia' : 'desconocido';

/** Reads the answer to a label. Only `ok` is known to mean yes. */
function readGuia(answer: HttpAnswer): void {
  const what = 'waybill';
  if (answer.status === 401 || answer.status === 403)
    throw negado(`${LABEL} no aceptó el token de guías. No se envió nada.`, 'desconocido', answer);
  if (!isExito(answer)) throw fallaAlEscribir(answer, LABEL, what);
  const { data } = GuiaHecha.safeParse(jsonEscrito(answer, LABEL, what));
  if (data?.status?.toLowerCase() === 'ok') return;
  if (data?.error) throw negado(`${LABEL}: ${data.error}`, 'desconocido', answer);
  throw new Uncertain(`${LABEL} no dijo si recibió la guía (${what})`, { status: answer.status });
}
