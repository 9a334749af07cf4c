import { createSlots, type Slots } from '~/core/slots';
import { CONNECTIONS, type ConnectionKind } from './registry.server';

/** How many more effects may be taken and stand ready, so that the far side is not idle while the next one is written down. */
const AHEAD = 2;

/**
 * The slots of one process for the calls of effects: at most `atOnce` calls of a connection at once. The rest wait before they take a lease, but for
 * those few that stand ready; an effect that stood too long finds its lease too old to send.
 */
export class CallSlots {
  readonly #ready = new Map<ConnectionKind, Slots>();
  readonly #calling = new Map<ConnectionKind, Slots>();

  /** Waits for leave to prepare a call; returns how to give it back. */
  readonly prepare = (connection: ConnectionKind) => slotsOf(this.#ready, connection, AHEAD).take();
  /** Waits for leave to make the call; returns how to give it back. */
  readonly call = (connection: ConnectionKind) => slotsOf(this.#calling, connection, 0).take();
}

function slotsOf(known: Map<ConnectionKind, Slots>, connection: ConnectionKind, more: number): Slots {
  const slots = known.get(connection) ?? createSlots({ atOnce: CONNECTIONS.of(connection).budget.atOnce + more });
  known.set(connection, slots);
  return slots;
}
