import type { Trace } from '~/integrations/http.server';
import type { Db } from '~db/client.server';

/** What a call to a far side is for. Each rests by itself: an API whose searches fail may still stamp. */
export const CALLS = ['send', 'look', 'read'] as const;
export type Call = (typeof CALLS)[number];

/**
 * The kinds of work that far sides do, each with its text on 'Activación de API'. Rules ask for a kind of work, never for a far side by its name.
 * The room of a far side declares the kinds of its own:
 * `declare module '~/platform/connections/definition' { interface Capabilities { ventas: 'ventas' } }`.
 */
export interface Capabilities {}

/** A key that people type and nobody reads again. One that is `opcional` stays what it was when it is left empty. */
export type KeyField = { name: string; label: string; opcional?: true };

export type Keys = Readonly<Record<string, string>>;

/** Who we are there, as the far side says it about a set of keys. */
export type FarAccount = { account: string; label: string | null };

/**
 * How an account of ours is linked; it chooses the card on 'Activación de API'.
 * `keys`: people type them, and `whoIs` asks the far side whose they are; without it a room above links it (`linkCatalog`). `oauth`: its owner says yes at the far
 * side, or types in `fields` what it was given there. `settings`: the environment has it.
 */
export type Link =
  | { type: 'keys'; fields: readonly KeyField[]; whoIs?(keys: Keys): Promise<FarAccount> }
  | { type: 'oauth'; authorizationUrl(state: string, verifier: string): string; fields?: readonly KeyField[] }
  | { type: 'settings'; isSet(): boolean; where: string };

/** The names of the keys that may be left out. */
export const opcionalesOf = (link: Link): string[] =>
  link.type === 'keys' ? link.fields.flatMap(({ name, opcional }) => (opcional ? [name] : [])) : [];

/** Something an account was seen to do that people should know: since when, or what the last look came to. */
export type Seen = { tono: 'ok' | 'aviso' | 'mal' | 'neutro'; texto: string; en?: string | null; nota?: string | null };

export type Budget = { atOnce: number; perSecond: number; burst: number; forPeople?: number };

/**
 * What a room of the business says of its far sides besides. The room declares it:
 * `declare module '~/platform/connections/definition' { interface FarSideTraits { proveedor?: Proveedor } }`.
 */
export interface FarSideTraits {}

/** A far side: one outside service that we call. */
export type FarSide<Kind extends string = string, As extends string = string, Client = unknown> = {
  /** Its name in tables, jobs and sealed secrets. Never changed once in use. */
  kind: Kind;
  /** Its role, under which an effect asks for its client: `({ clients }) => clients.pac()`. */
  as: As;
  label: string;
  /** How its answers are numbered: evidence shows '250' as SMTP or as HTTP. */
  wire: 'HTTP' | 'SMTP';
  /** Calls at once per process; calls per second and burst over all processes. Of the burst, reads by machines leave `forPeople`. */
  budget: Budget;
  /** Jobs of its lane beyond `atOnce`: they write down what was answered, or stand ready, while others call. */
  standby: number;
  capabilities: Partial<Capabilities>;
  link: Link;
  /** What stands still while people keep it paused, and on which screens that is told. */
  paused: { stops: string; screens: readonly string[] };
  /** What a process keeps of it (fresh keys, tokens), and from that a client whose exchanges go to `trace`. */
  open(db: Db): (trace: Trace) => Client;
  /** What the linked account was seen to do where its documentation says nothing; its card tells it. */
  seen?(db: Db): Promise<Seen[]>;
  /** What of the link ends by itself, and when; told before its last day. */
  vencimientos?(db: Db): Promise<Seen[]>;
  /** One harmless read with the linked account. */
  check(db: Db): Promise<void>;
} & FarSideTraits;

/** Keeps the literal types of a row, from which kinds and clients are derived. */
export function defineConnection<const Kind extends string, const As extends string, Client>(
  side: FarSide<Kind, As, Client>,
): FarSide<Kind, As, Client> {
  return side;
}
