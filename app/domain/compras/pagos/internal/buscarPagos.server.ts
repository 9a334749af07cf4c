import { sql } from 'kysely';
import type { Buscador } from '~/platform/search/buscador';

/** Payments to suppliers by their whole folio or tracking key. */
export const buscarPagos: Buscador = {
  clase: 'pagos',
  titulo: 'Pagos a proveedores',
  pantalla: 'pagosProveedores',
  async find(db, { texto, limite }) {
    const found = await db
      .selectFrom('pago')
      .innerJoin('proveedor', 'proveedor.value', 'pago.proveedor')
      .select([
        'pago.id',
        'pago.folio',
        'pago.claveRastreo',
        'pago.creadoEn',
        'proveedor.label',
        sql<number>`(select count(*)::int from pago_orden po where po.pago_id = pago.id)`.as('ordenes'),
      ])
      .where(sql<boolean>`lower(pago.folio) = lower(${texto}) or upper(pago.clave_rastreo) = upper(${texto})`)
      .orderBy('pago.id', 'desc')
      .limit(limite)
      .execute();
    return found.map(({ id, folio, claveRastreo, creadoEn, label, ordenes }) => ({
      id,
      titulo: claveRastreo ? `${folio} · ${claveRastreo}` : folio,
      detalle: `Pago a ${label} · ${ordenes === 1 ? '1 orden' : `${ordenes} ordenes`}`,
      fecha: creadoEn,
      a: `pagosProveedores?ver=${id}`,
    }));
  },
};
