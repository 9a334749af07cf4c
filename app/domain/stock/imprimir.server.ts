import { sql } from 'kysely';
import { z } from 'zod';
import { NotAllowed } from '~/core/errors';
import { civilDay } from '~/core/time';
import type { Db, Trx } from '~db/client.server';
import type { Etiqueta } from './etiquetas.server';
import { leerCodigo } from './folio';
import { findEscaneado } from './leerPieza.server';
import { nombreDePieza } from './pieza';

/** As many as are printed in one go. */
export const MAX_ETIQUETAS = 2_000;

/** Which pieces: chosen one by one, all of one press of 'Crear devolución', or what somebody chose in the list. */
export type Cuales = { piezas: readonly string[] } | { alta: string } | { lote: string; usuarioId: string };

/** What each label of those pieces says, in the order of their folios. */
export async function etiquetasDe(db: Db, cuales: Cuales): Promise<Etiqueta[]> {
  const ids = Object.values(cuales).flat();
  if (ids.length === 0 || ids.some((id) => !z.uuid().safeParse(id).success)) return [];
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
    titulo: nombreDePieza(pieza),
    detalle: [modelo, civilDay(creadaEn).split('-').reverse().join('/')].filter(Boolean).join(' · '),
  }));
}

/** So many labels that nobody knows a piece for yet, each with a code of its own. */
export async function createEtiquetas(trx: Trx, cuantas: number, usuarioId: string): Promise<Etiqueta[]> {
  const nuevas = await trx
    .insertInto('stockEtiqueta')
    .values(Array.from({ length: cuantas }, () => ({ creadaPor: usuarioId })))
    .returning(['codigo', 'numero'])
    .execute();
  return nuevas.toSorted((a, b) => a.numero - b.numero).map(({ codigo }) => ({ codigo, titulo: '', detalle: '' }));
}

/** A label that was printed before its piece was known hangs on it from here on. It is never moved to another. */
export async function ligarEtiqueta(
  trx: Trx,
  { codigo, folio }: { codigo: string; folio: string },
  usuarioId: string,
): Promise<void> {
  const pieza = await findEscaneado(trx, folio);
  if (pieza?.clase !== 'pieza') throw new NotAllowed('Error al agregar.', 'Ese folio no existe.', { campo: 'folio' });
  const { numUpdatedRows } = await trx
    .updateTable('stockEtiqueta')
    .set({ piezaId: pieza.id, ligadaPor: usuarioId, ligadaEn: sql<Date>`now()` })
    .where('codigo', '=', leerCodigo(codigo) ?? '')
    .where('piezaId', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n)
    throw new NotAllowed('Error al agregar.', 'Esa etiqueta no existe, o ya es de otra pieza.');
}
