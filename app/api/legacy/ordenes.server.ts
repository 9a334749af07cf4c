import { z } from 'zod';
import { NotAllowed } from '~/core/errors';
import { MARKETS } from '~/core/market';
import { readEnd } from '~/core/time';
import { isDoneSoon } from '~/platform/effects/effects.server';
import { sendEnlaceByMessage } from '~/domain/facturacion/enlaces/enlaceEnvios.server';
import { changeToEntregado } from '~/domain/ventas/ordenes/changeToEntregado.server';
import { ESTATUS_LABEL } from '~/domain/ventas/ordenes/estatus';
import { condicionOf } from '~/domain/ventas/ordenes/filtroAnterior.server';
import { ordenesOfNumero, ordenesOfRango, type OrdenConTodo } from '~/domain/ventas/ordenes/ordenesConTodo.server';
import { readFila } from '~/domain/ventas/ordenes/listOrdenes.server';
import { mailProveedores } from '~/domain/compras/directorio/mailProveedor.server';
import type { Db } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { found } from '../problem.server';
import { Consulta, EnJson } from './consulta';
import { Hecho, hecho, Id, Instante, Numero, numero, Rango } from './shapes';

export const Orden = z.object({
  _id: z.uuid(),
  marketId: z.string(),
  market: z.enum(MARKETS),
  numOrden: z.string(),
  dateCreated: Instante,
  titulo: z.string(),
  productos: z.array(
    z.object({
      nombre: z.string(),
      sku: z.string().nullable(),
      cantidad: z.number(),
      precioUnitario: Numero,
      comision: Numero,
    }),
  ),
  paquete: z.string().nullable(),
  estatus: z.string(),
  datos: z.object({ id: z.string(), status: z.string(), tags: z.array(z.string()) }),
  pagado: Numero.nullable(),
  pagadoAbs: Numero.nullable(),
  comision: Numero.nullable(),
  retencion: Numero.nullable(),
  envioPropio: z.boolean(),
  envio: z
    .object({
      marketId: z.string().nullable(),
      cobrado: Numero.nullable(),
      costo: Numero.nullable(),
      estatus: z.string().nullable(),
    })
    .nullable(),
  facturaCliente: z
    .object({ folio: z.string(), numOrden: z.string().nullable(), datoFiscal: z.object({ rfc: z.string() }) })
    .nullable(),
  proveedorFacturas: z.array(z.object({ proveedor: z.string(), folio: z.string(), monto: Numero })),
});

export function ordenOf(orden: OrdenConTodo): z.output<typeof Orden> {
  return {
    _id: orden.id,
    marketId: orden.marketId,
    market: orden.market,
    numOrden: orden.numOrden,
    dateCreated: orden.fechaCreacion.toISOString(),
    titulo: orden.titulo,
    productos: orden.articulos.map(({ precioUnitario, comision, ...articulo }) => ({
      ...articulo,
      precioUnitario: numero(precioUnitario),
      comision: numero(comision),
    })),
    paquete: orden.packId,
    estatus: orden.estatus,
    datos: { id: orden.marketId, status: orden.marketStatus, tags: orden.tags },
    pagado: numero(orden.pagado),
    pagadoAbs: numero(orden.pagadoAbs),
    comision: numero(orden.comision),
    retencion: numero(orden.retencion),
    envioPropio: orden.envioPropio,
    envio:
      orden.envioEstatus === null
        ? null
        : {
            marketId: orden.envioMarketId,
            cobrado: numero(orden.envioCobrado),
            costo: numero(orden.envioCosto),
            estatus: orden.envioEstatus,
          },
    facturaCliente:
      orden.facturaFolio === null
        ? null
        : { folio: orden.facturaFolio, numOrden: orden.facturaNumOrden, datoFiscal: { rfc: orden.facturaRfc ?? '' } },
    proveedorFacturas: orden.proveedorFacturas.map((factura) => ({ ...factura, monto: numero(factura.monto) })),
  };
}

async function inRange(db: Db, range: z.output<typeof Rango>, filtro: unknown) {
  const rows = await ordenesOfRango(db, range, filtro === undefined ? null : condicionOf(filtro)).execute();
  return rows.map(ordenOf);
}

