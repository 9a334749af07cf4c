import type { z } from 'zod';
import type { Clients, ConnectionKind } from '~/platform/connections/registry.server';
import type { Db, Trx } from '~db/client.server';

/** What a call to the outside gets: the frozen request, our reference for the far side, and clients whose exchanges are recorded. */
export type EffectCall<Req> = { id: string; request: Req; ref: string; clients: Clients; db: Db };

/** The row as settle and release see it. */
export type AcceptedEffect<Req> = {
  id: string;
  ref: string;
  request: Req;
  usuarioId: string | null;
  batchId: string | null;
};

/** Kinds of things that an effect may be about; `app/domain/operacion/effectCatalog.server.ts` declares them all in one list. The words are stored and never change. */
export interface Entidades {}
export type Entidad = keyof Entidades;

/** A thing that an effect is about, by its kind and id. */
export type Subject = readonly [entidad: Entidad, entidadId: string];

/** The ids of many rows of one kind, as subjects. */
export const each = (entidad: Entidad, ids: readonly string[]): Subject[] => ids.map((id) => [entidad, id]);

/** What people compare with the far side before they decide: `que` names it where no row of ours does; whom it is for, and for how much. */
export type Summary = { que?: string; rfc?: string; total?: string; emails?: readonly string[] };

/**
 * One kind of call that changes the outside world.
 *
 * `unclear` says what an unclear answer leads to: `find` looks the far side up by our reference until it is found or provably absent;
 * `repeat` sends again, for what is harmless or recognised when repeated; `ask` hands it to people at once.
 */
export type EffectDefinition<Req, Ev, Res> = {
  type: string;
  connection: ConnectionKind;
  /** Name people read on the board: 'Timbrado de factura'. */
  label: string;
  /** Frozen as JSON when accepted; parsed again on every take, so old rows outlive a deploy. */
  request: z.ZodType<Req, unknown>;
  /** What the far side told us, kept on the row between send and settle. */
  evidence: z.ZodType<Ev, unknown>;
  /** Unique while an effect of this type is alive, and never read back. */
  key(request: Req): string;
  /** What it is about, written with it: timelines, boards and filters ask these. */
  subjects(request: Req): readonly Subject[];
  /** For the board, where its subjects do not say it all. */
  summary?(request: Req): Summary;
  /** The reference the far side keeps; `generation` counts the effects of this key whose reference is taken there. Default: type and id. */
  ref?(request: Req, generation: number): string;
  unclear: 'find' | 'repeat' | 'ask';
  /** What our own database says against sending, asked under the lease while others call: no turn at the far side stands empty for it. Throws like `send`. */
  ready?(call: Pick<EffectCall<Req>, 'id' | 'request' | 'db'>): Promise<void>;
  send(call: EffectCall<Req>): Promise<Ev>;
  find?(call: EffectCall<Req>, known: Ev | null): Promise<Ev | 'absent'>;
  /** Of what only people can decide: what the far side shows that helps them, though it proves nothing. Kept beside the reason. */
  pista?(call: EffectCall<Req>): Promise<string>;
  /** Whether what this evidence names is alive at the far side: while it is, nobody may say 'No existe'. */
  stands?(call: EffectCall<Req>, evidence: Ev): Promise<boolean>;
  /**
   * Whether what was sent, got no answer and is proven absent may be sent once more by itself: true where the far side refuses a repeated reference.
   * Otherwise the text says why a person has to ask for it. Absent: it may.
   */
  mayRepeat?(call: EffectCall<Req>): Promise<true | string>;
  /** All that is alive at the far side under our reference. Where a kind can tell, a second one that came late is found also after it was done. */
  alive?(call: EffectCall<Req>): Promise<Vivo[]>;
  /**
   * What a person who found it done at the far side may say in our place, and the evidence it stands for: the UUID they read there, or only
   * that it was done. Where neither can stand for it the board offers no 'Sí existe'.
   */
  byHand?:
    | {
        says: 'uuid' | 'folio';
        /** Where that is something else than the folio of a pedido, and our reference is not known there. */ llama?: string;
        evidence(said: string): Ev;
      }
    | { says: 'done'; evidence: Ev };
  /** Reads back what was done and checks it against the request; throws `Mismatch` when it is not what we asked, and `TurnedDown` when it was not done after all. */
  confirm(call: EffectCall<Req>, evidence: Ev): Promise<Res>;
  /** Writes the result with everything that follows from it, in the transaction that ends the effect. */
  settle(trx: Trx, effect: AcceptedEffect<Req>, result: Res): Promise<void>;
  /** After a clear no people may ask for the very same once more: accepting took nothing, and nothing has to be corrected first. */
  again?: true;
  /** Throws what keeps people from asking for it once more by now. */
  stillWanted?(trx: Trx, request: Req): Promise<void>;
  /** Tells that nobody knows whether it was done, in the transaction that notes it: it is being looked for, or people decide. */
  doubted?(trx: Trx, effect: AcceptedEffect<Req>): Promise<void>;
  /** Gives back what accepting took, after a clear no. */
  release?(trx: Trx, effect: AcceptedEffect<Req>, reason: string): Promise<void>;
};

/** One thing of the far side, as people name it. */
export type Vivo = { uid: string; uuid: string; folio: string };

/** Any definition, as the catalog holds it: the runner parses before it calls, so the types meet again inside. */
export type AnyEffectDefinition = EffectDefinition<never, never, never>;

export function defineEffect<Req, Ev, Res>(definition: EffectDefinition<Req, Ev, Res>): EffectDefinition<Req, Ev, Res> {
  return definition;
}

/** The part of a definition that every kind of effect shares, whatever its request is: the type under which a catalog holds it. */
export type OfferedEffect = Pick<AnyEffectDefinition, 'type' | 'label' | 'connection' | 'unclear'>;

export type EffectCatalog = ReadonlyMap<string, AnyEffectDefinition>;

export function effectCatalog(definitions: readonly OfferedEffect[]): EffectCatalog {
  return new Map((definitions as AnyEffectDefinition[]).map((definition) => [definition.type, definition]));
}

/** What the far side took in to be worked on it turned down afterwards: the clear no that `send` could not get. `confirm` throws it, and nothing of it is on its way any more. */
export class TurnedDown extends Error {
  constructor(
    message: string,
    readonly detail: string | null = null,
  ) {
    super(message);
    this.name = 'TurnedDown';
  }
}

/** The far side took it in and works on it, as it does with all of them: `confirm` throws it, it is looked at again, and there is nothing to be warned of. */
export class StillWorking extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StillWorking';
  }
}

/** What the far side holds is not what we asked for: an alarm for people, never a retry. */
export class Mismatch extends Error {
  /** `evidence`: what is there, where it can be named. */
  constructor(
    readonly differences: string[],
    readonly evidence?: unknown,
    /** More than one is alive there where one was asked for. */
    readonly vivos: Vivo[] = [],
  ) {
    super(differences.join('; '));
    this.name = 'Mismatch';
  }
}
