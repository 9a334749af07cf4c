import { createHash } from 'node:crypto';
import { env } from '~/core/env.server';
import type { FilaDeRechazo } from '~/core/rechazo';
import { Refused } from '~/integrations/errors';
import type { Trace } from '~/integrations/http.server';
import { type Acceso, accesoFijo } from '~/integrations/proveedores/acceso';
import type { Capacidades, Lector, LeerLista } from '~/integrations/proveedores/cara';
import type { Db } from '~db/client.server';
import { openCredential } from '~/platform/connections/credentials.server';
import { type Budget, defineConnection, type KeyField, type Keys } from '~/platform/connections/definition';
import { leasedTokens } from '~/platform/connections/leasedTokens.server';
import { finOfLlave } from '../llave';
import { takeCall } from '~/platform/connections/bucket.server';
import type { FormaDeCompra } from '../compra';

/** Time limit of a read: somebody waits for the page. */
const LEER_MS = 10_000;
const ESCRIBIR_MS = 60_000;

type LeerOptions = {
  acceso: Acceso;
  takeCall?: () => Promise<void>;
  takeFullRead?: () => Promise<void>;
  timeoutMs: number;
};

/** `guardado` gives one of the saved keys unchanged. `takeCall` is for reads of many calls; an effect has the call that it was given. */
type EscribirOptions = {
  acceso: Acceso;
  trace: Trace;
  timeoutMs: number;
  guardado(campo: string): Acceso;
  takeCall(): Promise<void>;
};

type Proveedor<Kind extends string, Writer> = {
  kind: Kind;
  label: string;
  budget: Required<Omit<Budget, 'atOnce'>>;
  /** Minutes between two reads of the whole catalogue, for a supplier that gives it in one heavy answer. */
  completaCadaMin?: number;
  /** Hours at which the supplier does not answer everything, in words. */
  horario?: string;
  fields: readonly KeyField[];
  rechazos: readonly FilaDeRechazo[];
  capacidades: Capacidades;
  /** What people choose once for all orders there. */
  compra: FormaDeCompra;
  /** Capabilities that change with the keys of the account. */
  segunLlaves?(keys: Keys): Partial<Capacidades>;
  leer(options: LeerOptions): Lector;
  /** Client that writes, made for effects alone. Absent when nothing is ordered by API. */
  escribir?(options: EscribirOptions): Writer;
  /** Reader of its price list, when people have one as a file. */
  lista?: LeerLista;
  /** End of the keys, when they tell it and nothing renews them. */
  vence?(keys: Keys): Date | null;
} & (
  | {
      /** Asks for a token with the keys. */
      login(keys: Keys): Promise<{ token: string; validForSeconds: number; cuenta?: string | null }>;
      /** Key that names the account, for a supplier whose answer to a login names none. */
      cuenta: string;
    }
  /** The key `token` is the token itself. */
  | { login?: never; cuenta?: never }
);

/**
 * Returns a supplier as a far side: how its account is linked, how its catalogue is read (`proveedor`), and the client of its effects (`open`). Reads
 * and orders share one budget. The lane sends one order at a time, and a supplier without `escribir` has no lane. New keys are tried at the supplier
 * before they are kept.
 */
