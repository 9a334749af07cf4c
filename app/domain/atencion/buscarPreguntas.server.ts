import { sql } from 'kysely';
import { MARKETS } from '~/core/market';
import { contains } from '~/domain/lists/list.server';
import type { Buscador } from '~/domain/search/buscador';
import { estatusDePregunta } from './pregunta';

/** Questions by their number, their listing, or what was asked and answered. */
export const buscarPreguntas: Buscador = {
  clase: 'preguntas',
  titulo: 'Preguntas',
  pantalla: 'preguntas',
  async find(db, { texto, entero, limite }) {
    const numero = entero?.clase === 'numero' ? entero.texto : /^\d{8,20}$/.test(texto) ? texto : null;
    const found = await db
      .selectFrom('pregunta')
      .select(['id', 'marketId', 'texto', 'titulo', 'estatus', 'fecha'])
      .where(
        numero !== null
          ? sql<boolean>`market in (${sql.join(MARKETS)}) and market_id = ${numero}`
          : contains('pregunta.busqueda', texto),
      )
      .orderBy('fecha', 'desc')
      .orderBy('id', 'desc')
      .limit(limite)
      .execute();
    return found.map((pregunta) => ({
      id: pregunta.id,
      titulo: pregunta.texto.slice(0, 120),
      detalle: `${estatusDePregunta(pregunta.estatus)} · ${pregunta.titulo ?? pregunta.marketId}`,
      fecha: pregunta.fecha,
      a: `preguntas?ver=${pregunta.id}&rango=todas&q=${pregunta.marketId}`,
    }));
  },
};
