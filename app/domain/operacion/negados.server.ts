import type { Rechazo } from '~/core/rechazo';
import type { Subject } from '~/platform/effects/definition';
import { readRechazos } from '~/platform/effects/rechazos.server';
import type { Db } from '~db/client.server';
import { EFFECTS } from './effectCatalog.server';

/** A call that its far side did not accept, by the name of its kind. */
export type Negado = { que: string; rechazo: Rechazo };

/** Returns the calls about any of these subjects that their far sides refused and nobody asked for again, as panels show them. */
export async function readNegados(db: Db, subjects: readonly Subject[]): Promise<Negado[]> {
  const negados = await readRechazos(db, subjects);
  return negados.map(({ type, rechazo }) => ({ que: EFFECTS.get(type)?.label ?? type, rechazo }));
}
