import { z } from 'zod';
import { MARKETS } from '~/core/market';
import { Dia, SiNo, Texto } from '~/core/fields';
import { conciliadasList, depositosList, ajustesList } from '~/domain/cierre/conciliacion/listConciliacion.server';
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
import { noteCotizacion, readCotizacion, cotizacionesList } from '~/domain/compras/pagos/cotizaciones.server';
import { readComprobantes, saveComprobantes, savePagos } from '~/domain/compras/pagos/savePagos.server';
import { porLiberarList } from '~/domain/cierre/conciliacion/listPorLiberar.server';
import {
  note,
  readConciliada,
  readRegla,
  readVentasDeDeposito,
  saveRegla,
} from '~/domain/cierre/conciliacion/conciliacion.server';
import { Anotacion, Regla } from '~/domain/cierre/conciliacion/conciliacionForm';
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

const pagos = { alcance: 'pagos', acceso: { pantalla: 'pagosProveedores' } } as const;
const operarPagos = { alcance: 'pagos', acceso: { pantalla: 'pagosProveedores', derecho: 'pagos.operar' } } as const;
const conciliar = { alcance: 'conciliacion', acceso: { pantalla: 'conciliacion' } } as const;

const anotar = {
  alcance: 'conciliacion',
  acceso: { pantalla: 'conciliacion', derecho: 'conciliacion.anotar' },
} as const;
const Tolerancia = z.object({ tolerancia: Pesos, version: z.int() });

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

const Deposito = z.object({
  id: z.uuid(),
  market: z.enum(MARKETS),
  clave: z.string(),
  fecha: Instante,
  importe: Pesos,
  suma: Pesos,
  saldoAntes: Pesos.nullable(),
  saldoDespues: Pesos.nullable(),
  sinExplicar: Pesos,
  movimientos: z.int(),
  diferencia: Pesos,
  difiere: z.boolean(),
  motivo: z.string().nullable(),
  reclamadoEn: Instante.nullable(),
});

const Conciliada = z.object({
  id: z.uuid(),
  market: z.enum(MARKETS),
  numOrden: z.string(),
  titulo: z.string(),
  fecha: Instante,
  esperado: Pesos,
  recibido: Pesos,
  diferencia: Pesos,
  completa: z.boolean(),
  dCobrado: Pesos,
  dComision: Pesos,
  dEnvio: Pesos,
  dRetencion: Pesos,
  rOtros: Pesos,
  difiere: z.boolean(),
  motivo: z.string().nullable(),
  reclamadoEn: Instante.nullable(),
});

/** A payment as its panel opens it. */
const pagoOf = (db: Db | Trx, id: string) => found(readPago(db, id));

