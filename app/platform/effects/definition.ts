import type { z } from 'zod';
import type { Clients, ConnectionKind } from '~/platform/connections/registry.server';
import type { Db, Trx } from '~db/client.server';

/** Everything that a call to the outside gets: the frozen request, our reference for the far side, and clients whose exchanges are recorded. */
export type EffectCall<Req> = { id: string; request: Req; ref: string; clients: Clients; db: Db };

/** The row of an effect as `settle` and `release` see it. */
export type AcceptedEffect<Req> = {
  id: string;
  ref: string;
  request: Req;
  usuarioId: string | null;
  batchId: string | null;
};

/**
 * Kinds of things that an effect may be about; `app/domain/operacion/effectCatalog.server.ts` declares them all in one list. The words are stored and
 * never change.
 */
export interface Entidades {}
export type Entidad = keyof Entidades;

/** A thing that an effect is about, by its kind and id. */
export type Subject = readonly [entidad: Entidad, entidadId: string];

/** The ids of many rows of one kind, as subjects. */
export const each = (entidad: Entidad, ids: readonly string[]): Subject[] => ids.map((id) => [entidad, id]);

/**
 * Facts that people compare with the far side before they decide: whom the call is for, and for how much. `que` names its subject where no row of
 * ours does.
 */
export type Summary = { que?: string; rfc?: string; total?: string; emails?: readonly string[] };

/**
 * One kind of call that changes the outside world.
 *
 * `unclear` says what an unclear answer leads to. `find` looks at the far side for our reference, until the result is found or provably absent.
 * `repeat` sends again: for calls that are harmless, or recognised, when repeated. `ask` hands the effect to people at once.
 */
export type EffectDefinition<Req, Ev, Res> = {
  type: string;
  connection: ConnectionKind;
  /** Name of the kind on the board, as people read it: 'Timbrado de factura'. */
  label: string;
  /** The request, frozen as JSON when it is accepted. Each take parses it again, so old rows outlive a deploy. */
  request: z.ZodType<Req, unknown>;
  /** The answer of the far side, kept on the row between send and settle. */
  evidence: z.ZodType<Ev, unknown>;
  /** Key that is unique while an effect of this type is alive. Nobody reads it back. */
  key(request: Req): string;
  /** The things that the effect is about, written with it. Timelines, boards and filters ask for them. */
  subjects(request: Req): readonly Subject[];
  /** Facts for the board, where the subjects do not say everything. */
  summary?(request: Req): Summary;
  /** The reference that the far side keeps. `generation` counts the effects of this key whose reference is taken there. Default: type and id. */
  ref?(request: Req, generation: number): string;
  unclear: 'find' | 'repeat' | 'ask';
  /**
   * Throws, like `send`, when our own database speaks against sending. Called under the lease and before the slot of a call is taken, so no slot
   * stands empty for it.
   */
  ready?(call: Pick<EffectCall<Req>, 'id' | 'request' | 'db'>): Promise<void>;
  /** Makes the one call. Throws `Refused` for a clear no, `Unavailable` when nothing was done, and anything else when the answer is unclear. */
  send(call: EffectCall<Req>): Promise<Ev>;
  /** Looks at the far side for what was sent. `known` is evidence that a person or an earlier look brought. */
  find?(call: EffectCall<Req>, known: Ev | null): Promise<Ev | 'absent'>;
  /** Returns a clue for what only people can decide: something that the far side shows and that proves nothing. Kept beside the reason. */
  pista?(call: EffectCall<Req>): Promise<string>;
  /** Returns whether the thing that this evidence names is alive at the far side. While it is alive nobody may say 'No existe'. */
  stands?(call: EffectCall<Req>, evidence: Ev): Promise<boolean>;
  /**
   * Decides about a request that was sent, got no answer and is proven absent. True: it may be sent once more by itself, since the far side refuses a
   * repeated reference. A text: why a person has to ask for it. Without this function it may be sent.
   */
  mayRepeat?(call: EffectCall<Req>): Promise<true | string>;
  /**
   * Returns everything that is alive at the far side under our reference. With it, a second one that came late is found also after the effect was
   * done.
   */
  alive?(call: EffectCall<Req>): Promise<Vivo[]>;
  /** The `uid` that `alive` tells for the thing of this evidence; null when the evidence does not name it. */
  uidOf?(evidence: Ev): string | null;
  /** The reason, for people, why nothing of this kind is looked for late. A kind has this, `find` or `alive`. */
  sinMirada?: string;
  /** True where 'Cancelar la repetida' cancels at the far side what `alive` found twice. */
  cancelaRepetida?: true;
  /**
   * The words of a person who saw at the far side that the call was done, and the evidence they stand for: a UUID or folio that was read there, or
   * only that it was done. Without it the board offers no 'Sí existe'.
   */
  byHand?:
    | {
        says: 'uuid' | 'folio';
        /** Name of the number, where it is no folio and our reference is not known there. */
        llama?: string;
        evidence(said: string): Ev;
      }
    | { says: 'done'; evidence: Ev };
  /**
   * Reads the result back and checks it against the request. Throws `Mismatch` when it is not what we asked for, and `TurnedDown` when it was not
   * done after all.
   */
  confirm(call: EffectCall<Req>, evidence: Ev): Promise<Res>;
  /** Writes the result with everything that follows from it, in the transaction that ends the effect. */
  settle(trx: Trx, effect: AcceptedEffect<Req>, result: Res): Promise<void>;
  /** True where people may ask for the very same once more after a clear no: accepting took nothing, and nothing has to be corrected first. */
  again?: true;
  /** Throws `NotAllowed` when by now something keeps people from asking once more. */
  stillWanted?(trx: Trx, request: Req): Promise<void>;
  /** Called in the transaction that notes the doubt: nobody knows whether the call was done. It is being looked for, or people decide. */
  doubted?(trx: Trx, effect: AcceptedEffect<Req>): Promise<void>;
  /** Gives back what accepting took, after a clear no or 'No existe'. */
  release?(trx: Trx, effect: AcceptedEffect<Req>, reason: string): Promise<void>;
};

