import { z } from 'zod';
import { MARKETS } from '~/core/market';
import { readPregunta } from '~/domain/atencion/preguntas/preguntas.server';
import { readReclamo } from '~/domain/atencion/reclamos/reclamos.server';
import { readFactura } from '~/domain/facturacion/cfdi/factura.server';
import { readSolicitud } from '~/domain/facturacion/emision/solicitud.server';
import type { TipoDeGancho } from '~/platform/webhooks/gancho';
import type { ReadCuerpo } from '~/platform/webhooks/distribute.server';
import { readOrden } from '~/domain/ventas/ordenes/detalleOrden.server';
import { readPedidoFila } from '~/domain/compras/pedidos/listPedidos.server';
import { readMovimiento } from '~/domain/compras/stock/readPiezas.server';
import type { Db } from '~db/client.server';
import { projectorOf } from './project';
import { Reclamo } from './v1/atencion.server';
import { PedidoFila } from './v1/pedidos.server';
import { Solicitud, solicitudOf } from './v1/facturas.server';
import { Orden } from './v1/ordenes.server';
import { Factura } from './v1/ventas.server';
import { Instante, type Crudo } from './wire';

/**
 * The kinds of events: the description of each, and how its data are read at the time of sending. Null where the data are told with the event, and then a
 * sentence stands beside them as `text`.
 */
export type Evento = { resumen: string; data: z.ZodType; leer: ((db: Db, id: string) => Promise<unknown>) | null };

function evento<S extends z.ZodType>(
  resumen: string,
  data: S,
  leer: ((db: Db, id: string) => Promise<Crudo<z.output<S>> | undefined>) | null,
): Evento {
  return { resumen, data, leer };
}

const Pregunta = z.object({
  id: z.uuid(),
  market: z.enum(MARKETS),
  marketId: z.string(),
  publicacionId: z.string(),
  titulo: z.string().nullable(),
  sku: z.string().nullable(),
  enlace: z.string().nullable(),
  texto: z.string(),
  estatus: z.string(),
  respuesta: z.string().nullable(),
  fecha: Instante,
  version: z.int(),
});

const Movimiento = z.object({
  piezaId: z.uuid(),
  folio: z.string(),
  proveedor: z.string().nullable(),
  productoId: z.uuid().nullable(),
  ordenId: z.uuid().nullable(),
  ventaId: z.uuid().nullable(),
  de: z.string().nullable(),
  a: z.string(),
  en: Instante,
  detalle: z.string().nullable(),
});

const Condicion = z.object({
  clave: z.string(),
  estado: z.enum(['aviso', 'grave', 'resuelta']),
  texto: z.string(),
  remedio: z.string().nullable(),
  pantalla: z.string().nullable(),
});

export const EVENTOS: Record<TipoDeGancho, Evento> = {
  'orden.creada': evento('Llegó una orden.', Orden, readOrden),
  'orden.actualizada': evento('Cambió una orden.', Orden, readOrden),
  'factura.timbrada': evento('Se timbró una factura.', Factura, readFactura),
  'factura.cancelada': evento('Se canceló una factura.', Factura, readFactura),
  'factura.rechazada': evento('No se timbró una factura que se pidió.', Solicitud, async (db, id) => {
    const pedida = await readSolicitud(db, id);
    return pedida && solicitudOf(pedida);
  }),
  'pedido.actualizado': evento('Se hizo o cambió un pedido a un proveedor.', PedidoFila, readPedidoFila),
  'pregunta.nueva': evento('Llegó una pregunta.', Pregunta, readPregunta),
  'reclamo.nuevo': evento('Se abrió un reclamo.', Reclamo, readReclamo),
  'stock.movido': evento('Una pieza de stock cambió de estado.', Movimiento, readMovimiento),
  'condicion.cambiada': evento('Empezó, empeoró o terminó algo que atender.', Condicion, null),
};

/** Returns data with the described fields alone. */
export const readCuerpo: ReadCuerpo = async (db, tipo, id) => {
  const { data, leer } = EVENTOS[tipo];
  const found = await leer?.(db, id);
  return found === undefined ? undefined : projectorOf(data)(found);
};