export function defineProveedor<const Kind extends string, Writer>(proveedor: Proveedor<Kind, Writer>) {
  const { kind, label, fields, capacidades, segunLlaves, login, cuenta, leer, escribir, vence, completaCadaMin } =
    proveedor;
  const acceso = (db: Db) => (login ? accesoRenovado(db, kind, label, login) : accesoGuardado(db, kind, label));
  // A supplier without orders by API needs no lane.
  const budget = { ...proveedor.budget, atOnce: escribir ? 1 : 0 };
  // A bucket that holds one token. A reader that finds it empty does not wait but comes again later.
  const completa =
    completaCadaMin === undefined
      ? undefined
      : {
          kind: `${kind}:catalogo`,
          label,
          budget: { atOnce: 1, perSecond: 1 / (completaCadaMin * 60), burst: 1 },
        };
  const take = (db: Db, quien: 'persona' | 'maquina') => () => takeCall(db, { kind, label, budget }, quien);
  const read = (db: Db, quien: 'persona' | 'maquina') =>
    leer({
      acceso: acceso(db),
      takeCall: take(db, quien),
      takeFullRead: completa && (() => takeCall(db, completa, 'persona')),
      timeoutMs: LEER_MS,
    });
  return defineConnection({
    kind,
    as: kind,
    label,
    wire: 'HTTP',
    budget,
    standby: 0,
    capabilities: { productos: 'precios y existencias' },
    link: {
      type: 'keys',
      fields,
      async whoIs(keys) {
        const { token = '' } = keys;
        const entrada = login ? await login(keys) : { token, cuenta: huellaOf(token) };
        await leer({ acceso: accesoFijo(entrada.token), timeoutMs: LEER_MS }).comprobar();
        return { account: entrada.cuenta ?? keys[cuenta ?? ''] ?? '', label };
      },
    },
    rechazos: proveedor.rechazos,
    paused: { stops: `No se consultan precios ni existencias de ${label}.`, screens: [] },
    open(db) {
      const way = acceso(db);
      const timeoutMs = Math.max(1_000, ESCRIBIR_MS * env().EFFECT_DEADLINE);
      const guardado = (campo: string) => accesoGuardado(db, kind, label, campo);
      const options = { acceso: way, timeoutMs, guardado, takeCall: take(db, 'maquina') };
      return (trace) => escribir?.({ ...options, trace }) ?? ({} as Writer);
    },
    proveedor: {
      capacidades,
      compra: proveedor.compra,
      async capacidadesDe(db) {
        if (!segunLlaves) return capacidades;
        const credential = await openCredential(db, kind);
        return { ...capacidades, ...segunLlaves(credential?.secrets ?? {}) };
      },
      leer: read,
      lista: proveedor.lista,
      limites: limitesOf(proveedor),
      vence: vence && ((db) => expiryOf(db, kind, vence)),
    },
    seen:
      vence &&
      (async (db) => [await expiryOf(db, kind, vence)].flatMap((fin) => (fin ? [finOfLlave(label, fin)] : []))),
    check: (db) => read(db, 'persona').comprobar(),
  });
}

function limitesOf({ budget, completaCadaMin, horario }: Proveedor<string, unknown>): string[] {
  const { perSecond, burst, forPeople } = budget;
  return [
    `Hasta ${Math.round(perSecond * 60)} consultas por minuto, ${burst} seguidas. De estas, ${forPeople} quedan para las personas.`,
    ...(completaCadaMin === undefined ? [] : [`El catálogo completo, cada ${completaCadaMin} minutos a lo más.`]),
    ...(horario === undefined ? [] : [horario]),
  ];
}

async function expiryOf(db: Db, kind: string, vence: (keys: Keys) => Date | null): Promise<Date | null> {
  const credential = await openCredential(db, kind);
  return credential && vence(credential.secrets);
}

/** Access with a token that the keys buy. The token is kept beside them in the row and renewed once for all processes. */
function accesoRenovado(
  db: Db,
  connection: string,
  label: string,
  login: (keys: Keys) => Promise<{ token: string; validForSeconds: number }>,
): Acceso {
  return leasedTokens(db, {
    connection,
    label,
    ended: `${label} ya no reconoce las llaves. Guárdalas otra vez.`,
    tokenOf: ({ token = '' }) => token,
    async renew(keys) {
      const { token, validForSeconds } = await login(keys);
      return { secrets: { ...keys, token }, expiresInSeconds: validForSeconds };
    },
    isDead: (error) => error instanceof Refused && error.details.account === true,
  });
}

/** Short name of a key that does not tell whose it is. */
const huellaOf = (llave: string) => createHash('sha256').update(llave).digest('hex').slice(0, 8);

/** Access with a key that is the token itself. */
function accesoGuardado(db: Db, connection: string, label: string, campo = 'token'): Acceso {
  return {
    async current() {
      const credential = await openCredential(db, connection);
      if (!credential)
        throw new Refused(`${label} no está vinculado. Guarda su llave en Activación de API.`, { account: true });
      return { token: credential.secrets[campo] ?? '', version: credential.version };
    },
  };
}

declare module '~/platform/connections/definition' {
  interface Capabilities {
    productos: 'precios y existencias';
  }
  interface FarSideTraits {
    /** Catalogue, prices and orders of a supplier, as people or a machine read them with the linked account. */
    proveedor?: {
      /** Capabilities with every key the account may have. */
      capacidades: Capacidades;
      /** What people choose once for all orders there. */
      compra: FormaDeCompra;
      /** Capabilities of the linked account. An optional key that is missing may take an operation away. */
      capacidadesDe(db: Db): Promise<Capacidades>;
      leer(db: Db, quien: 'persona' | 'maquina'): Lector;
      /** Reader of its price list, when people have one as a file. */
      lista?: LeerLista;
      /** Limits of its API, in words. */
      limites: string[];
      /** End of the linked account's key, when the key tells it and nothing renews it. */
      vence?(db: Db): Promise<Date | null>;
    };
  }
}
