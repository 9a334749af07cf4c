import { sql } from 'kysely';
import type { Cola } from '~/platform/hoy/cola';
import { countInSql } from '~/platform/hoy/countCosas.server';
import { HORA, MINUTO } from '~/platform/hoy/reloj';
import { espera } from './espera.server';

/** Ages of a question: the marketplace counts an answer within an hour as in time. */
const PLAZOS = { aviso: 30 * MINUTO, mal: HORA };

/** The queue of questions that wait for an answer. A question whose answer is on its way is left out. */
export const preguntasSinResponder: Cola = {
  clave: 'preguntas',
  titulo: 'Preguntas sin responder',
  clase: 'comprador',
  icono: 'pregunta',
  pantallas: ['responderPreguntas'],
  ver: 'Responder preguntas',
  lote: { lista: 'responderPreguntas', hacer: ['pregunta.responder'] },
  plazos: PLAZOS,
  necesita: 'mensajes',
  mira: (db, mirada) =>
    countInSql(
      db,
      sql`
        select p.id::text as id, left(p.texto, 200) as titulo, coalesce(p.titulo, p.publicacion_id) as detalle, 'responderPreguntas?ver=' || p.id as a, p.fecha as desde,
          null::timestamptz as vence
        from pregunta p where ${espera('p')}`,
      PLAZOS,
      mirada,
    ),
};
