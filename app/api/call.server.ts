import type { z } from 'zod';
import { can, needsProof, type Action } from '~/access/actions';
import { ROLES, SCREENS, type Rol } from '~/access/screens';
import type { Usuario } from '~/core/usuario';
import type { List } from '~/platform/lists/list.server';
import type { Db, Trx } from '~db/client.server';
import type { Crudo, Written } from './wire';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may call: the roles of a screen or of a right, out of the same tables that the screens read. */
export type Acceso =
  | { pantalla: keyof typeof SCREENS; derecho?: Action }
  | { derecho: Action }
  /** Everybody with a session or a token. */
  | 'sesion'
  /** Everybody: the path holds all that the call needs. */
  | 'abierta';

type Nothing = z.ZodType<undefined, undefined>;
type In<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : undefined;

/** Input of a call. `version` comes from If-Match, for calls that edit. */
export type Asked<P, Q, B, Who> = {
  params: P;
  query: Q;
  body: B;
  usuario: Who;
  version: number;
  request: Request;
  search: URLSearchParams;
  /** An id for what the call makes. It is the same for the same Idempotency-Key, so a repeat after a lost answer makes nothing again. */
  clave: string;
  /** Files of a form, in the order of the form. */
  archivos: readonly File[];
  /** The token of the caller's session; null for the token of a program. */
  sesion: string | null;
  ip: string;
  now: Date;
};

type Closed = {
  /** The subject of the permission that a personal token needs: `ordenes` for `ordenes:leer` and `ordenes:escribir`. */
  alcance: string;
  acceso: Exclude<Acceso, 'abierta'>;
};

/** A form with files: the files stand in `campo`, the other data as JSON in `cuerpo` or as fields. */
export type Recibe = {
  campo: string;
  cuerpo?: string;
  /** True where a body of JSON alone is taken as well, without a file. */
  opcional?: true;
  varios?: true;
  /** True for a file that is too large to be held: the call reads it from the request as it arrives. */
  corriente?: true;
};

type Described = {
  method: Method;
  /** Path as OpenAPI writes it: `/api/v1/ordenes/{id}`. */
  path: string;
  /** Summary in a line, for people. */
  resumen: string;
  status?: 200 | 201 | 202;
  /** True where the call changes a row with a version and wants that version as If-Match. */
  conVersion?: true;
  /** True where the answer holds a secret: the answer is not kept for a repeated key. */
  secreta?: true;
  /** Type of the file that the call answers with, in place of JSON. */
  archivo?: string;
  /** The form with files that the call takes. */
  recibe?: Recibe;
  /** True where the old client used GET for a change. */
  porGet?: true;
  /** True where the caller waits for a far side as long as its screen does. */
  sinPrisa?: true;
  /** True where the old client reads `response: 'error'` in refusals. */
  conResponse?: true;
  /** Names of this call for fields of the form that it fills in. A refusal names a field as the caller sent it. */
  campos?: Readonly<Record<string, string>>;
  /** True for a call that only reads though its method is not GET. */
  soloLee?: true;
  /** The call to use instead, where a path holds personal data or a token: `POST /api/v1/receptores/buscar`. */
  sucesor?: string;
};

type Typed<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType, Who> = Described & {
  params?: P;
  query?: Q;
  body?: B;
  answer: A;
  /** Returns the mark of an answer, for If-None-Match and If-Match. */
  etag?: (answer: z.output<A>) => string;
  /** Returns the address of what the call made or asked for. */
  location?: (answer: z.output<A>) => string;
  /** Brings a kept answer up to date before a repeated key gets it. Without it the kept answer is given as it was. */
  again?: (db: Db, answer: z.output<A>) => Promise<Crudo<z.output<A>>>;
} & (
    | { run(db: Db, asked: Asked<In<P>, In<Q>, In<B>, Who>): Promise<Crudo<z.output<A>> | Written | Response> }
    /** The command, in one transaction with the answer that is kept for the key: a repeated key finds that answer, or nothing was done. */
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
  /** Schema of a row of a list, whose answer may hold some of the fields only. */
  fila?: z.ZodObject | undefined;
  /** The list of those rows. */
  lista?: List | undefined;
};

/** Defines a call for callers with a session or a token. */
export function defineCall<
  A extends z.ZodType,
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = Nothing,
>(call: Typed<P, Q, B, A, Usuario> & Closed): Call {
  return call as unknown as Call;
}

/** Defines a call for everybody. */
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

/** Returns whether a call wants a password that was given a moment ago, as its screen does. The token of a program never has one. */
export function wantsProof(call: Pick<Call, 'acceso'>): boolean {
  const derecho = derechoOf(call);
  return derecho !== undefined && needsProof(derecho);
}

export const changes = (call: Pick<Call, 'method' | 'soloLee'>) => call.method !== 'GET' && !call.soloLee;

/** Returns the permission that a personal token needs for a call. */
export const alcanceOf = (call: Pick<Call, 'method' | 'soloLee' | 'alcance'>) =>
  `${call.alcance}:${changes(call) ? 'escribir' : 'leer'}`;
