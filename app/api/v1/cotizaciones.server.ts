import { z } from 'zod';
import { MARKETS } from '~/core/market';
import { noteCotizacion, readCotizacion, cotizacionesList } from '~/domain/compras/pagos/cotizaciones.server';
import { PagoEditado } from '~/domain/compras/pagos/forms';
import { defineCall, type Call } from '../call.server';
import { etagOfVersion } from '../etag';
import { defineListCall } from '../list.server';
import { found } from '../problem.server';
import { DiaCivil, Instante, Pesos } from '../wire';
import { ById } from './ordenes.server';

export const cotizaciones: Call[] = [
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
];
