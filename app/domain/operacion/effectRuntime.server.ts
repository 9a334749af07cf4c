import { env } from '~/core/env.server';
import type { Db } from '~db/client.server';
import { keyring } from '~/platform/connections/credentials.server';
import { clientsOf } from '~/platform/connections/clients.server';
import { CallSlots } from '~/platform/connections/slots.server';
import { EFFECTS } from './effectCatalog.server';
import type { EffectRuntime } from '~/platform/effects/runtime';

/** The runner's tools in this process: one per database handle, so that its turns hold for the whole process. */
export function effectRuntime(db: Db): EffectRuntime {
  const known = runtimes.get(db);
  if (known) return known;
  const made: EffectRuntime = {
    db,
    catalog: EFFECTS,
    keyring: keyring(),
    slots: new CallSlots(),
    pace: env().EFFECT_PACE,
    deadline: env().EFFECT_DEADLINE,
    clients: clientsOf(db),
  };
  runtimes.set(db, made);
  return made;
}

const runtimes = new WeakMap<Db, EffectRuntime>();
