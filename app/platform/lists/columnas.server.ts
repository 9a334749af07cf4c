import type { z } from 'zod';
import { conAncho, readColumnas, writeColumnas } from '~/core/columnas';
import type { Db, Trx } from '~db/client.server';
import type { ElegirColumnas } from './forms';

/** A list as this person has it. */
export type ListaDe = { usuarioId: string; lista: string };

/** What was chosen in the form: the order of its rows, after the move that was pressed. */
export function columnasOfList({ columnas, mover }: z.output<typeof ElegirColumnas>): string {
  const chosen = columnas.map(({ clave, ver, ancho }) => ({ clave, oculta: ver === undefined, ancho }));
  const [how, clave] = mover?.split('-') ?? [];
  const at = chosen.findIndex((one) => one.clave === clave);
  const to = how === 'subir' ? at - 1 : at + 1;
  if (at >= 0 && to >= 0 && to < chosen.length) chosen.splice(to, 0, ...chosen.splice(at, 1));
  return writeColumnas(chosen);
}

/** Keeps how this person has the columns of a list. None at all is how everybody has them. */
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

/** One column so wide; the others stay. Two at once, in two windows, are both kept. */
export async function widenColumna(
  trx: Trx,
  { usuarioId, lista }: ListaDe,
  { clave, ancho }: { clave: string; ancho: number },
): Promise<void> {
  await trx
    .insertInto('columnasDeLista')
    .values({ usuarioId, lista, columnas: conAncho('', clave, ancho) })
    .onConflict((on) => on.columns(['usuarioId', 'lista']).doNothing())
    .execute();
  const { columnas } = await trx
    .selectFrom('columnasDeLista')
    .select('columnas')
    .where('usuarioId', '=', usuarioId)
    .where('lista', '=', lista)
    .forUpdate()
    .executeTakeFirstOrThrow();
  await saveColumnas(trx, { usuarioId, lista }, conAncho(columnas, clave, ancho));
}

/** How this list's columns come by their address, where it says so. */
export function columnasOf(cols: string | null): string | null {
  return writeColumnas(readColumnas(cols ?? '')) || null;
}

export const columnasQuery = (db: Db | Trx, { usuarioId, lista }: ListaDe) =>
  db.selectFrom('columnasDeLista').select('columnas').where('usuarioId', '=', usuarioId).where('lista', '=', lista);

/** As its address says, or else as this person has them. Null is how everybody has them. */
export async function columnasIn(db: Db | Trx, de: ListaDe, cols: string | null): Promise<string | null> {
  return columnasOf(cols) ?? (await columnasQuery(db, de).executeTakeFirst())?.columnas ?? null;
}
