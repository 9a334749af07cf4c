import type { z } from 'zod';
import { withAncho, readColumnas, writeColumnas } from '~/core/columnas';
import type { Db, Trx } from '~db/client.server';
import type { ElegirColumnas } from './forms';

/** A list and the person who looks at it. */
export type ListaDe = { usuarioId: string; lista: string };

/** Returns the columns that were chosen in the form, in the order of its rows, after the move that was pressed. */
export function columnasOfList({ columnas, mover }: z.output<typeof ElegirColumnas>): string {
  const chosen = columnas.map(({ clave, ver, ancho }) => ({ clave, oculta: ver === undefined, ancho }));
  const [how, clave] = mover?.split('-') ?? [];
  const at = chosen.findIndex((one) => one.clave === clave);
  const to = how === 'subir' ? at - 1 : at + 1;
  if (at >= 0 && to >= 0 && to < chosen.length) chosen.splice(to, 0, ...chosen.splice(at, 1));
  return writeColumnas(chosen);
}

/** Keeps the columns of a list for a person; '' puts them back to how everybody has them. */
export async function saveColumnas(db: Db | Trx, { usuarioId, lista }: ListaDe, columnas: string): Promise<void> {
  if (columnas === '') {
    await db.deleteFrom('columnasDeLista').where('usuarioId', '=', usuarioId).where('lista', '=', lista).execute();
    return;
  }
  await db
    .insertInto('columnasDeLista')
    .values({ usuarioId, lista, columnas })
    .onConflict((on) => on.columns(['usuarioId', 'lista']).doUpdateSet({ columnas }))
    .execute();
}

/** Gives one column a width; the others stay. Two changes at once, in two windows, are both kept. */
export async function widenColumna(
  trx: Trx,
  { usuarioId, lista }: ListaDe,
  { clave, ancho }: { clave: string; ancho: number },
): Promise<void> {
  await trx
    .insertInto('columnasDeLista')
    .values({ usuarioId, lista, columnas: withAncho('', clave, ancho) })
    .onConflict((on) => on.columns(['usuarioId', 'lista']).doNothing())
    .execute();
  const { columnas } = await trx
    .selectFrom('columnasDeLista')
    .select('columnas')
    .where('usuarioId', '=', usuarioId)
    .where('lista', '=', lista)
    .forUpdate()
    .executeTakeFirstOrThrow();
  await saveColumnas(trx, { usuarioId, lista }, withAncho(columnas, clave, ancho));
}

/** Returns the columns that an address asks for (`cols`), or null when it asks for none. */
export function columnasOf(cols: string | null): string | null {
  return writeColumnas(readColumnas(cols ?? '')) || null;
}

/** Returns the query for the columns that a person keeps of a list. */
export const columnasQuery = (db: Db | Trx, { usuarioId, lista }: ListaDe) =>
  db.selectFrom('columnasDeLista').select('columnas').where('usuarioId', '=', usuarioId).where('lista', '=', lista);

/** Returns the columns of a list: those of the address, or else those that the person keeps. Null means the columns that everybody has. */
export async function columnasIn(db: Db | Trx, de: ListaDe, cols: string | null): Promise<string | null> {
  return columnasOf(cols) ?? (await columnasQuery(db, de).executeTakeFirst())?.columnas ?? null;
}
