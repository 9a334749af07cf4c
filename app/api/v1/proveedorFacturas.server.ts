import { z } from 'zod';
import { MARKETS } from '~/core/market';
import { noteFacturado } from '~/domain/compras/pedidos/pedidos.server';
import { applyReparto, discardCfdi, listCfdisPendientes, receiveCfdis } from '~/domain/compras/facturas/cfdis.server';
import { CfdiVisto, Monto, Reparto } from '~/domain/compras/facturas/forms';
import { proveedorFacturasList } from '~/domain/compras/facturas/lists.server';
import {
  createProveedorFactura,
  deleteProveedorFactura,
  readProveedorFactura,
  updateProveedorFactura,
} from '~/domain/compras/facturas/proveedorFacturas.server';
import { Texto } from '~/core/fields';
import { XmlSubido } from '~/platform/files/xmlSubido';
import { subidosOf } from '~/platform/files/xmlSubidos.server';
import { defineCall, type Call } from '../call.server';
import { etagOfVersion } from '../etag';
import { defineFormCall } from '../form.server';
import { defineListCall } from '../list.server';
import { found } from '../problem.server';
import { Instante, Pesos } from '../wire';
import { ById } from './ordenes.server';

const FacturaFila = z.object({
  id: z.uuid(),
  fechaCreacion: Instante,
  folio: z.string(),
  monto: Pesos,
  version: z.int(),
  proveedor: z.string().meta({ description: 'La clave del proveedor.' }),
  proveedorLabel: z.string(),
  numOrden: z.string(),
  market: z.enum(MARKETS),
  nombre: z.string().nullable(),
  apellidos: z.string().nullable(),
});
const agregarXml = { alcance: 'proveedor-facturas', acceso: { derecho: 'proveedorFacturas.agregar' } } as const;
/** A supplier's CFDI that is not divided yet, with the marks that its division takes back. */
const Cfdi = z.object({
  id: z.uuid(),
  uuid: z.string(),
  folio: z.string().nullable(),
  proveedor: z.string().nullable(),
  total: Pesos,
  restante: Pesos,
  ilegible: z.boolean(),
  visto: z.object({ huella: z.string(), mostrado: z.string() }),
});
const datos = { proveedor: Texto(20), folio: Texto(60), monto: Monto };
const Editada = z.object(datos);

/** Suppliers' invoices of sales, typed or read from a CFDI. */
export const proveedorFacturas: Call[] = [
  defineListCall({
    path: '/api/v1/proveedor-facturas',
    resumen: 'Las facturas de proveedores de un periodo.',
    alcance: 'proveedor-facturas',
    acceso: { pantalla: 'facturasProveedores' },
    list: proveedorFacturasList,
    fila: FacturaFila,
    totales: { monto: Pesos },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/proveedor-facturas/{id}',
    resumen: 'Una factura de proveedor.',
    alcance: 'proveedor-facturas',
    acceso: { pantalla: 'facturasProveedores' },
    params: ById,
    answer: FacturaFila,
    etag: etagOfVersion,
    run: (db, { params: { id } }) => found(readProveedorFactura(db, id)),
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/proveedor-facturas',
    resumen: 'Agrega una factura de proveedor a una orden.',
    alcance: 'proveedor-facturas',
    acceso: { derecho: 'proveedorFacturas.agregar' },
    status: 201,
    body: z.object({ ...datos, ordenId: z.uuid() }),
    answer: FacturaFila,
    async commit(trx, { body, usuario }) {
      const { id } = await createProveedorFactura(trx, body, usuario.id);
      return found(readProveedorFactura(trx, id));
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/v1/proveedor-facturas/{id}',
    resumen: 'Cambia una factura de proveedor.',
    alcance: 'proveedor-facturas',
    acceso: { derecho: 'proveedorFacturas.editar' },
    conVersion: true,
    params: ById,
    body: Editada,
    answer: FacturaFila,
    etag: etagOfVersion,
    async commit(trx, { params: { id }, body, version, usuario }) {
      await updateProveedorFactura(trx, { ...body, id, version }, usuario.id);
      return found(readProveedorFactura(trx, id));
    },
  }),
  defineCall({
    method: 'DELETE',
    path: '/api/v1/proveedor-facturas/{id}',
    resumen: 'Elimina una factura de proveedor.',
    alcance: 'proveedor-facturas',
    acceso: { derecho: 'proveedorFacturas.editar' },
    conVersion: true,
    params: ById,
    answer: ById,
    async commit(trx, { params: { id }, version, usuario }) {
      await deleteProveedorFactura(trx, { id, version }, usuario.id);
      return { id };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/proveedor-facturas/xml',
    resumen: 'Los CFDI de proveedores que faltan por repartir.',
    ...agregarXml,
    answer: z.array(Cfdi),
    run: (db) => listCfdisPendientes(db) as never,
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/proveedor-facturas/xml',
    resumen:
      'Recibe facturas, notas de crédito y complementos de pago de proveedores en XML. Lo que no se pudo leer se dice uno por uno.',
    ...agregarXml,
    status: 201,
    recibe: { campo: 'xml', varios: true },
    form: XmlSubido,
    answer: z.object({
      leidos: z.array(z.uuid()).meta({ description: 'Todos los que se leyeron.' }),
      facturas: z.array(z.uuid()),
      notas: z.array(z.uuid()),
      complementos: z.array(z.uuid()),
      rechazados: z.array(z.object({ nombre: z.string(), motivo: z.string() })),
    }),
    commit: async (trx, { xml }, { usuario }) => receiveCfdis(trx, await subidosOf(xml), usuario.id),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/proveedor-facturas/xml/{id}/reparto',
    resumen: 'Reparte un CFDI entre órdenes, por sus números.',
    ...agregarXml,
    form: Reparto,
    de: { cfdi: 'id' },
    answer: z.object({ ordenes: z.int() }),
    async commit(trx, form, { usuario }) {
      const ordenes = await applyReparto(trx, form, usuario.id, { rfc: true });
      await noteFacturado(trx, form, usuario.id);
      return { ordenes };
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/proveedor-facturas/xml/{id}/descarte',
    resumen: 'Descarta un CFDI que no se va a repartir.',
    ...agregarXml,
    form: CfdiVisto,
    de: { cfdi: 'id' },
    answer: ById,
    async commit(trx, form, { usuario }) {
      await discardCfdi(trx, form, usuario.id);
      return { id: form.cfdi };
    },
  }),
];
