import { sql } from 'kysely';
import { z } from 'zod';
import type { Rango } from '~/core/list';
import { readRango } from '~/core/list';
import { listFields, rangoFields } from '~/core/listFields';
import { diasOfPeriodo } from '~/core/periodo';
import { dayRange } from '~/core/time';
import { contains, defineList, type ExcelColumn } from '~/platform/lists/list.server';
import { productosOfSkus } from '~/domain/compras/catalogo/delArticulo.server';
import { ladosOf } from '~/domain/compras/catalogo/retratos.server';
import type { Db, Trx } from '~db/client.server';
import { espera } from './internal/espera.server';
import { estatusOfPregunta, preguntaUrl } from './pregunta';

const rows = (db: Db | Trx) =>
  db
    .selectFrom('pregunta')
    .select([
      'pregunta.id',
      'pregunta.market',
      'pregunta.marketId',
      'pregunta.publicacionId',
      'pregunta.titulo',
      'pregunta.marca',
      'pregunta.modelo',
      'pregunta.sku',
      'pregunta.enlace',
      'pregunta.compradorId',
      'pregunta.texto',
      'pregunta.estatus',
      'pregunta.respuesta',
      'pregunta.respondidaEn',
      'pregunta.fecha',
    ]);

export type PreguntaRow = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number];

/** Returns what stands beside questions: the picture of the product that the sku of their listing names. */
async function ladosOfPreguntas(db: Db, preguntas: readonly { sku: string | null }[]) {
  const productos = await productosOfSkus(
    db,
    preguntas.map(({ sku }) => sku),
  );
  return ladosOf(
    db,
    preguntas.map(({ sku }) => productos.get(sku ?? '') ?? null),
  );
}

const sufijo = ({ desde, hasta }: Rango) => `${desde} a ${hasta}`;

const COLUMNAS = {
  fecha: { header: 'Fecha', tipo: 'fechaHora', valor: (pregunta) => pregunta.fecha },
  estatus: { header: 'Estatus', tipo: 'texto', ancho: 14, valor: (pregunta) => estatusOfPregunta(pregunta.estatus) },
  publicacion: { header: 'Publicación', tipo: 'texto', ancho: 18, valor: (pregunta) => pregunta.publicacionId },
  titulo: { header: 'Titulo', tipo: 'texto', ancho: 60, valor: (pregunta) => pregunta.titulo },
  sku: { header: 'SKU', tipo: 'texto', ancho: 40, valor: (pregunta) => pregunta.sku },
  pregunta: { header: 'Pregunta', tipo: 'texto', ancho: 80, valor: (pregunta) => pregunta.texto },
  respuesta: { header: 'Respuesta', tipo: 'texto', ancho: 80, valor: (pregunta) => pregunta.respuesta },
  respondida: { header: 'Fecha de la respuesta', tipo: 'fechaHora', valor: (pregunta) => pregunta.respondidaEn },
  link: { header: 'Link', tipo: 'texto', ancho: 50, valor: (pregunta) => preguntaUrl(pregunta) ?? null },
} as const satisfies Record<string, ExcelColumn<PreguntaRow>>;

/** Seconds that an answer took; null while there is none. */
const TARDO = sql<number | null>`extract(epoch from pregunta.respondida_en - pregunta.fecha)`;
const EN_UNA_HORA = sql`pregunta.estatus = 'respondida' and pregunta.respondida_en <= pregunta.fecha + interval '1 hour'`;

/** 'Preguntas': every question of a range. */
export const preguntasList = defineList({
  lista: 'preguntas',
  titulo: 'Preguntas',
  filtro: z
    .object({ ...listFields(['fecha', 'respuesta'], '-fecha'), ...rangoFields })
    .transform((fields) => ({ ...fields, ...readRango(fields) })),
  id: 'pregunta.id',
  idsGrow: true,
  sorts: { fecha: sql.ref('pregunta.fecha'), respuesta: sql`coalesce(${TARDO}, 'infinity'::float8)` },
  rows,
  matches(db, { q, desde, hasta }) {
    const { from, to } = dayRange(desde, hasta);
    return db
      .selectFrom('pregunta')
      .where('pregunta.fecha', '>=', from)
      .where('pregunta.fecha', '<', to)
      .$if(q !== '', (preguntas) => preguntas.where(contains('pregunta.busqueda', q)));
  },
  cuales: {
    pendientes: { nombre: 'Pendientes', donde: sql<boolean>`pregunta.estatus = 'pendiente'` },
    tarde: {
      nombre: 'Respondidas después de una hora',
      donde: sql<boolean>`pregunta.estatus = 'respondida' and not (${EN_UNA_HORA})`,
    },
  },
  alLado: (db, preguntas) => ladosOfPreguntas(db, preguntas),
  totales: (preguntas) =>
    preguntas.select([
      sql<number>`count(*) filter (where pregunta.estatus = 'respondida')`.as('respondidas'),
      sql<number>`count(*) filter (where ${EN_UNA_HORA})`.as('enUnaHora'),
    ]),
  excel: { hoja: 'Preguntas', sufijo, columnas: Object.values(COLUMNAS) },
});

