import { sql } from 'kysely';
import { MARKETS } from '~/core/market';
import { contains } from '~/platform/lists/list.server';
import type { Buscador, Busqueda, Hallazgo } from '~/platform/search/buscador';
import type { Db } from '~db/client.server';
import { estatusOfPregunta } from '../pregunta';

async function matching(db: Db, { texto, entero, limite }: Busqueda, pendientes: boolean) {
  const numero = entero?.clase === 'numero' ? entero.texto : /^\d{8,20}$/.test(texto) ? texto : null;
  return await db
    .selectFrom('pregunta')
    .select(['id', 'marketId', 'texto', 'titulo', 'estatus', 'fecha'])
    .where(
      numero !== null
        ? sql<boolean>`market in (${sql.join(MARKETS)}) and market_id = ${numero}`
        : contains('pregunta.busqueda', texto),
    )
    .$if(pendientes, (preguntas) => preguntas.where('estatus', '=', sql.lit('pendiente')))
    .orderBy('fecha', 'desc')
    .orderBy('id', 'desc')
    .limit(limite)
    .execute();
}
type Encontrada = Awaited<ReturnType<typeof matching>>[number];

const hallazgo = ({ id, marketId, texto, titulo, estatus, fecha }: Encontrada, a: string): Hallazgo => ({
  id,
  titulo: texto.slice(0, 120),
  detalle: `${estatusOfPregunta(estatus)} · ${titulo ?? marketId}`,
  fecha,
  a,
});

/** Finds questions by their number, their listing, or their texts. */
export const buscarPreguntas: Buscador = {
  clase: 'preguntas',
  titulo: 'Preguntas',
  pantalla: 'preguntas',
  find: async (db, busqueda) =>
    (await matching(db, busqueda, false)).map((pregunta) =>
      hallazgo(pregunta, `preguntas?ver=${pregunta.id}&rango=todas&q=${pregunta.marketId}`),
    ),
};

/** Finds the questions that wait, on the screen where they are answered. Who answers may not read all the others. */
export const buscarPorResponder: Buscador = {
  clase: 'preguntasPorResponder',
  titulo: 'Preguntas por responder',
  pantalla: 'responderPreguntas',
  find: async (db, busqueda) =>
    (await matching(db, busqueda, true)).map((pregunta) => hallazgo(pregunta, `responderPreguntas?ver=${pregunta.id}`)),
};
