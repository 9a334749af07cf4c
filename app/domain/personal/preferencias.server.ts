import { sql } from 'kysely';
import { PREFERENCIAS, type Preferencias } from '~/core/aspecto';
import type { Db, Trx } from '~db/client.server';

type Lista = 'plegados' | 'fijados' | 'panelesAnchos';

/** Cards of 'Hoy' as a person wants them: their keys in order, and those that stand aside. */
export type HoyPropio = { ordenDeHoy: string[]; cartasAparte: string[] };

/** What a person chose of the screens; `recorrido` is false once they put the tour of the demo away. `ordenDeHoy` without keys is the order of the house. */
type Elegido = Partial<Omit<Preferencias, Lista>> & { recorrido?: boolean; ordenDeHoy?: string[] };

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

/** Puts a card of 'Hoy' aside for this person, or shows it again. */
export const asideCarta = (db: Db | Trx, usuarioId: string, carta: string, aparte: boolean) =>
  keep(db, usuarioId, 'cartasAparte', carta, aparte);

/** Returns the cards of 'Hoy' as a person wants them. */
export async function readHoyPropio(db: Db | Trx, usuarioId: string): Promise<HoyPropio> {
  const row = await db
    .selectFrom('preferencia')
    .select(['ordenDeHoy', 'cartasAparte'])
    .where('usuarioId', '=', usuarioId)
    .executeTakeFirst();
  return row ?? { ordenDeHoy: [], cartasAparte: [] };
}

/** Writes the order of a person's cards anew, from the order that stands by then: two presses in two windows both count. */
export async function reorderHoy(trx: Trx, usuarioId: string, move: (propio: HoyPropio) => string[]): Promise<void> {
  await trx
    .insertInto('preferencia')
    .values({ usuarioId })
    .onConflict((on) => on.doNothing())
    .execute();
  const propio = await trx
    .selectFrom('preferencia')
    .select(['ordenDeHoy', 'cartasAparte'])
    .where('usuarioId', '=', usuarioId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  await savePreferencias(trx, usuarioId, { ordenDeHoy: move(propio) });
}

/** Returns the screen that a person chose to start on; null for the home of their role. */
export async function readInicio(db: Db | Trx, usuarioId: string): Promise<string | null> {
  const row = await db.selectFrom('preferencia').select('inicio').where('usuarioId', '=', usuarioId).executeTakeFirst();
  return row?.inicio ?? null;
}

/** Puts one word into a list of words, or takes it out; the other words stay as they are by then. */
async function keep(db: Db | Trx, usuarioId: string, list: Lista | 'cartasAparte', word: string, stays: boolean) {
  const others = sql<string[]>`array_remove(${sql.ref(`preferencia.${list}`)}, ${word})`;
  const first = (list === 'cartasAparte' ? [] : PREFERENCIAS[list]).filter((one) => one !== word);
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
