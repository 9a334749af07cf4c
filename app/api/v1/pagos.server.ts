import { z } from 'zod';
import { MARKETS } from '~/core/market';
import { Dia, Texto } from '~/core/fields';
import {
  addOrdenes,
  findArchivoOfPago,
  deletePago,
  linkPagos,
  readPago,
  removeOrden,
  saveMonto,
  savePago,
} from '~/domain/compras/pagos/pagos.server';
import { readComprobantes, saveComprobantes, savePagos } from '~/domain/compras/pagos/savePagos.server';
import { pagosList } from '~/domain/compras/pagos/listPagos.server';
import { pagarFacturas, porPagarList } from '~/domain/compras/pagos/porPagar.server';
import {
  Comprobantes,
  FacturasPagadas,
  LeerComprobantes,
  OrdenesDePago,
  PagoEditado,
  PagosDeOrden,
} from '~/domain/compras/pagos/forms';
import { download } from '~/http/download.server';
import type { Db, Trx } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { etagOfVersion } from '../etag';
import { defineFormCall, formOf } from '../form.server';
import { defineListCall } from '../list.server';
import { found, notFound } from '../problem.server';
import { DiaCivil, Instante, Pesos } from '../wire';
import { ById } from './ordenes.server';

const verPagos = { alcance: 'pagos', acceso: { pantalla: 'pagosProveedores' } } as const;
const operarPagos = { alcance: 'pagos', acceso: { pantalla: 'pagosProveedores', derecho: 'pagos.operar' } } as const;

const PagoFila = z.object({
  id: z.uuid(),
  folio: z.string(),
  fecha: DiaCivil.nullable(),
  total: Pesos.nullable(),
  claveRastreo: z.string().nullable(),
  banco: z.string().nullable(),
  creadoEn: Instante,
  version: z.int(),
  proveedor: z.string(),
  proveedorLabel: z.string(),
  usuario: z.string().nullable(),
  aplicado: Pesos,
  restante: Pesos.nullable(),
});

const Pago = PagoFila.extend({
  ordenes: z.array(
    z.object({
      id: z.uuid(),
      market: z.enum(MARKETS),
      numOrden: z.string(),
      titulo: z.string(),
      monto: Pesos.nullable(),
      facturado: Pesos,
      aplicado: Pesos,
      folios: z.string(),
    }),
  ),
  archivos: z.array(
    z.object({ archivoId: z.uuid(), nombre: z.string(), tipo: z.string(), bytes: z.int(), creadoEn: Instante }),
  ),
});
const DeUnaOrden = ById.extend({ ordenId: z.uuid() });

/** A payment as its panel opens it. */
const pagoOf = (db: Db | Trx, id: string) => found(readPago(db, id));