const acceso = { pantalla: 'ordenes' } as const;
const operar = { pantalla: 'ordenes', derecho: 'ordenes.operar' } as const;
const alcance = 'ordenes';
/** The old client sends its conditions as `filtro` in one place and as `query` in others. */
const filtros = { filtro: EnJson.optional(), query: EnJson.optional() };

const DIAS_91 = 91 * 86_400_000;

export const ordenesAnteriores: Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/ordenes/estatus',
    resumen: 'Los códigos de estatus y cómo se leen.',
    alcance,
    acceso,
    answer: z.record(z.string(), z.string()),
    run: () => Promise.resolve({ ...ESTATUS_LABEL }),
  }),
  defineCall({
    method: 'GET',
    path: '/api/ordenes/rangoFecha/{from}/{to}',
    resumen: 'Las ordenes de un rango.',
    alcance,
    acceso,
    params: Rango,
    query: z.object(filtros),
    answer: z.array(Orden),
    run: (db, { params, query }) => inRange(db, params, query.filtro ?? query.query),
  }),
  defineCall({
    method: 'GET',
    path: '/api/ordenes/rangoFechaV2/{from}/{to}/{filtro}',
    resumen: 'Las ordenes de un rango que cumplen un filtro.',
    alcance,
    acceso,
    params: Rango.extend({ filtro: EnJson }),
    answer: z.array(Orden),
    run: (db, { params: { filtro, ...range } }) => inRange(db, range, filtro),
  }),
  defineCall({
    method: 'GET',
    path: '/api/ordenes/{orden}',
    resumen: 'Las ordenes de un número.',
    alcance,
    acceso,
    params: z.object({ orden: z.string().min(1).max(120) }),
    answer: z.array(Orden),
    async run(db, { params: { orden } }) {
      const found = await ordenesOfNumero(db, orden);
      if (found.length === 0) throw new NotAllowed('Orden', 'La orden no existe.');
      return found.map(ordenOf);
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/ordenesActivas',
    resumen: 'Las ordenes que faltan por enviar.',
    alcance,
    acceso: { pantalla: 'ordenesActivas' },
    query: z.object({ query: Consulta.optional() }),
    answer: z.object({ docs: z.array(Orden) }),
    async run(db, { query: { query }, now }) {
      const { limit = 201, page = 1, search } = query ?? {};
      const { $gte, $lte } = search?.dateCreated ?? {};
      const range = {
        from: $gte === undefined ? new Date(now.getTime() - DIAS_91) : readEnd($gte, 'from')!,
        to: $lte === undefined ? now : readEnd($lte, 'to')!,
      };
      const docs = await ordenesOfRango(db, range, condicionOf({ estatus: 'enPreparacion' }))
        .limit(limit)
        .offset((page - 1) * limit)
        .execute();
      return { docs: docs.map(ordenOf) };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/orden/cambioEstatus/{id}',
    resumen: 'Cambia una orden a Entregado.',
    alcance,
    acceso: { pantalla: 'ordenesActivas', derecho: 'ordenes.operar' },
    params: Id,
    answer: Hecho,
    async commit(trx, { params: { id }, usuario, now }) {
      await changeToEntregado(trx, id, usuario.id, now);
      return hecho('Se realizo el cambio de estatus.');
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/envio/sendEmail/{id}',
    resumen: 'Envía el correo de una orden a sus proveedores.',
    alcance,
    acceso: operar,
    porGet: true,
    params: Id,
    answer: Hecho,
    async run(db, { params: { id }, usuario }) {
      const done = await mailProveedores(db, id, usuario.id);
      return hecho(done ? 'Se envio el correo.' : 'El correo está en camino.');
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/envio/sendLinkFactura/{id}',
    resumen: 'Envía al cliente de una orden el link de su factura.',
    alcance,
    acceso: operar,
    porGet: true,
    params: Id,
    answer: Hecho,
    async run(db, { params: { id }, usuario }) {
      const { numOrden } = await found(readFila(db, id));
      const mensaje = await sendEnlaceByMessage(db, { numero: numOrden, usuarioId: usuario.id });
      const done = await isDoneSoon(db, mensaje, 'Error al enviar el link.');
      return hecho(done ? 'Se envio el link al cliente.' : 'El link está en camino.');
    },
  }),
];
