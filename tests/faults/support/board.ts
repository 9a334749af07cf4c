import { NotAllowed } from '~/core/errors';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { readTablero } from '~/domain/operacion/mantenimiento/tablero.server';
import { dismissLateEvidence } from '~/platform/effects/late.server';
import { resolveAsAbsent, sendAgain, unresolved } from '~/platform/effects/resolve.server';
import type { Db } from '~db/client.server';

type Definition = NonNullable<ReturnType<typeof EFFECTS.get>>;

/**
 * A person who presses what the board offers about effects without a trace, as soon as it is offered: 'Enviar otra vez' where `again` says so, else
 * 'No existe'. `types` is the beginning of their types. Returns how many presses there were.
 */
export async function pressBoard(
  db: Db,
  usuarioId: string,
  { types, again = () => false }: { types: string; again?: (definition: Definition) => boolean },
): Promise<number> {
  let presses = 0;
  const { filas } = await readTablero(db, EFFECTS);
  for (const { id, type, decideDesde, sinRastro } of filas) {
    if (!type.startsWith(types) || decideDesde !== null || !sinRastro) continue;
    try {
      if (again(EFFECTS.get(type)!)) await db.transaction().execute((trx) => sendAgain(trx, EFFECTS, id, usuarioId));
      else await resolveAsAbsent(effectRuntime(db), id, usuarioId);
      presses += 1;
    } catch (error) {
      // What was learnt a moment ago decides.
      if (!(error instanceof NotAllowed)) throw error;
    }
  }
  return presses;
}

/**
 * A person who reads every alarm about what landed late, and presses 'Entendido' on those of what has ended, so that the board has room for the next.
 * Returns the words of the alarms.
 */
export async function readAlarms(db: Db, usuarioId: string): Promise<string> {
  const alarms = await unresolved(db)
    .select(['effect.id', 'effect.state', 'effect.lateEvidence', 'effect.detail'])
    .where((one) => one.or([one('effect.lateEvidence', 'is not', null), one('effect.state', '=', 'manual')]))
    .execute();
  // What waits for a decision is read and stays.
  for (const { id, state } of alarms)
    if (state !== 'manual') await db.transaction().execute((trx) => dismissLateEvidence(trx, id, usuarioId));
  return JSON.stringify(alarms);
}
