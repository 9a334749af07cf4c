import type { z } from 'zod';
import { can, needsProof, type Action } from '~/access/actions';
import { ROLES, SCREENS, type Rol } from '~/access/screens';
import type { Usuario } from '~/core/usuario';
import type { List } from '~/platform/lists/list.server';
import type { Db, Trx } from '~db/client.server';
import type { Crudo, Written } from './wire';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may call: whoever may open this screen, or do this; the same table that the screens read. */
export type Acceso =
  | { pantalla: keyof typeof SCREENS; derecho?: Action }
  | { derecho: Action }
  /** Anyone who is signed in. */
  | 'sesion'
  /** Anyone at all: what it needs to know comes in its path. */
  | 'abierta';

type Nothing = z.ZodType<undefined, undefined>;
type In<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : undefined;

/** What a call runs with. `version` is the one that If-Match brought, for calls that edit. */
export type Asked<P, Q, B, Who> = {
  params: P;
  query: Q;
  body: B;
  usuario: Who;
  version: number;
  request: Request;
  search: URLSearchParams;
  /** The same for the same Idempotency-Key, so that what is made under it is made once even where its answer was lost; another one for each request without. */
  clave: string;
  /** Files of a form, in its order. */
  archivos: readonly File[];
  /** The token of the session it was called with; null for a token of a program. */
  sesion: string | null;
  ip: string;
  now: Date;
};

type Closed = {
  /** The part of a personal token's permissions that it belongs to: `ordenes` for `ordenes:leer` and `ordenes:escribir`. */
  alcance: string;
  acceso: Exclude<Acceso, 'abierta'>;
};

/** A form with files: those of `campo`; what else is said stands as JSON in `cuerpo`, or as fields of their own. */
export type Recibe = {
  campo: string;
  cuerpo?: string;
  /** Without a file the same may be sent as JSON alone. */
  opcional?: true;
  varios?: true;
  /** Too large to be held: the call takes it from the request as it arrives. */
  corriente?: true;
};

type Described = {
  method: Method;
  /** As OpenAPI writes it: `/api/v1/ordenes/{id}`. */
  path: string;
  /** What it does, in a line that people read. */
  resumen: string;
  status?: 200 | 201 | 202;
  /** Changes what has a version, and wants it as If-Match. */
  conVersion?: true;
  /** Its answer holds a secret, so it is kept for nobody who asks again. */
  secreta?: true;
  /** It answers with a file of this type, not with JSON. */
  archivo?: string;
  /** It takes a form with files. */
  recibe?: Recibe;
  /** The old client asked this by GET, though it changes something. */
  porGet?: true;
  /** Whoever asks waits for a far side as long as it takes, as on its screen. */
  sinPrisa?: true;
  /** The old client reads `response: 'error'` in its refusals. */
  conResponse?: true;
  /** The names that this call has for fields of the form it fills in. A refusal names a field as its caller sent it. */
  campos?: Readonly<Record<string, string>>;
  /** It reads, though it is not asked by GET. */
  soloLee?: true;
  /** The call that takes its place, where an address holds what no address should: `POST /api/v1/receptores/buscar`. */
  sucesor?: string;
};

type Typed<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType, Who> = Described & {
  params?: P;
  query?: Q;
  body?: B;
  answer: A;
  /** The mark of what was answered, for If-None-Match and If-Match. */
  etag?: (answer: z.output<A>) => string;
  /** Where what it made, or asked for, can be read. */
  location?: (answer: z.output<A>) => string;
  /** What an answer says by now that is given again to a repeated key; without it, the words of then. */
  again?: (db: Db, answer: z.output<A>) => Promise<Crudo<z.output<A>>>;
} & (
    | { run(db: Db, asked: Asked<In<P>, In<Q>, In<B>, Who>): Promise<Crudo<z.output<A>> | Written | Response> }
    /** In one transaction with what is kept for its key, so that a repeated key finds its answer or nothing was done. */
    | { commit(trx: Trx, asked: Asked<In<P>, In<Q>, In<B>, Who>): Promise<Crudo<z.output<A>>> }
  );

export type AnyAsked = Asked<never, never, never, never>;
export type Call = Described & {
  alcance: string;
  acceso: Acceso;
  params?: z.ZodType | undefined;
  query?: z.ZodType | undefined;
  body?: z.ZodType | undefined;
  answer: z.ZodType;
  etag?: ((answer: never) => string) | undefined;
  location?: ((answer: never) => string) | undefined;
  again?: ((db: Db, answer: never) => Promise<unknown>) | undefined;
  run?: (db: Db, asked: AnyAsked) => Promise<unknown>;
  commit?: (trx: Trx, asked: AnyAsked) => Promise<unknown>;
  /** Rows of a list: how one is described, where its answer may hold only some of its fields. */
  fila?: z.ZodObject | undefined;
  /** The list that those rows are of. */
  lista?: List | undefined;
};

/** A call of somebody who is signed in. */
export function defineCall<
  A extends z.ZodType,
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = Nothing,
>(call: Typed<P, Q, B, A, Usuario> & Closed): Call {
  return call as unknown as Call;
}

/** A call of anyone. */
export function defineOpenCall<
  A extends z.ZodType,
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = Nothing,
>(call: Typed<P, Q, B, A, null>): Call {
  return { ...call, acceso: 'abierta', alcance: 'publico' } as unknown as Call;
}

export function rolesOf({ acceso }: Pick<Call, 'acceso'>): readonly Rol[] {
  if (acceso === 'abierta' || acceso === 'sesion') return ROLES;
  const { pantalla, derecho } = { pantalla: undefined, derecho: undefined, ...acceso };
  const shown: readonly Rol[] = pantalla ? SCREENS[pantalla].roles : ROLES;
  return shown.filter((rol) => !derecho || can({ rol }, derecho));
}

const derechoOf = ({ acceso }: Pick<Call, 'acceso'>): Action | undefined =>
  typeof acceso === 'object' ? acceso.derecho : undefined;

/** Whether it wants a password given a moment ago, as its screen does: no token of a program has one. */
export function wantsProof(call: Pick<Call, 'acceso'>): boolean {
  const derecho = derechoOf(call);
  return derecho !== undefined && needsProof(derecho);
}

export const changes = (call: Pick<Call, 'method' | 'soloLee'>) => call.method !== 'GET' && !call.soloLee;

/** What a personal token has to be allowed. */
export const alcanceOf = (call: Pick<Call, 'method' | 'soloLee' | 'alcance'>) =>
  `${call.alcance}:${changes(call) ? 'escribir' : 'leer'}`;
