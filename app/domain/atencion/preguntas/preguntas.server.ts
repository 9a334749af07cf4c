import { sql } from 'kysely';
import type { Atencion, PreguntaLeida, PublicacionLeida } from '~/domain/mercados/atencion';
import type { Market } from '~/core/market';
import { Refused } from '~/integrations/errors';
import type { Db, Trx } from '~db/client.server';

/** Days after which the name of a listing is asked again. */
const NOMBRE_DIAS = 7;

/**
 * Writes questions as they were read at `leidaEn`. A question that another process read later is left alone, and an answered question never waits again.
 * Returns how many questions are new or changed.
 */
export async function savePreguntas(
  trx: Trx | Db,
  market: Market,
  leidas: readonly PreguntaLeida[],
  { leidaEn, publicaciones }: { leidaEn: Date; publicaciones: ReadonlyMap<string, PublicacionLeida> },
): Promise<number> {
  // A page that moves while it is read may hold a question twice, and one statement cannot write a row twice.
  const unicas = [...new Map(leidas.map((leida) => [leida.marketId, leida])).values()];
  if (unicas.length === 0) return 0;
  const rows = unicas.map((leida) => ({
    market,
    marketId: leida.marketId,
    publicacionId: leida.publicacionId,
    ...(publicaciones.get(leida.publicacionId) ?? SIN_NOMBRE),
    compradorId: leida.compradorId,
    texto: leida.texto,
    estatus: leida.estatus,
    retenida: leida.retenida,
    respuesta: leida.respuesta?.texto ?? null,
    respondidaEn: leida.respuesta?.fecha ?? null,
    fecha: leida.fecha,
    leidaEn,
    datos: JSON.stringify(leida.documento),
  }));
  const written = await trx
    .insertInto('pregunta')
    .values(rows)
    .onConflict((on) =>
      on
        .columns(['market', 'marketId'])
        .doUpdateSet({
          titulo: sql`coalesce(excluded.titulo, pregunta.titulo)`,
          marca: sql`coalesce(excluded.marca, pregunta.marca)`,
          modelo: sql`coalesce(excluded.modelo, pregunta.modelo)`,
          sku: sql`coalesce(excluded.sku, pregunta.sku)`,
          enlace: sql`coalesce(excluded.enlace, pregunta.enlace)`,
          compradorId: sql`coalesce(excluded.comprador_id, pregunta.comprador_id)`,
          // The marketplace empties the text of a question that it takes away; people may still have to know what was asked.
          texto: sql`coalesce(nullif(excluded.texto, ''), pregunta.texto)`,
          estatus: sql`excluded.estatus`,
          retenida: sql`excluded.retenida`,
          respuesta: sql`coalesce(nullif(excluded.respuesta, ''), pregunta.respuesta)`,
          respondidaEn: sql`coalesce(excluded.respondida_en, pregunta.respondida_en)`,
          leidaEn: sql`excluded.leida_en`,
          datos: sql`excluded.datos`,
          version: sql`pregunta.version + (case when ${CAMBIA} then 1 else 0 end)`,
        })
        .where(
          sql<boolean>`excluded.leida_en >= pregunta.leida_en and not (pregunta.estatus = 'respondida' and excluded.estatus = 'pendiente')`,
        ),
    )
    .returning('id')
    .execute();
  return written.length;
}

/** Condition of a change that people have to have seen before they decide. */
const CAMBIA = sql`(pregunta.estatus, pregunta.retenida, pregunta.respuesta) is distinct from (excluded.estatus, excluded.retenida, coalesce(nullif(excluded.respuesta, ''), pregunta.respuesta))`;

const SIN_NOMBRE: PublicacionLeida = { titulo: null, marca: null, modelo: null, sku: null, enlace: null };

/** Returns the listings of these questions, each asked at most once a week. A listing that cannot be read holds no question back. */
export async function nombresOf(
  db: Db,
  market: Market,
  atencion: Pick<Atencion, 'readPublicacion'>,
  leidas: readonly PreguntaLeida[],
): Promise<Map<string, PublicacionLeida>> {
  const ids = [...new Set(leidas.map(({ publicacionId }) => publicacionId))];
  if (ids.length === 0) return new Map();
  const known = await db
    .selectFrom('pregunta')
    .distinctOn('publicacionId')
    .select(['publicacionId', 'titulo', 'marca', 'modelo', 'sku', 'enlace'])
    .where('market', '=', market)
    .where('publicacionId', 'in', ids)
    .where('titulo', 'is not', null)
    .where('leidaEn', '>', sql<Date>`now() - make_interval(days => ${NOMBRE_DIAS})`)
    .orderBy('publicacionId')
    .orderBy('leidaEn', 'desc')
    .execute();
  const nombres = new Map(known.map(({ publicacionId, ...publicacion }) => [publicacionId, publicacion]));
  for (const id of ids) {
    if (nombres.has(id)) continue;
    const read = await atencion.readPublicacion(id).catch(() => null);
    if (read) nombres.set(id, read);
  }
  return nombres;
}

/**
 * Reads one question and writes it. A question that we know and the marketplace no longer has was deleted. For a question that nobody knows yet, Refused
 * (404) is thrown, since it may only be late.
 */
export async function bringPregunta(db: Db, market: Market, atencion: Atencion, marketId: string): Promise<void> {
  const leidaEn = new Date();
  let leida: PreguntaLeida;
  try {
    leida = await atencion.readPregunta(marketId);
  } catch (error) {
    if (
      error instanceof Refused &&
      error.details.status === 404 &&
      (await borrarPregunta(db, market, marketId, leidaEn))
    )
      return;
    throw error;
  }
  const publicaciones = await nombresOf(db, market, atencion, [leida]);
  await savePreguntas(db, market, [leida], { leidaEn, publicaciones });
}

/** Returns the numbers of at most `limite` questions that waited for an answer when they were last read, before this moment. */
export async function waitedBefore(db: Db, market: Market, leidaEn: Date, limite: number): Promise<string[]> {
  const rows = await db
    .selectFrom('pregunta')
    .select('marketId')
    .where('market', '=', market)
    .where('estatus', '=', 'pendiente')
    .where('leidaEn', '<', leidaEn)
    .orderBy('leidaEn')
    .limit(limite)
    .execute();
  return rows.map(({ marketId }) => marketId);
}

/** Marks a question that the marketplace no longer has. Returns whether we knew the question. */
async function borrarPregunta(db: Db, market: Market, marketId: string, leidaEn: Date): Promise<boolean> {
  const known = await db
    .updateTable('pregunta')
    .set({
      estatus: sql`case when estatus = 'pendiente' then 'borrada' else estatus end`,
      version: sql`version + (case when estatus = 'pendiente' then 1 else 0 end)`,
      leidaEn,
    })
    .where('market', '=', market)
    .where('marketId', '=', marketId)
    .returning('id')
    .executeTakeFirst();
  return known !== undefined;
}

/** Returns a question as it was read last; undefined when no question has that id. */
export function readPregunta(db: Db, id: string) {
  return db
    .selectFrom('pregunta')
    .where('id', '=', id)
    .select(['id', 'market', 'marketId', 'publicacionId', 'titulo', 'sku', 'enlace', 'texto', 'estatus', 'respuesta'])
    .select(['fecha', 'version'])
    .executeTakeFirst();
}
