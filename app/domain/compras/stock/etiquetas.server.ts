import { sql } from 'kysely';
import { z } from 'zod';
import { NotAllowed } from '~/core/errors';
import { civilDay } from '~/core/time';
import type { Db, Trx } from '~db/client.server';
import type { Etiqueta } from './drawEtiquetas.server';
import { parseCodigo, nombreOfPieza } from './pieza';
import { findEscaneado } from './readPiezas.server';
import type { EtiquetasNuevas } from './forms';

/** Labels that are printed at once. */
export const MAX_ETIQUETAS = 2_000;
/** Runs of blank labels that the screen lists. */
const TIRADAS = 20;

/**
 * Pieces whose labels are wanted: chosen one by one, made by one press of 'Crear devolución', or chosen in a list. `tirada` is a run of blank labels,
 * which belong to no piece.
 */
export type Cuales =
  { piezas: readonly string[] } | { alta: string } | { lote: string; usuarioId: string } | { tirada: string };

/** Returns the labels to print, in the order of their folios; empty when an id is not well formed. */
export async function etiquetasOf(db: Db, cuales: Cuales): Promise<Etiqueta[]> {
  const ids = Object.values(cuales).flat();
  if (ids.length === 0 || ids.some((id) => !z.uuid().safeParse(id).success)) return [];
  if ('tirada' in cuales) return etiquetasLibres(db, cuales.tirada);
  const piezas = await db
    .selectFrom('stockInterno')
    .leftJoin('producto', 'producto.id', 'stockInterno.productoId')
    .select(['folio', 'descripcion', 'creadaEn', 'producto.nombre as productoNombre', 'producto.modelo'])
    .$if('piezas' in cuales, (todas) =>
      todas.where(sql<boolean>`stock_interno.id = any(${'piezas' in cuales ? cuales.piezas : []}::uuid[])`),
    )
    .$if('alta' in cuales, (todas) =>
      todas.where('altaId', 'in', (altas) =>
        altas
          .selectFrom('stockAlta')
          .select('id')
          .where('clave', '=', 'alta' in cuales ? cuales.alta : ''),
      ),
    )
    .$if('lote' in cuales, (todas) =>
      todas.where(
        sql<boolean>`stock_interno.id in (select f.fila_id from lote_fila f join lote l on l.id = f.lote_id
          where l.id = ${'lote' in cuales ? cuales.lote : ''} and l.usuario_id = ${'lote' in cuales ? cuales.usuarioId : ''} and l.lista = 'stockInterno')`,
      ),
    )
    .orderBy('anio')
    .orderBy('numero')
    .limit(MAX_ETIQUETAS)
    .execute();
  return piezas.map(({ folio, modelo, creadaEn, ...pieza }) => ({
    codigo: folio,
    titulo: nombreOfPieza(pieza),
    detalle: [modelo, civilDay(creadaEn).split('-').reverse().join('/')].filter(Boolean).join(' · '),
  }));
}

/** Creates a run of labels without a piece, each with a code of its own. The same `clave` again returns the same labels. */
export async function createEtiquetas(
  trx: Trx,
  { clave, cuantas }: EtiquetasNuevas,
  usuarioId: string,
): Promise<Etiqueta[]> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('stockTirada')
    .values({ clave, usuarioId })
    .onConflict((on) => on.column('clave').doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows)
    await trx
      .insertInto('stockEtiqueta')
      .values(Array.from({ length: cuantas }, () => ({ tirada: clave, creadaPor: usuarioId })))
      .execute();
  return etiquetasLibres(trx, clave);
}

/** Labels of a run that hang on no piece yet. After a paper jam the run is printed again without the labels in use. */
async function etiquetasLibres(db: Db | Trx, tirada: string): Promise<Etiqueta[]> {
  const libres = await db
    .selectFrom('stockEtiqueta')
    .select('codigo')
    .where('tirada', '=', tirada)
    .where('piezaId', 'is', null)
    .orderBy('numero')
    .execute();
  return libres.map(({ codigo }) => ({ codigo, titulo: '', detalle: '' }));
}

/** Returns the last runs, newest first, with the number of labels that hang on no piece yet. */
export async function listTiradas(db: Db) {
  const { rows } = await sql<{
    clave: string;
    creadaEn: Date;
    quien: string | null;
    cuantas: number;
    libres: number;
    primera: string;
    ultima: string;
  }>`
    with t as (select * from stock_tirada order by creada_en desc, clave limit ${TIRADAS})
    select t.clave, t.creada_en, u.usuario as quien, e.cuantas, e.libres, e.primera, e.ultima
    from t
    left join usuario u on u.id = t.usuario_id
    cross join lateral (
      select count(*)::int as cuantas, count(*) filter (where pieza_id is null)::int as libres,
        min(codigo) as primera, max(codigo) as ultima
      from stock_etiqueta where tirada = t.clave) e
    where e.cuantas > 0 order by t.creada_en desc, t.clave`.execute(db);
  return rows;
}

/**
 * Binds a label that was printed blank to a piece, for good. Binding it again to the same piece is no error. Throws `NotAllowed` when the piece or
 * label does not exist, or the label belongs to another piece.
 */
export async function bindEtiqueta(
  trx: Trx,
  { codigo, folio }: { codigo: string; folio: string },
  usuarioId: string,
): Promise<void> {
  const pieza = await findEscaneado(trx, folio);
  if (pieza?.clase !== 'pieza') throw new NotAllowed('Error al agregar.', 'Ese folio no existe.', { campo: 'folio' });
  const { numUpdatedRows } = await trx
    .updateTable('stockEtiqueta')
    .set({ piezaId: pieza.id, ligadaPor: usuarioId, ligadaEn: sql<Date>`now()` })
    .where('codigo', '=', parseCodigo(codigo) ?? '')
    .where('piezaId', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  const etiqueta = await trx
    .selectFrom('stockEtiqueta')
    .leftJoin('stockInterno', 'stockInterno.id', 'stockEtiqueta.piezaId')
    .select(['stockEtiqueta.piezaId', 'stockInterno.folio'])
    .where('codigo', '=', parseCodigo(codigo) ?? '')
    .executeTakeFirst();
  // Two people bound the same label to the same piece.
  if (etiqueta?.piezaId === pieza.id) return;
  throw new NotAllowed(
    'Error al agregar.',
    etiqueta ? `Esa etiqueta ya es de la pieza ${etiqueta.folio}.` : 'Esa etiqueta no existe.',
    { campo: 'codigo' },
  );
}
