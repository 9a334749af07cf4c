import { sql } from 'kysely';
import { z } from 'zod';
import type { Market } from '~/core/market';
import { readRechazo } from '~/platform/effects/rechazos.server';
import { livingAbout } from '~/platform/effects/subjects.server';
import type { Db } from '~db/client.server';
import { readCliente } from './comprador.server';
import { compradoresOf, respondidasDe } from './internal/otrasPreguntas.server';
import { productoOf, variablesOf } from './internal/variables.server';
import { listPlantillas } from './plantillas.server';
import { respuestas, unsentOf } from './responderPregunta.server';

/** Most questions of one listing that a panel shows. */
const MOST = 50;
const SUGERENCIAS = 3;
/** Likeness below which a question is another one. */
const PARECIDA = 0.2;

/**
 * Returns earlier answers to similar questions of the same listing, then of other listings of its product, each group by likeness and of two alike the newest.
 * An answer about another product would be no answer. Words decide and not their order, so both ways of comparing are asked.
 */
export async function sugerenciasOf(
  db: Db,
  { market, publicacionId, texto, id }: { market: Market; publicacionId: string; texto: string; id: string },
): Promise<string[]> {
  const { rows } = await sql<{ respuesta: string }>`
    with del_producto as (
      select hermana.clave from publicacion una join publicacion hermana on hermana.producto_id = una.producto_id and hermana.market = una.market
      where una.market = ${market} and una.clave = ${publicacionId} and hermana.clave <> ${publicacionId}
    )
    select respuesta from (
      select respuesta, bool_or(publicacion_id = ${publicacionId}) as propia, max(respondida_en) as ultima,
        max(greatest(similarity(norma, f_norm(${texto})), word_similarity(norma, f_norm(${texto})))) as parecida
      from pregunta
      where market = ${market} and publicacion_id = any(array(select clave from del_producto) || ${publicacionId}::text)
        and estatus = 'respondida' and respuesta <> '' and id <> ${id}
      group by respuesta
    ) dadas where parecida >= ${PARECIDA} order by propia desc, parecida desc, ultima desc nulls last limit ${SUGERENCIAS}`.execute(
    db,
  );
  return rows.map(({ respuesta }) => respuesta);
}

/**
 * Returns a question as its panel shows it, alone or with all that wait of its listing (`todas`): earlier answers to similar questions, the templates
 * filled for this listing, the state of the listing, the supplier of its product, what else each buyer asked and bought, what else the listing was asked, and
 * the buyer (`cliente`). Undefined when no question has that id.
 */
export async function openPregunta(db: Db, id: string, { todas, cliente }: { todas: boolean; cliente: string | null }) {
  if (!z.uuid().safeParse(id).success) return undefined;
  const cabeza = await db.selectFrom('pregunta').selectAll().where('id', '=', id).executeTakeFirst();
  if (!cabeza) return undefined;
  const { market, marketId, publicacionId, titulo, marca, modelo, sku, enlace, fecha } = cabeza;
  const [filas, producto, plantillas, publicacion] = await Promise.all([
    db
      .selectFrom('pregunta')
      .leftJoin('usuario', 'usuario.id', 'pregunta.respondidaPor')
      .select([
        'pregunta.id',
        'marketId',
        'texto',
        'estatus',
        'retenida',
        'respuesta',
        'respondidaEn',
        'fecha',
        'compradorId',
        'pregunta.version',
        'usuario.nombre as respondio',
      ])
      .where('market', '=', market)
      .where((eb) =>
        todas
          ? eb.and([
              eb('publicacionId', '=', publicacionId),
              eb.or([eb('estatus', '=', 'pendiente'), eb('pregunta.id', '=', id)]),
            ])
          : eb('pregunta.id', '=', id),
      )
      .orderBy('fecha')
      .orderBy('pregunta.id')
      .limit(MOST)
      .execute(),
    productoOf(db, sku),
    listPlantillas(db),
    db
      .selectFrom('publicacion')
      .select(['id', 'titulo', 'precio', 'stock', 'estatus', 'link'])
      .where('market', '=', market)
      .where('clave', '=', publicacionId)
      .executeTakeFirst(),
  ]);
  const effect = respuestas.of(market);
  const [compradores, respondidas, preguntas] = await Promise.all([
    compradoresOf(db, market, filas),
    respondidasDe(db, market, publicacionId, filas),
    Promise.all(
      filas.map(async (fila) => {
        const espera = fila.estatus === 'pendiente';
        const [[viva], noSalio, rechazo, sugerencias] = await Promise.all([
          espera && effect ? livingAbout(db, ['pregunta', fila.id], effect) : [],
          unsentOf(db, market, fila.id),
          espera ? readRechazo(db, ['pregunta', fila.id]) : null,
          espera ? sugerenciasOf(db, { market, publicacionId, texto: fila.texto, id: fila.id }) : [],
        ]);
        return {
          ...fila,
          enCamino: viva ? { id: viva.id, texto: viva.request.texto, detenible: viva.state === 'queued' } : null,
          noSalio,
          rechazo,
          sugerencias,
        };
      }),
    ),
  ]);
  const quien = cliente === null ? null : preguntas.find((pregunta) => pregunta.id === cliente);
  return {
    id,
    market,
    marketId,
    publicacionId,
    titulo: titulo ?? publicacion?.titulo ?? null,
    marca,
    modelo,
    sku,
    enlace: enlace ?? publicacion?.link ?? null,
    fecha,
    producto,
    publicacion: publicacion ?? null,
    preguntas,
    /** What stands beside the questions. A change of it is no change of them. */
    alLado: { compradores: Object.fromEntries(compradores), respondidas },
    plantillas,
    variables: variablesOf(cabeza, producto),
    cliente: quien?.compradorId ? { pregunta: quien.id, ...(await readCliente(db, market, quien.compradorId)) } : null,
    ahora: new Date(),
  };
}
