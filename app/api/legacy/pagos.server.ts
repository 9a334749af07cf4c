import { z } from 'zod';
import type { Rol } from '~/access/screens';
import { readDay } from '~/core/time';
import { NotAllowed } from '~/core/errors';
import { ordenConTodo } from '~/domain/ventas/ordenes/ordenesConTodo.server';
import { pagosOfOrden, linkPagos } from '~/domain/compras/pagos/pagos.server';
import { savePagos } from '~/domain/compras/pagos/savePagos.server';
import { pagosList } from '~/domain/compras/pagos/listPagos.server';
import { GUARDADO, SIN_ARCHIVO } from '~/domain/compras/pagos/pago';
import { PagosDeOrden } from '~/domain/compras/pagos/forms';
import type { Db, Trx } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { formOf } from '../form.server';
import { gather } from '../gather.server';
import { found } from '../problem.server';
import { Consulta } from './consulta';
import { Orden, ordenOf } from './ordenes.server';
import { Hecho, hecho, Instante } from './shapes';

const alcance = 'pagos';
const acceso = { pantalla: 'pagosProveedores' } as const;
const operar = { pantalla: 'pagosProveedores', derecho: 'pagos.operar' } as const;

/** One row for each paper of a payment, as the old client puts them on tabs by their type; one that has none stands once. */
const Pago = z.object({
  _id: z.uuid(),
  folio: z.string(),
  proveedor: z.string(),
  file: z
    .object({ mimetype: z.string(), nombre: z.string(), url: z.string() })
    .nullable()
    .meta({ description: 'url: de dónde se descarga, con el mismo token.' }),
  usuario: z.object({ user: z.string().nullable() }),
  dateCreate: Instante,
});

type Pagado = Omit<z.output<typeof Pago>, 'dateCreate'> & { dateCreate: Date };

async function pagosOf(db: Db | Trx, ordenId: string): Promise<Pagado[]> {
  const pagos = await pagosOfOrden(db, ordenId);
  return pagos.flatMap(({ id, folio, proveedor, creadoEn, usuario, archivos }) => {
    const pago = { _id: id, folio, proveedor, usuario: { user: usuario }, dateCreate: creadoEn };
    const files = archivos.map(({ tipo, nombre, archivoId }) => ({
      mimetype: tipo,
      nombre,
      url: `/api/v1/pagos/${id}/archivos/${archivoId}`,
    }));
    return (files.length === 0 ? [null] : files).map((file) => ({ ...pago, file }));
  });
}

const OrdenConPagos = Orden.extend({
  proveedorPagos: z.array(Pago).optional().meta({ description: 'Solo para quien ve los pagos a proveedores.' }),
});

async function ordenConPagos(db: Db | Trx, id: string, { rol }: { rol: Rol }) {
  const { proveedorPagos, ...orden } = ordenOf(await found(ordenConTodo(db, id)), { rol });
  return { ...orden, ...(proveedorPagos && { proveedorPagos: await pagosOf(db, id) }) };
}

export const pagosAnteriores: Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/orden/{id}',
    resumen: 'Una orden, con sus pagos a proveedores.',
    alcance: 'ordenes',
    acceso: { pantalla: 'ordenes' },
    params: z.object({ id: z.uuid() }),
    answer: OrdenConPagos,
    run: (db, { params: { id }, usuario }) => ordenConPagos(db, id, usuario),
  }),
  defineCall({
    method: 'GET',
    path: '/api/proveedorPagos',
    resumen: 'Los pagos a proveedores de un rango.',
    alcance,
    acceso,
    query: z.object({ query: Consulta.optional() }),
    answer: z.array(Pago.pick({ _id: true, folio: true, proveedor: true, usuario: true, dateCreate: true })),
    async run(db, { query: { query }, usuario }) {
      const { $gte, $lte } = query?.dateCreated ?? query?.search?.dateCreated ?? {};
      const days = {
        ...($gte !== undefined && { desde: readDay($gte)! }),
        ...($lte !== undefined && { hasta: readDay($lte)! }),
      };
      return (await gather(db, pagosList, days, usuario)).map(({ id, folio, proveedor, creadoEn, usuario: user }) => ({
        _id: id,
        folio,
        proveedor,
        usuario: { user },
        dateCreate: creadoEn,
      }));
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/proveedorPagos/{folio}/{orderId}/{supplierCode}',
    resumen: 'Guarda el comprobante de un pago a un proveedor, y de qué orden es.',
    alcance,
    acceso: operar,
    params: z.object({ folio: z.string().min(1).max(60), orderId: z.uuid(), supplierCode: z.string().min(1).max(20) }),
    recibe: { campo: 'file', varios: true },
    answer: z.object({ orden: OrdenConPagos, pago: Pago, mensaje: z.string() }),
    async run(db, { params: { folio, orderId, supplierCode }, archivos, usuario }) {
      if (archivos.length === 0) throw new NotAllowed('Error de carga.', SIN_ARCHIVO, { campo: 'file' });
      const form = formOf(PagosDeOrden, { ordenId: orderId, proveedor: supplierCode, folios: [folio], archivos });
      await savePagos(db, form, usuario.id);
      const pagos = await pagosOf(db, orderId);
      const pago = pagos.find((one) => one.folio.toLowerCase() === form.folios[0]?.toLowerCase());
      return {
        orden: await ordenConPagos(db, orderId, usuario),
        pago: await found(Promise.resolve(pago)),
        mensaje: GUARDADO,
      };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/ordenes/proveedorPagos',
    resumen: 'Liga a una orden pagos que ya existen.',
    alcance,
    acceso: operar,
    body: z.object({ proveedorPagos: z.array(z.uuid()).min(1).max(100), orden: z.uuid() }),
    answer: Hecho,
    async commit(trx, { body: { orden: ordenId, proveedorPagos: pagos }, usuario }) {
      await linkPagos(trx, { ordenId, pagos }, usuario.id);
      return hecho('Orden actualizada de forma correcta');
    },
  }),
];
