import { z } from 'zod';
import { MARKETS } from '~/core/market';
import { ordenesList } from '~/domain/ventas/ordenes/listOrdenes.server';
import { decideDevuelta, readDevuelta } from '~/domain/ventas/ordenes/devueltas.server';
import { DecidirDevueltaForm } from '~/domain/ventas/ordenes/ordenForm';
import { readDinero } from '~/domain/ventas/libro/dinero.server';
import { readOrden } from '~/domain/ventas/ordenes/detalleOrden.server';
import { defineCall, type Call } from '../call.server';
import { defineFormCall } from '../form.server';
import { defineListCall } from '../list.server';
import { found } from '../problem.server';
import { HuellaLeida, Instante, Pesos } from '../wire';

const CLASES = ['normal', 'cancelada', 'devuelta', 'invalida'] as const;

export const ById = z.object({ id: z.uuid() });

/** Of what a far side does: false while it has not answered. */
export const Hecho = z.object({ hecho: z.boolean().meta({ description: 'Falso mientras el otro lado no contesta.' }) });

/** A sale as the list of sales shows it. */
export const OrdenFila = z.object({
  id: z.uuid(),
  market: z.enum(MARKETS),
  numOrden: z.string(),
  packId: z.string().nullable(),
  fechaCreacion: Instante,
  titulo: z.string(),
  pagado: Pesos.nullable(),
  pagadoAbs: Pesos.nullable(),
  estatus: z.string(),
  clase: z.enum(CLASES),
  situacion: z.string(),
  meliResale: z.boolean(),
  facturado: Pesos,
  queda: Pesos.nullable().meta({ description: 'Lo que queda de la venta; nulo si no se sabe.' }),
  certeza: z.enum(['conocida', 'estimada', 'desconocida']).nullable(),
  envio: z.string().nullable(),
  envioEstatus: z.string().nullable(),
  facturaId: z.uuid().nullable(),
  folio: z.string().nullable(),
  rfc: z.string().nullable(),
  proveedorFacturas: z.array(z.object({ folio: z.string() })),
});

export const Orden = z.object({
  id: z.uuid(),
  market: z.enum(MARKETS),
  marketId: z.string(),
  numOrden: z.string(),
  packId: z.string().nullable(),
  fechaCreacion: Instante,
  actualizadaEn: Instante,
  estatus: z.string(),
  situacion: z.string(),
  clase: z.enum(CLASES),
  meliResale: z.boolean(),
  titulo: z.string(),
  total: Pesos.nullable(),
  pagado: Pesos.nullable(),
  pagadoAbs: Pesos.nullable(),
  comision: Pesos.nullable(),
  retencion: Pesos.nullable(),
  envioPropio: z.boolean(),
  articulos: z.array(
    z.object({
      posicion: z.int(),
      nombre: z.string(),
      sku: z.string().nullable(),
      proveedor: z.string().nullable(),
      modelo: z.string().nullable(),
      cantidad: z.int(),
      precioUnitario: Pesos,
      importe: Pesos.nullable(),
      comision: Pesos.nullable(),
    }),
  ),
  facturas: z.array(
    z.object({
      id: z.uuid(),
      tipo: z.string(),
      estatus: z.string(),
      fechaTimbrado: Instante,
      rfc: z.string(),
      razonSocial: z.string(),
      total: Pesos,
      uuid: z.string(),
      folio: z.string(),
    }),
  ),
  envio: z
    .object({
      id: z.uuid(),
      marketId: z.string().nullable(),
      estatus: z.string().nullable(),
      propio: z.boolean(),
      cobrado: Pesos.nullable(),
      cotizado: Pesos.nullable(),
      costo: Pesos.nullable(),
    })
    .nullable(),
});

const LineaDeDinero = z.object({
  clave: z.string(),
  concepto: z.string(),
  importe: Pesos,
  cierto: z.boolean(),
  fuente: z.string(),
});
/** The money of a sale as its ledger tells it: a null amount is unknown, and a line that is not `cierto` is estimated. */
const DineroDeOrden = z.object({
  ingresos: z.array(LineaDeDinero),
  recibe: Pesos.nullable(),
  recibeEstimado: z.boolean(),
  costos: z.array(LineaDeDinero),
  queda: Pesos.nullable(),
  margen: z.string().nullable(),
  certeza: z.string(),
  liquidada: z.boolean(),
  porque: z.array(z.string()),
});

/** What is to be decided of a sale that was paid and not fulfilled. `conservada`: the money is ours, and the sale counts as any other. */
const Devuelta = z.object({
  huella: HuellaLeida,
  liquidado: Pesos.nullable(),
  conservada: z.boolean(),
  folio: z.string().nullable().meta({ description: 'El de la factura que la tiene.' }),
  reclamada: z.boolean().meta({ description: 'Está en una factura, o en una que se está timbrando.' }),
  decision: z
    .object({
      decision: z.enum(['facturar', 'esperar', 'reclamar', 'soltar']),
      hasta: z.iso.date().nullable(),
      folio: z.string().nullable(),
      creadaEn: Instante,
      quien: z.string().nullable(),
    })
    .nullable(),
});

export const ordenes: Call[] = [
  defineListCall({
    path: '/api/v1/ordenes',
    resumen: 'Las ordenes de un periodo.',
    alcance: 'ordenes',
    acceso: { pantalla: 'ordenes' },
    list: ordenesList,
    fila: OrdenFila,
    totales: { pagado: Pesos, facturado: Pesos },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/ordenes/{id}',
    resumen: 'Una orden completa.',
    alcance: 'ordenes',
    acceso: { pantalla: 'ordenes' },
    params: ById,
    answer: Orden,
    run: (db, { params: { id } }) => found(readOrden(db, id)),
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/ordenes/{id}/dinero',
    resumen: 'Lo que deja una orden: de lo pagado a lo que queda, con lo que se estima y lo que no se sabe.',
    alcance: 'reportes',
    acceso: { pantalla: 'llenarReporte' },
    params: ById,
    answer: DineroDeOrden,
    run: (db, { params: { id } }) => found(readDinero(db, id)),
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/ordenes/{id}/decision',
    resumen: 'Una venta que se pagó y no se entregó: lo recibido y lo que se decidió. No existe de ninguna otra venta.',
    alcance: 'ordenes',
    acceso: { pantalla: 'ordenesCanceladas' },
    params: ById,
    answer: Devuelta,
    run: (db, { params: { id } }) => found(readDevuelta(db, id)),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/ordenes/{id}/decision',
    resumen: 'De quién es el dinero de una venta que se pagó y no se entregó.',
    alcance: 'ordenes',
    acceso: { derecho: 'ordenes.operar' },
    form: DecidirDevueltaForm,
    de: { orden: 'id' },
    answer: Devuelta.nullable(),
    async commit(trx, form, { usuario }) {
      await decideDevuelta(trx, form, usuario.id);
      return readDevuelta(trx, form.orden);
    },
  }),
];
