import { env } from '~/core/env.server';
import { Refused } from '~/integrations/errors';
import type { Trace } from '~/integrations/http.server';
import type { Acceso } from '~/integrations/proveedores/acceso';
import type { Capacidades, Lector } from '~/integrations/proveedores/cara';
import { type Budget, defineConnection, type FarAccount, type FarSide, type KeyField, type Keys } from './definition';
import type { Db } from '~db/client.server';
import { openCredential } from './credentials.server';
import { leasedTokens } from './leasedTokens.server';
import { takeTurno } from './turno.server';

/** Somebody waits before a page for each of these reads. */
const LEER_MS = 10_000;
const ESCRIBIR_MS = 60_000;

type Proveedor<Kind extends string, Writer> = {
  kind: Kind;
  label: string;
  budget: Omit<Budget, 'atOnce'>;
  fields: readonly KeyField[];
  capacidades: Capacidades;
  /** Whose these keys are, and a way in with them. */
  identify(keys: Keys): Promise<FarAccount & { acceso: Acceso }>;
  acceso(db: Db): Acceso;
  leer(acceso: Acceso, options: { turno?: () => Promise<void>; timeoutMs: number }): Lector;
  /** Made for effects alone. */
  escribir(acceso: Acceso, options: { trace: Trace; timeoutMs: number }): Writer;
  seen?: FarSide['seen'];
};

/** A wholesaler as a far side. It takes one order at a time, and its reads and orders share one budget. */
export function defineProveedor<const Kind extends string, Writer>(proveedor: Proveedor<Kind, Writer>) {
  const { kind, label, fields, capacidades, identify, acceso, leer, escribir, seen } = proveedor;
  const budget = { ...proveedor.budget, atOnce: 1 };
  const read = (db: Db, quien: 'persona' | 'maquina') =>
    leer(acceso(db), { turno: () => takeTurno(db, { kind, label, budget }, quien), timeoutMs: LEER_MS });
  return defineConnection({
    kind,
    as: kind,
    label,
    wire: 'HTTP',
    budget,
    standby: 0,
    capabilities: ['productos'],
    link: {
      type: 'keys',
      fields,
      async whoIs(keys) {
        const { acceso: way, ...account } = await identify(keys);
        await leer(way, { timeoutMs: LEER_MS }).comprobar();
        return account;
      },
    },
    paused: { stops: `No se consultan precios ni existencias de ${label}.`, screens: [] },
    open(db) {
      const way = acceso(db);
      return (trace): Writer => escribir(way, { trace, timeoutMs: Math.max(1_000, ESCRIBIR_MS * env().EFFECT_PACE) });
    },
    proveedor: { capacidades, leer: read },
    seen,
    check: (db) => read(db, 'persona').comprobar(),
  });
}

/** A token asked for with the keys, kept beside them in the row and renewed once for all processes. */
export function accesoRenovado(
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

/** A key that is the token itself. */
export function accesoGuardado(db: Db, connection: string, label: string): Acceso {
  return {
    async current() {
      const credential = await openCredential(db, connection);
      if (!credential)
        throw new Refused(`${label} no está vinculado. Guarda su llave en Activación de API.`, { account: true });
      return { token: credential.secrets.token ?? '', version: credential.version };
    },
  };
}