/** One thing at the far side, by the names that people use for it. */
export type Vivo = { uid: string; uuid: string; folio: string };

/** Any definition, as the catalog holds it. The runner parses each request before it calls, so the types meet again inside. */
export type AnyEffectDefinition = EffectDefinition<never, never, never>;

/** Defines a kind of effect, with the types of its request, evidence and result. */
export function defineEffect<Req, Ev, Res>(definition: EffectDefinition<Req, Ev, Res>): EffectDefinition<Req, Ev, Res> {
  return definition;
}

/** The part of a definition that every kind of effect shares, whatever its request is: the type under which a catalog holds it. */
export type OfferedEffect = Pick<AnyEffectDefinition, 'type' | 'label' | 'connection' | 'unclear'>;

export type EffectCatalog = ReadonlyMap<string, AnyEffectDefinition>;

/** Makes the catalog of a process, by type. */
export function effectCatalog(definitions: readonly OfferedEffect[]): EffectCatalog {
  return new Map((definitions as AnyEffectDefinition[]).map((definition) => [definition.type, definition]));
}

/**
 * The far side took a request in and turned it down afterwards: the clear no that `send` could not get. `confirm` throws it, and nothing of the
 * request is on its way any more.
 */
export class TurnedDown extends Error {
  constructor(
    message: string,
    readonly detail: string | null = null,
  ) {
    super(message);
    this.name = 'TurnedDown';
  }
}

/**
 * The far side took a request in and still works on it, as with all of its kind. `confirm` throws it; the effect is looked at again, and nothing is
 * logged.
 */
export class StillWorking extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StillWorking';
  }
}

/** The far side holds something else than we asked for: an alarm for people, never a retry. */
export class Mismatch extends Error {
  /** `evidence` names the thing that is there, where it can be named. */
  constructor(
    readonly differences: string[],
    readonly evidence?: unknown,
    /** All that are alive, when there are more than one. */
    readonly vivos: Vivo[] = [],
  ) {
    super(differences.join('; '));
    this.name = 'Mismatch';
  }
}