export const pagos: Call[] = [
  defineListCall({
    path: '/api/v1/pagos',
    resumen: 'Los pagos a proveedores de un periodo.',
    ...verPagos,
    list: pagosList,
    fila: PagoFila.extend({ ordenes: z.int(), archivos: z.int() }),
    totales: { total: Pesos, aplicado: Pesos, restante: Pesos },
  }),
  defineListCall({
    path: '/api/v1/porPagar',
    resumen:
      'Las facturas de proveedores que ningún pago cubre enteras, con lo que falta y el último día para pagarlas.',
    ...verPagos,
    list: porPagarList,
    fila: z.object({
      id: z.uuid(),
      folio: z.string(),
      proveedor: z.string(),
      proveedorLabel: z.string(),
      ordenId: z.uuid(),
      market: z.enum(MARKETS),
      numOrden: z.string(),
      titulo: z.string(),
      fecha: DiaCivil,
      vence: DiaCivil.nullable(),
      vencida: z.boolean(),
      monto: Pesos,
      pagada: Pesos,
      acreditada: Pesos.meta({ description: 'Lo que le quitan notas de crédito del proveedor.' }),
      falta: Pesos,
    }),
    totales: { monto: Pesos, pagada: Pesos, acreditada: Pesos, falta: Pesos },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/pagos/{id}',
    resumen: 'Un pago, con sus órdenes y sus comprobantes.',
    ...verPagos,
    params: ById,
    answer: Pago,
    etag: etagOfVersion,
    run: (db, { params: { id } }) => pagoOf(db, id),
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/pagos',
    resumen: 'Guarda los comprobantes de pagos y de qué orden son. Un folio conocido es ese pago.',
    ...operarPagos,
    status: 201,
    recibe: { campo: 'archivos', cuerpo: 'datos', opcional: true, varios: true },
    body: z.object({
      ordenId: z.uuid(),
      proveedor: Texto(20),
      folios: z.array(PagoEditado.shape.folio).min(1).max(20),
      otras: z.array(z.string().max(60)).max(50).optional().meta({ description: 'Números de otras órdenes.' }),
    }),
    answer: z.object({ folios: z.array(z.string()) }),
    async run(db, { body: { otras, ...body }, archivos, usuario }) {
      const form = formOf(PagosDeOrden, { ...body, ...(otras?.length && { otras: otras.join(' ') }), archivos });
      return savePagos(db, form, usuario.id);
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/v1/pagos/{id}',
    resumen: 'Cambia lo que un pago dice de sí.',
    ...operarPagos,
    conVersion: true,
    params: ById,
    body: z.object({
      folio: PagoEditado.shape.folio,
      fecha: Dia().nullish(),
      total: Pesos.nullish(),
      claveRastreo: z.string().max(40).nullish(),
      banco: z.string().max(60).nullish(),
    }),
    answer: Pago,
    etag: etagOfVersion,
    async commit(trx, { params: { id }, body, version, usuario }) {
      const said = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ''));
      await savePago(trx, formOf(PagoEditado, { ...said, id, version }), usuario.id);
      return pagoOf(trx, id);
    },
  }),
  defineCall({
    method: 'DELETE',
    path: '/api/v1/pagos/{id}',
    resumen: 'Elimina un pago que no es de ninguna orden.',
    ...operarPagos,
    conVersion: true,
    params: ById,
    answer: ById,
    async commit(trx, { params: { id }, version, usuario }) {
      await pagoOf(trx, id);
      await deletePago(trx, { id, version }, usuario.id);
      return { id };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/pagos/{id}/ordenes',
    resumen: 'Un pago es de otra orden también.',
    ...operarPagos,
    params: ById,
    body: z.object({ ordenId: z.uuid() }),
    answer: Pago,
    etag: etagOfVersion,
    async commit(trx, { params: { id }, body: { ordenId }, usuario }) {
      await linkPagos(trx, { ordenId, pagos: [id] }, usuario.id);
      return pagoOf(trx, id);
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/v1/pagos/{id}/ordenes/{ordenId}',
    resumen: 'Cuánto de un pago es de una orden; null lo deja a sus facturas.',
    ...operarPagos,
    conVersion: true,
    params: DeUnaOrden,
    body: z.object({ monto: Pesos.nullable() }),
    answer: Pago,
    etag: etagOfVersion,
    async commit(trx, { params: { id, ordenId }, body: { monto }, version, usuario }) {
      await pagoOf(trx, id);
      await saveMonto(trx, { id, version, ordenId, monto }, usuario.id);
      return pagoOf(trx, id);
    },
  }),
  defineCall({
    method: 'DELETE',
    path: '/api/v1/pagos/{id}/ordenes/{ordenId}',
    resumen: 'Un pago deja de ser de una orden.',
    ...operarPagos,
    conVersion: true,
    params: DeUnaOrden,
    answer: Pago,
    etag: etagOfVersion,
    async commit(trx, { params: { id, ordenId }, version, usuario }) {
      await pagoOf(trx, id);
      await removeOrden(trx, { id, version, ordenId }, usuario.id);
      return pagoOf(trx, id);
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/pagos/{id}/archivos/{archivoId}',
    resumen: 'Un comprobante de un pago.',
    ...verPagos,
    archivo: '*/*',
    params: ById.extend({ archivoId: z.uuid() }),
    answer: z.string(),
    async run(db, { params: { id, archivoId }, request }) {
      const suyo = await findArchivoOfPago(db, id, archivoId);
      if (!suyo) throw notFound();
      return download(request, suyo);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/porPagar',
    resumen:
      'Registra una transferencia que paga facturas de un proveedor, lo que vence primero primero. Cada factura va como `id|falta`, con lo que se veía que faltaba.',
    ...operarPagos,
    status: 201,
    recibe: { campo: 'archivos', cuerpo: 'datos', varios: true },
    form: FacturasPagadas,
    answer: Pago,
    etag: etagOfVersion,
    async run(db, form, { usuario }) {
      const { id } = await pagarFacturas(db, form, usuario.id);
      return pagoOf(db, id);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/pagos/comprobantes',
    resumen: 'Guarda los comprobantes de un pago, con las órdenes que paga si ya se saben.',
    ...operarPagos,
    status: 201,
    recibe: { campo: 'archivos', cuerpo: 'datos', varios: true },
    form: Comprobantes,
    answer: Pago,
    etag: etagOfVersion,
    async run(db, form, { usuario }) {
      const { id } = await saveComprobantes(db, form, usuario.id);
      return pagoOf(db, id);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/pagos/lectura',
    resumen: 'Lee comprobantes sin guardar nada: lo que cada uno dice de su pago.',
    ...operarPagos,
    soloLee: true,
    recibe: { campo: 'archivos', varios: true },
    form: LeerComprobantes,
    answer: z.array(
      z.object({
        nombre: z.string(),
        lectura: z.record(z.string(), z.unknown()).nullable(),
        pagos: z.array(z.object({ id: z.uuid(), folio: z.string() })),
      }),
    ),
    run: (db, { archivos }) => readComprobantes(db, archivos),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/pagos/{id}/otras',
    resumen: 'Un pago es de otras órdenes también, por sus números.',
    ...operarPagos,
    conVersion: true,
    form: OrdenesDePago,
    de: { id: 'id' },
    answer: Pago,
    etag: etagOfVersion,
    async commit(trx, form, { usuario }) {
      await pagoOf(trx, form.id);
      await addOrdenes(trx, form, usuario.id);
      return pagoOf(trx, form.id);
    },
  }),
];
