import { sql } from 'kysely';
import { contains } from '~/platform/lists/list.server';
import type { Buscador } from '~/platform/search/buscador';
import { ESTATUS_RECLAMO, tipoDe } from '../reclamo';

/** Finds claims by their number, their order, or their subject. */
export const buscarReclamos: Buscador = {
  clase: 'reclamos',
  titulo: 'Reclamos',
  pantalla: 'reclamos',
  async find(db, { texto, limite }) {
    const numero = /^\d{8,20}$/.test(texto) ? texto : null;
    const found = await db
      .selectFrom('reclamo')
      .select(['id', 'marketId', 'ordenMarketId', 'titulo', 'tipo', 'estatus', 'fecha'])
      .where(
        numero !== null
          ? sql<boolean>`(market_id = ${numero} or orden_market_id = ${numero})`
          : contains('reclamo.busqueda', texto),
      )
      .orderBy('fecha', 'desc')
      .orderBy('id', 'desc')
      .limit(limite)
      .execute();
    return found.map((reclamo) => ({
      id: reclamo.id,
      titulo: `${reclamo.marketId} · ${reclamo.titulo ?? tipoDe(reclamo.tipo)}`,
      detalle: `${ESTATUS_RECLAMO[reclamo.estatus]}${reclamo.ordenMarketId ? ` · orden ${reclamo.ordenMarketId}` : ''}`,
      fecha: reclamo.fecha,
      a: `reclamos?ver=${reclamo.id}&rango=todas&q=${reclamo.marketId}`,
    }));
  },
};
