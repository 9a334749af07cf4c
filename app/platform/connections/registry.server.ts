import type { FarSide } from './definition';

/**
 * Far sides of this installation, each with its client, by kind. The room of a far side adds its own line:
 * `declare module '~/platform/connections/registry.server' { interface FarSides { ct: ClientOf<typeof ct> } }`.
 */
export interface FarSides {}

/** The line of a far side in `FarSides`: the role under which an effect asks for its client, and that client. */
export type ClientOf<Side extends FarSide> = { as: Side['as']; client: ReturnType<ReturnType<Side['open']>> };

/** The kind of a far side of this installation. */
export type ConnectionKind = keyof FarSides & string;

type Line = FarSides[keyof FarSides];

/** Clients that an effect may call, by role. Each is made with current credentials, and its exchanges go to the sealed record of the attempt. */
export type Clients = { [One in Line as One['as']]: () => One['client'] };

/** Names of `effect.` jobs that no far side may take. */
const TAKEN = ['sweep'];

class Registry {
  readonly #sides = new Map<string, FarSide>();

  /** Registers every far side of the process, in the order of 'Activación de API'. A second call with the same list changes nothing. */
  handIn(sides: readonly FarSide[]): void {
    for (const side of sides) if (this.#sides.get(side.kind) !== side) this.add(side);
  }

  /** Registers one more, until the returned function is called. */
  add(side: FarSide): () => void {
    if (
      TAKEN.includes(side.kind) ||
      [...this.#sides.values()].some(({ kind, as }) => kind === side.kind || as === side.as)
    )
      throw new Error(`connection ${side.kind} (${side.as}) is taken`);
    this.#sides.set(side.kind, side);
    return () => this.#sides.delete(side.kind);
  }

  /** Returns every far side, in the order in which they were registered. */
  all(): FarSide[] {
    return [...this.#handedIn().values()];
  }

  /** Returns a far side; undefined for a kind that only an older version of this installation knew. */
  find(kind: string): FarSide | undefined {
    return this.#handedIn().get(kind);
  }

  /** Returns a far side; throws when there is none of that kind. */
  of(kind: string): FarSide {
    const side = this.find(kind);
    if (!side) throw new Error(`no connection of kind ${kind}`);
    return side;
  }

  /** Returns whether a text of a table or a form is the kind of a far side. */
  isKind(kind: string): kind is ConnectionKind {
    return this.#handedIn().has(kind);
  }

  /** A process that was handed none would take every far side for one that it cannot do anything with. */
  #handedIn(): Map<string, FarSide> {
    if (this.#sides.size === 0)
      throw new Error('no far sides were handed in: an entry point calls handIn of domain/operacion first');
    return this.#sides;
  }
}

/** The far sides of the process. Each question throws an Error until `handIn` of `domain/operacion` handed them in. */
export const CONNECTIONS = new Registry();
