import { z } from 'zod';
import { Texto, Version } from '~/core/fields';
import { Monto } from '~/domain/compras/facturas/forms';
import { proveedorFacturasList } from '~/domain/compras/facturas/lists.server';
import {
  createProveedorFactura,
  deleteProveedorFactura,
  readProveedorFactura,
  updateProveedorFactura,
} from '~/domain/compras/facturas/proveedorFacturas.server';
import { pedidosOfOrden } from '~/domain/compras/pedidos/readPedidos.server';
import { readOrden } from '~/domain/ventas/ordenes/detalleOrden.server';
import { defineCall, type Call } from '../call.server';
import { gather } from '../gather.server';
import { found } from '../problem.server';
import { diasOf, Hecho, hecho, Id, Instante, Numero, numero, Rango, shapeOf } from './shapes';

/** An amount as a number or as people write it. */
const MontoEscrito = z.union([z.number().transform(String), z.string()]).pipe(Monto);

type FacturaDeProveedor = {
  id: string;
  fechaCreacion: Date;
  /** The code of one that was read alone, the label of one of a list, which has its code beside it. */
  proveedor: string;
  proveedorValue?: string;
  proveedorLabel?: string;
  folio: string;
  monto: Parameters<typeof numero>[0];
  nombre: string | null;
  apellidos: string | null;
  numOrden: string;
};
const factura = shapeOf<FacturaDeProveedor>()({
  _id: [z.uuid(), 'id'],
  fechaCreacion: [Instante, 'fechaCreacion'],
  proveedor: [
    z.string().meta({ description: 'El código, como se manda.' }),
    ({ proveedorValue, proveedor }) => proveedorValue ?? proveedor,
  ],
  proveedorLabel: [z.string(), ({ proveedorLabel, proveedor }) => proveedorLabel ?? proveedor],
  folio: [z.string(), 'folio'],
  monto: [Numero, ({ monto }) => numero(monto) ?? 0],
  usuario: [
    z.object({ nombre: z.string().nullable(), apellidos: z.string().nullable() }),
    ({ nombre, apellidos }) => ({ nombre, apellidos }),
  ],
  orden: [z.string(), 'numOrden'],
});

export const proveedorFacturasAnteriores: Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/proveedorFacturas/{from}/{to}',
    resumen: 'Las facturas de proveedores de un rango.',
    alcance: 'proveedor-facturas',
    acceso: { pantalla: 'facturasProveedores' },
    params: Rango,
    answer: z.array(factura.wire),
    run: async (db, { params, usuario }) =>
      (await gather(db, proveedorFacturasList, diasOf(params), usuario)).map(factura.of),
  }),
  defineCall({
    method: 'POST',
    path: '/api/proveedorFactura',
    resumen: 'Agrega una factura de proveedor a una orden.',
    alcance: 'proveedor-facturas',
    acceso: { derecho: 'proveedorFacturas.agregar' },
    body: z.object({ folio: Texto(60), monto: MontoEscrito, proveedor: Texto(20), orden: z.uuid() }),
    answer: factura.wire,
    async commit(trx, { body: { orden: ordenId, ...datos }, usuario }) {
      const { id } = await createProveedorFactura(trx, { ...datos, ordenId }, usuario.id);
      return factura.of(await found(readProveedorFactura(trx, id)));
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/proveedorFactura',
    resumen: 'Cambia una factura de proveedor.',
    alcance: 'proveedor-facturas',
    acceso: { derecho: 'proveedorFacturas.editar' },
    body: z.object({
      _id: z.uuid(),
      folio: Texto(60),
      monto: MontoEscrito,
      proveedor: Texto(20),
      version: Version.optional(),
    }),
    answer: factura.wire,
    async commit(trx, { body: { _id: id, version, ...datos }, usuario }) {
      const before = await found(readProveedorFactura(trx, id));
      await updateProveedorFactura(trx, { ...datos, id, version: version ?? before.version }, usuario.id);
      return factura.of(await found(readProveedorFactura(trx, id)));
    },
  }),
  defineCall({
    method: 'DELETE',
    path: '/api/proveedorFactura/{id}',
    resumen: 'Elimina una factura de proveedor.',
    alcance: 'proveedor-facturas',
    acceso: { derecho: 'proveedorFacturas.editar' },
    params: Id,
    answer: Hecho,
    async commit(trx, { params: { id }, usuario }) {
      const { version } = await found(readProveedorFactura(trx, id));
      await deleteProveedorFactura(trx, { id, version }, usuario.id);
      return hecho('Se elimino la factura correctamente.');
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/syscom/factura/{id}',
    resumen: 'Lo que Syscom facturó de una orden, según sus pedidos.',
    alcance: 'pedidos',
    acceso: { pantalla: 'ordenesPorConfirmar' },
    params: Id,
    answer: z.array(
      z.object({ pedido: z.string(), folio: z.string(), monto: Numero.nullable(), moneda: z.string().nullable() }),
    ),
    async run(db, { params: { id } }) {
      const { pedidos } = await pedidosOfOrden(db, await found(readOrden(db, id)));
      return pedidos.flatMap(({ proveedor, folio, facturaFolio, facturaTotal, facturaMoneda }) =>
        proveedor === 'syscom' && facturaFolio !== null
          ? [{ pedido: folio, folio: facturaFolio, monto: numero(facturaTotal), moneda: facturaMoneda }]
          : [],
      );
    },
  }),
];
