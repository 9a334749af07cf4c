import type { Clients } from '~/platform/connections/registry.server';

/** A send took so long to prepare that its lease is no longer young. Nothing left, and the next runner sends it. */
export class TooLate extends Error {}

/** Returns clients that are handed out only after `requireYoung`: reading keys, files and rows counts against the time that a send has. */
export function whileYoung(clients: Clients, requireYoung: () => void): Clients {
  const checked = <T>(client: T): T => {
    requireYoung();
    return client;
  };
  const guarded = Object.entries(clients).map(([name, open]) => [
    name,
    () => {
      const client: unknown = open();
      return client instanceof Promise ? client.then(checked) : checked(client);
    },
  ]);
  return Object.fromEntries(guarded) as Clients;
}
