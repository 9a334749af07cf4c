import type { Keyring } from '~/core/seal.server';
import type { Trace } from '~/integrations/http.server';
import type { Db } from '~db/client.server';
import type { Clients } from '~/platform/connections/registry.server';
import type { CallSlots } from '~/platform/connections/slots.server';
import type { EffectCatalog } from './definition';

/**
 * The means of the runner; one per process. `pace` shortens every wait, for tests that cannot wait minutes. `deadline` shortens leases and the time
 * that a send has to begin; it is `pace` unless a test waits little and still lets a busy machine be slow.
 */
export type EffectRuntime = {
  db: Db;
  catalog: EffectCatalog;
  clients(trace: Trace): Clients;
  keyring: Keyring;
  slots: CallSlots;
  pace: number;
  deadline?: number;
};
