import { sql } from 'kysely';
import type { Buscador } from '~/platform/search/buscador';
import { ESTADO_LABEL } from '../pedido';

/** Pedidos by our whole folio or the supplier's. Parts of these numbers stand in every other number, so they are not searched. */
export const buscarPedidos: Buscador = {
  clase: 'pedidos',
  titulo: 'Pedidos a proveedores',
  pantalla: 'ordenesPorConfirmar',
  async find(db, { texto, limite }) {
    const found = await db
      .selectFrom('pedido')
      .innerJoin('proveedor', 'proveedor.value', 'pedido.proveedor')
      .select([
        'pedido.id',
        'pedido.folio',
        'pedido.folioProveedor',
        'pedido.numOrden',
        'pedido.estado',
        'pedido.creadoEn',
        'proveedor.label',
      ])
      .where(sql<boolean>`lower(pedido.folio) = lower(${texto}) or lower(pedido.folio_proveedor) = lower(${texto})`)
      .orderBy('pedido.id', 'desc')
      .limit(limite)
      .execute();
    return found.map(({ id, folio, folioProveedor, numOrden, estado, creadoEn, label }) => ({
      id,
      titulo: folioProveedor ? `${folio} · ${folioProveedor}` : folio,
      detalle: `${label} · ${ESTADO_LABEL[estado]} · orden ${numOrden}`,
      fecha: creadoEn,
      a: `ordenesPorConfirmar?ver=${id}`,
    }));
  },
};
