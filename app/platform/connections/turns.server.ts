import { CONNECTIONS, type ConnectionKind } from './registry.server';

/** How many more may have taken their effect and stand ready, so that the far side is not idle while the next one is written down. */
const AHEAD = 2;

/**
 * At most `atOnce` calls of a connection in this process. The rest wait before they take a lease, but for those few that stand ready;
 * one that stood too long finds its lease too old to send.
 */
export class Turns {
  readonly #ready = new Places((connection) => CONNECTIONS.of(connection).budget.atOnce + AHEAD);
  readonly #calling = new Places((connection) => CONNECTIONS.of(connection).budget.atOnce);

  /** Leave to prepare a call. */
  readonly prepare = (connection: ConnectionKind) => this.#ready.take(connection);
  /** Leave to make it. */
  readonly call = (connection: ConnectionKind) => this.#calling.take(connection);
}

class Places {
  readonly #waiting = new Map<ConnectionKind, (() => void)[]>();
  readonly #inUse = new Map<ConnectionKind, number>();

  constructor(readonly limit: (connection: ConnectionKind) => number) {}

  async take(connection: ConnectionKind): Promise<() => void> {
    const inUse = this.#inUse.get(connection) ?? 0;
    if (inUse < this.limit(connection)) this.#inUse.set(connection, inUse + 1);
    else {
      await new Promise<void>((resolve) => {
        const queue = this.#waiting.get(connection) ?? [];
        queue.push(resolve);
        this.#waiting.set(connection, queue);
      });
    }
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const next = this.#waiting.get(connection)?.shift();
      if (next) next();
      else this.#inUse.set(connection, this.#inUse.get(connection)! - 1);
    };
  }
}
