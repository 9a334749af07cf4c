import type { FilaDeRechazo } from '~/core/rechazo';
import type { Trace } from '~/integrations/http.server';
import type { Db } from '~db/client.server';

/** Purposes of a call to a far side. Each rests by itself: an API whose searches fail may still take what is sent. */
export const CALLS = ['send', 'look', 'read'] as const;
export type Call = (typeof CALLS)[number];

/**
 * The kinds of work that far sides do, each with its text on 'Activación de API'. Rules ask for a kind of work, never for a far side by its name.
 * The room of a far side declares the kinds of its own:
 * `declare module '~/platform/connections/definition' { interface Capabilities { ventas: 'ventas' } }`.
 */
export interface Capabilities {}

/** A key that people type and nobody reads again. A key that is `opcional` stays as it was when its field is left empty. */
export type KeyField = { name: string; label: string; opcional?: true };

/** Keys by their names. */
export type Keys = Readonly<Record<string, string>>;

/** An address of ours, under the name that the panel of the far side has for it. */
export type Direccion = { nombre: string; direccion: string };

/** Our account, as the far side names it for a set of keys. */
export type FarAccount = { account: string; label: string | null };

/**
 * How an account of ours is linked; it chooses the card on 'Activación de API'. `keys`: people type keys, and `whoIs` asks the far side whose they
 * are; without `whoIs` a room above makes the link (`linkCatalog`). `oauth`: the owner of the account consents at the far side, or types in `fields`
 * what the far side gave. `settings`: the environment holds the link.
 */
export type Link =
  | { type: 'keys'; fields: readonly KeyField[]; whoIs?(keys: Keys): Promise<FarAccount> }
  | {
      type: 'oauth';
      authorizationUrl(state: string, verifier: string): string;
      fields?: readonly KeyField[];
      /** Returns the settings of our application that are missing: without them nobody can be asked for a permission. */
      falta?(): readonly string[];
      /** Where people register our application, in a sentence. */
      donde?: string;
      /** Returns the addresses of ours that the application has to name at the far side. */
      registra?(): readonly Direccion[];
    }
  | { type: 'settings'; isSet(): boolean; where: string };

/** Returns the names of the keys that may be left out. */
export const opcionalesOf = (link: Link): string[] =>
  link.type === 'keys' ? link.fields.flatMap(({ name, opcional }) => (opcional ? [name] : [])) : [];

/** A fact about an account that people should know, with its tone and its moment. */
export type Seen = { tono: 'ok' | 'aviso' | 'mal' | 'neutro'; texto: string; en?: string | null; nota?: string | null };

/**
 * How often a far side may be called: at once per process, and per second and in a burst over all processes. Of the burst, reads by machines leave
 * `forPeople`.
 */
export type Budget = { atOnce: number; perSecond: number; burst: number; forPeople?: number };

/**
 * Further facts that a room of the business knows of its far sides. The room declares them:
 * `declare module '~/platform/connections/definition' { interface FarSideTraits { proveedor?: Proveedor } }`.
 */
export interface FarSideTraits {}

/** A far side: one outside service that we call. */
export type FarSide<Kind extends string = string, As extends string = string, Client = unknown> = {
  /** Name of the far side in tables, jobs and sealed secrets. Never changed once in use. */
  kind: Kind;
  /** Role under which an effect asks for the client: `({ clients }) => clients.pac()`. */
  as: As;
  label: string;
  /** Further names that its clients give to its addresses (`side.name` of an exchange); `kind` is always one. */
  names?: readonly string[];
  /** Protocol whose numbers the answers carry: evidence shows '250' as SMTP or as HTTP. */
  wire: 'HTTP' | 'SMTP';
  budget: Budget;
  /** Jobs of the lane beyond `atOnce`: they write answers down, or stand ready, while others call. */
  standby: number;
  capabilities: Partial<Capabilities>;
  link: Link;
  /** Its refusals, with the field and the remedy of each. A refusal without a row is shown in its own words. */
  rechazos?: readonly FilaDeRechazo[];
  /** Text of the work that stands still while people keep the far side paused, and the screens that tell it. */
  paused: { stops: string; screens: readonly string[] };
  /** Called once per process, which keeps fresh keys and tokens. The returned function makes a client whose exchanges go to `trace`. */
  open(db: Db): (trace: Trace) => Client;
  /** Returns facts about the linked account that no documentation tells; its card shows them. */
  seen?(db: Db): Promise<Seen[]>;
  /** Returns the parts of the link that end by themselves, and when; people are told before the last day. */
  vencimientos?(db: Db): Promise<Seen[]>;
  /** Makes one harmless read with the linked account; throws as that read does. */
  check(db: Db): Promise<void>;
} & FarSideTraits;

/** Defines a far side. The literal types of its row are kept: kinds and clients are derived from them. */
export function defineConnection<const Kind extends string, const As extends string, Client>(
  side: FarSide<Kind, As, Client>,
): FarSide<Kind, As, Client> {
  return side;
}
