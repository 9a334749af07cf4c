import { sql } from 'kysely';
import { PREFERENCIAS, type Preferencias } from '~/core/aspecto';
import type { Db, Trx } from '~db/client.server';

/** Keeps what this person chose; the rest stays as it was, or as it is for everybody. */
export async function savePreferencias(
  db: Db | Trx,
  usuarioId: string,
  change: Partial<Omit<Preferencias, 'plegados'>>,
): Promise<void> {
  await db
    .insertInto('preferencia')
    .values({ usuarioId, ...change })
    .onConflict((on) => on.column('usuarioId').doUpdateSet(change))
    .execute();
}

/** Two groups folded at once, in two windows, are both folded. */
export async function foldGroup(db: Db | Trx, usuarioId: string, grupo: string, plegado: boolean): Promise<void> {
  const others = sql<string[]>`array_remove(preferencia.plegados, ${grupo})`;
  const first = PREFERENCIAS.plegados.filter((one) => one !== grupo);
  await db
    .insertInto('preferencia')
    .values({ usuarioId, plegados: plegado ? [...first, grupo] : first })
    .onConflict((on) =>
      on.column('usuarioId').doUpdateSet({
        plegados: plegado ? sql<string[]>`array_append(${others}, ${grupo})` : others,
      }),
    )
    .execute();
}
