import { sql } from 'kysely';
import { PREFERENCIAS, type Preferencias } from '~/core/aspecto';
import type { Db, Trx } from '~db/client.server';

type Lista = 'plegados' | 'fijados' | 'panelesAnchos';

/** What a person chose of the screens; `recorrido` is false once they put the tour of the demo away. */
type Elegido = Partial<Omit<Preferencias, Lista>> & { recorrido?: boolean };

/** Saves what a person chose; the rest stays as it was, or as it is for everybody. */
export async function savePreferencias(db: Db | Trx, usuarioId: string, change: Elegido): Promise<void> {
  await db
    .insertInto('preferencia')
    .values({ usuarioId, ...change })
    .onConflict((on) => on.column('usuarioId').doUpdateSet(change))
    .execute();
}

/** Folds or unfolds a group of the menu. Two groups folded at once, in two windows, are both folded. */
export const foldGroup = (db: Db | Trx, usuarioId: string, grupo: string, plegado: boolean) =>
  keep(db, usuarioId, 'plegados', grupo, plegado);

/** Pins a screen to the top of the menu, after those that were pinned before, or unpins it. */
export const pinPantalla = (db: Db | Trx, usuarioId: string, pantalla: string, fijada: boolean) =>
  keep(db, usuarioId, 'fijados', pantalla, fijada);

/** Makes the panel of a kind of record wide, or narrow again. */
export const widenPanel = (db: Db | Trx, usuarioId: string, panel: string, ancho: boolean) =>
  keep(db, usuarioId, 'panelesAnchos', panel, ancho);

/** Puts one word into a list of words, or takes it out; the other words stay as they are by then. */
async function keep(db: Db | Trx, usuarioId: string, list: Lista, word: string, stays: boolean) {
  const others = sql<string[]>`array_remove(${sql.ref(`preferencia.${list}`)}, ${word})`;
  const first = PREFERENCIAS[list].filter((one) => one !== word);
  await db
    .insertInto('preferencia')
    .values({ usuarioId, [list]: stays ? [...first, word] : first })
    .onConflict((on) =>
      on.column('usuarioId').doUpdateSet({
        [list]: stays ? sql<string[]>`array_append(${others}, ${word})` : others,
      }),
    )
    .execute();
}