export const dinero: Call[] = [
  defineListCall({
    path: '/api/v1/pagos',
    resumen: 'Los pagos a proveedores de un periodo.',
    ...pagos,
    list: pagosList,
    fila: PagoFila.extend({ ordenes: z.int(), archivos: z.int() }),
    totales: { total: Pesos, aplicado: Pesos, restante: Pesos },
  }),
  defineListCall({
    path: '/api/v1/porPagar',
    resumen:
      'Las facturas de proveedores que ningún pago cubre enteras, con lo que falta y el último día para pagarlas.',
    ...pagos,
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
    ...pagos,
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
    ...pagos,
    archivo: '*/*',
    params: ById.extend({ archivoId: z.uuid() }),
    answer: z.string(),
    async run(db, { params: { id, archivoId }, request }) {
      const suyo = await findArchivoOfPago(db, id, archivoId);
      if (!suyo) throw notFound();
      return download(request, suyo);
    },
  }),
  defineListCall({
    path: '/api/v1/cotizaciones',
    resumen: 'Las ventas de un periodo con su cotización y sus pagos.',
    alcance: 'cotizaciones',
    acceso: { pantalla: 'cotizaciones' },
    list: cotizacionesList,
    fila: z.object({
      id: z.uuid(),
      market: z.enum(MARKETS),
      numOrden: z.string(),
      fechaCreacion: Instante,
      titulo: z.string(),
      pagado: Pesos.nullable(),
      facturado: Pesos,
      estatus: z.string(),
      cotizacion: z.string().nullable(),
      pagos: z.int(),
    }),
    totales: { pagado: Pesos, facturado: Pesos },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/cotizaciones/{id}',
    resumen: 'La cotización de una orden, con sus pagos.',
    alcance: 'cotizaciones',
    acceso: { pantalla: 'cotizaciones' },
    params: ById,
    answer: z.object({
      id: z.uuid(),
      numOrden: z.string(),
      cotizacion: z.string().nullable(),
      folio: z.string().nullable().meta({ description: 'El de la cotización, como su PUT lo toma.' }),
      version: z.int(),
      pagos: z.array(
        z.object({
          id: z.uuid(),
          folio: z.string(),
          fecha: DiaCivil.nullable(),
          total: Pesos.nullable(),
          proveedorLabel: z.string(),
          creadoEn: Instante,
        }),
      ),
    }),
    etag: etagOfVersion,
    async run(db, { params: { id } }) {
      const { numOrden, cotizacion, escrita, lasPagan } = await found(readCotizacion(db, id));
      return { id, numOrden, cotizacion, folio: escrita.folio, version: escrita.version, pagos: lasPagan };
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/v1/cotizaciones/{id}',
    resumen: 'El folio de la cotización de una orden.',
    alcance: 'cotizaciones',
    acceso: { pantalla: 'cotizaciones', derecho: 'pagos.operar' },
    conVersion: true,
    params: ById,
    body: z.object({ folio: PagoEditado.shape.folio.nullable() }),
    answer: z.object({ id: z.uuid(), version: z.int() }),
    etag: etagOfVersion,
    async commit(trx, { params: { id }, body: { folio }, version, usuario }) {
      const antes = (await found(readCotizacion(trx, id))).escrita;
      await noteCotizacion(trx, { ordenId: id, folio, version }, usuario.id);
      return { id, version: antes.folio === folio ? version : version + 1 };
    },
  }),
  defineListCall({
    path: '/api/v1/conciliacion/depositos',
    resumen: 'Lo que los mercados depositaron en un periodo, y si está todo explicado.',
    ...conciliar,
    list: depositosList,
    fila: Deposito.extend({ ventas: z.int() }),
    totales: { importe: Pesos, sinExplicar: Pesos, diferencia: Pesos },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/conciliacion/depositos/{id}',
    resumen: 'Un depósito: de qué está hecho, por concepto y por venta, y lo que no es de ninguna.',
    ...conciliar,
    params: ById,
    answer: Deposito.extend({
      version: z.int(),
      conceptos: z.array(z.object({ concepto: z.string(), cuantos: z.int(), importe: Pesos })),
      ventas: z.array(z.object({ ordenId: z.uuid(), numOrden: z.string(), importe: Pesos })),
      sinVenta: Pesos.meta({ description: 'Lo que no se reconoce como de ninguna venta.' }),
    }),
    etag: etagOfVersion,
    run: (db, { params: { id } }) => found(readVentasDeDeposito(db, id)),
  }),
  defineListCall({
    path: '/api/v1/conciliacion/ventas',
    resumen: 'Venta por venta: lo que se esperaba recibir y lo que se recibió.',
    ...conciliar,
    list: conciliadasList,
    fila: Conciliada,
    totales: { esperado: Pesos, recibido: Pesos, diferencia: Pesos },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/conciliacion/ventas/{id}',
    resumen: 'Una venta liquidada: lo que se esperaba y lo que se recibió, concepto por concepto.',
    ...conciliar,
    params: ById,
    answer: Conciliada.extend({
      version: z.int(),
      depositoId: z.uuid().nullable(),
      depositadaEn: Instante.nullable(),
      eCobrado: Pesos,
      eComision: Pesos,
      eEnvio: Pesos,
      eRetencion: Pesos,
      rCobrado: Pesos,
      rDevuelto: Pesos,
      rComision: Pesos,
      rEnvio: Pesos,
      rIva: Pesos,
      rIsr: Pesos,
      rRetencion: Pesos,
    }),
    etag: etagOfVersion,
    async run(db, { params: { id } }) {
      return { id, ...(await found(readConciliada(db, id))) };
    },
  }),
  defineListCall({
    path: '/api/v1/conciliacion/porLiberar',
    resumen: 'El dinero de ventas que los mercados tienen y ninguna liquidación trae todavía.',
    ...conciliar,
    list: porLiberarList,
    fila: z.object({
      id: z.uuid(),
      market: z.enum(MARKETS),
      numOrden: z.string(),
      titulo: z.string(),
      fecha: Instante,
      libera: Instante.nullable(),
      atrasada: z.boolean(),
      porLiberar: Pesos,
      estimado: z.boolean(),
    }),
    totales: { porLiberar: Pesos },
  }),
  defineListCall({
    path: '/api/v1/conciliacion/ajustes',
    resumen: 'Lo que movió la utilidad de meses que ya habían cerrado.',
    ...conciliar,
    list: ajustesList,
    fila: z.object({
      id: z.uuid(),
      en: Instante,
      mes: z.string(),
      causa: z.string(),
      antes: Pesos.nullable(),
      despues: Pesos.nullable(),
      diferencia: Pesos,
      ordenId: z.uuid(),
      numOrden: z.string(),
      market: z.enum(MARKETS),
    }),
    totales: { diferencia: Pesos },
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
  ...(
    [
      ['depositos', 'deposito', 'Por qué difiere un depósito, y si ya se reclamó.'],
      ['ventas', 'conciliacion', 'Por qué difiere lo recibido de una venta, y si ya se reclamó.'],
    ] as const
  ).map(([nombre, que, resumen]) =>
    defineFormCall({
      method: 'PUT',
      path: `/api/v1/conciliacion/${nombre}/{id}/motivo`,
      resumen,
      ...anotar,
      conVersion: true,
      form: Anotacion.extend({ reclamado: SiNo.default(false) }),
      de: { id: 'id' },
      answer: ById,
      async commit(trx, { reclamado, ...form }, { usuario }) {
        await note(trx, que, { ...form, ...(reclamado && { reclamado: '1' as const }) }, usuario.id);
        return { id: form.id };
      },
    }),
  ),
  defineCall({
    method: 'GET',
    path: '/api/v1/conciliacion/tolerancia',
    resumen: 'Desde cuánto espera una diferencia a una persona.',
    ...conciliar,
    answer: Tolerancia,
    etag: etagOfVersion,
    run: (db) => readRegla(db),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/conciliacion/tolerancia',
    resumen: 'Cambia desde cuánto espera una diferencia a una persona.',
    ...anotar,
    conVersion: true,
    form: Regla,
    answer: Tolerancia,
    etag: etagOfVersion,
    async commit(trx, form, { usuario }) {
      await saveRegla(trx, form, usuario.id);
      return readRegla(trx);
    },
  }),
];
