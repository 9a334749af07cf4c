import type { Trace } from '~/integrations/http.server';
import type { Db } from '~db/client.server';
import type { FarSide } from './definition';
import { type Clients, CONNECTIONS } from './registry.server';

/** Returns how to make the clients of one process. They write outside, so the runtime of effects alone makes them. */
export function clientsOf(db: Db): (trace: Trace) => Clients {
  const open = new Map<string, (trace: Trace) => unknown>();
  const opened = (side: FarSide) => {
    const known = open.get(side.kind) ?? side.open(db);
    open.set(side.kind, known);
    return known;
  };
  return (trace) =>
    Object.fromEntries(CONNECTIONS.all().map((side) => [side.as, () => opened(side)(trace)])) as Clients;
}