export type ConCuenta = PreguntaRow & { esperan: number };

/** 'Responder preguntas': one row for each listing with questions that wait, under the oldest of them. */
export const responderList = defineList({
  lista: 'responderPreguntas',
  titulo: 'Responder preguntas',
  filtro: z
    .object({ ...listFields(['fecha', 'titulo'], 'fecha'), ...rangoFields })
    // A question that waits longer than a month must not be overlooked, so the range does not hide it.
    .transform((fields) => ({ ...fields, ...readRango(fields, diasOfPeriodo('ultimos91')) })),
  id: 'pregunta.id',
  idsGrow: true,
  sorts: { fecha: sql.ref('pregunta.fecha'), titulo: sql`${sql.ref('pregunta.titulo')} collate "C"` },
  rows: (db) =>
    rows(db).select(
      sql<number>`(select count(*)::int from pregunta p where p.publicacion_id = pregunta.publicacion_id and p.market = pregunta.market and ${espera('p')})`.as(
        'esperan',
      ),
    ),
  matches(db, { q, desde, hasta }) {
    const { from, to } = dayRange(desde, hasta);
    return db
      .selectFrom('pregunta')
      .where(espera('pregunta'))
      .where('pregunta.fecha', '>=', from)
      .where('pregunta.fecha', '<', to)
      .where(
        sql<boolean>`not exists (select from pregunta p where p.publicacion_id = pregunta.publicacion_id and p.market = pregunta.market and ${espera('p')}
          and p.fecha >= ${from} and (p.fecha, p.id) < (pregunta.fecha, pregunta.id))`,
      )
      .$if(q !== '', (preguntas) =>
        preguntas.where(
          sql<boolean>`exists (select from pregunta p where p.publicacion_id = pregunta.publicacion_id and p.market = pregunta.market and ${espera('p')}
            and ${contains('p.busqueda', q)})`,
        ),
      );
  },
  alLado: (db, preguntas) => ladosOfPreguntas(db, preguntas),
  totales: (preguntas) =>
    preguntas.select(
      sql<number>`coalesce(sum((select count(*) from pregunta p where p.publicacion_id = pregunta.publicacion_id and p.market = pregunta.market and ${espera('p')})), 0)::int`.as(
        'esperan',
      ),
    ),
  excel: {
    hoja: 'Responder preguntas',
    sufijo,
    columnas: [
      COLUMNAS.fecha,
      COLUMNAS.publicacion,
      COLUMNAS.titulo,
      COLUMNAS.sku,
      { header: 'Preguntas', tipo: 'numero', ancho: 10, valor: (pregunta: ConCuenta) => pregunta.esperan },
      COLUMNAS.pregunta,
      COLUMNAS.link,
    ],
  },
});

/** Returns a question with the version that an answer has to name; undefined when no question has that id. */
export const readPregunta = (db: Db | Trx, id: string) =>
  rows(db).select('pregunta.version').where('pregunta.id', '=', id).executeTakeFirst();

/** Returns the questions that wait at these listings, the oldest first. */
export const pendientesOf = (db: Db | Trx, publicacionIds: readonly string[]) =>
  rows(db)
    .where('pregunta.publicacionId', '=', sql<string>`any(${publicacionIds}::text[])`)
    .where(espera('pregunta'))
    .orderBy('pregunta.fecha')
    .orderBy('pregunta.id')
    .execute();

/** Returns a question by its number at the marketplace, with its version. */
export const findPregunta = (db: Db | Trx, marketId: string) =>
  rows(db).select('pregunta.version').where('pregunta.marketId', '=', marketId).limit(1).executeTakeFirst();
