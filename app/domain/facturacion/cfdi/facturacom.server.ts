import { env } from '~/core/env.server';
import { Refused } from '~/integrations/errors';
import {
  createFacturacomReader,
  type FacturacomReader,
  type ReaderOptions,
} from '~/integrations/facturacom/read.server';
import { createFacturacomWriter, type FacturacomWriter } from '~/integrations/facturacom/write.server';
import { RECHAZOS_FACTURACOM } from '~/integrations/facturacom/rechazos';
import type { Db, Trx } from '~db/client.server';
import { openCredential } from '~/platform/connections/credentials.server';
import { RECHAZOS_DEL_SAT } from './explainPac';
import { noteCuentaPac, readCuentaPac, sondeoDicho } from './internal/cuentaPac.server';
import { defineConnection } from '~/platform/connections/definition';
import type { ClientOf } from '~/platform/connections/registry.server';

/** Both halves of the PAC's client; effects alone get it. */
export type Pac = FacturacomReader & FacturacomWriter;
export type PacKeys = { baseUrl: string; apiKey: string; secret: string; lista: ReaderOptions['lista'] };

/** Time after which keys are read again. Bulk work does not ask the table for each CFDI, and new keys are in use almost at once. */
const KEYS_FRESH_MS = 2_000;
const CHECK_MS = 10_000;

/** Sentences of the card about repeated order numbers: an unclear stamp may be sent again only where the account refuses them. */
const REPETIDOS = {
  rechaza: 'La cuenta rechaza un número de orden repetido: un timbrado que no llegó se vuelve a enviar solo.',
  admite:
    'La cuenta timbra un número de orden repetido: si un timbrado queda sin respuesta, una persona decide en Pendientes si se envía otra vez.',
  noVisto:
    'No se ha visto si la cuenta rechaza un número de orden repetido: mientras tanto, si un timbrado queda sin respuesta, una persona decide en Pendientes si se envía otra vez.',
};

/** The row of factura.com among the connections. */
export const facturacom = defineConnection({
  kind: 'facturacom',
  as: 'pac',
  label: 'factura.com',
  wire: 'HTTP',
  budget: { atOnce: 5, perSecond: 50, burst: 100 },
  // Connections of the worker beside those that call: a stamped CFDI is read back and written down while the next one is sent.
  standby: 9,
  capabilities: { timbrado: 'timbrado', cancelacion: 'cancelación', clientes: 'datos fiscales' },
  link: {
    type: 'keys',
    fields: [
      { name: 'apiKey', label: 'apiKey' },
      { name: 'secret', label: 'secret' },
    ],
  },
  rechazos: [...RECHAZOS_FACTURACOM, ...RECHAZOS_DEL_SAT],
  paused: {
    stops:
      'No se timbra ni se cancela nada, ni se guardan datos fiscales en el PAC; lo que se pida queda en espera y sale al activarla.',
    screens: ['facturacion', 'facturacionGeneral', 'facturasClientes', 'datosFiscales'],
  },
  open(db) {
    let keys: { at: number; read: Promise<PacKeys> } | undefined;
    const freshKeys = () => {
      if (!keys || performance.now() - keys.at > KEYS_FRESH_MS) keys = { at: performance.now(), read: pacKeys(db) };
      keys.read.catch(() => (keys = undefined));
      return keys.read;
    };
    return async (trace): Promise<Pac> => {
      const { lista, ...credentials } = await freshKeys();
      const options = {
        trace,
        stampTimeoutMs: Math.max(1_000, 60_000 * env().EFFECT_PACE),
        timeoutMs: Math.max(1_000, 30_000 * env().EFFECT_PACE),
      };
      return {
        ...createFacturacomReader(credentials, { ...options, lista }),
        ...createFacturacomWriter(credentials, options),
      };
    };
  },
  async seen(db) {
    const visto = await readCuentaPac(db);
    const { listaError, repetidos, repetidosEn } = visto;
    const lista = {
      tono: 'mal' as const,
      texto: `No se pudo leer la lista de CFDI de la cuenta: ${listaError}. Sin ella no se puede comprobar si se timbró lo que quedó sin respuesta.`,
    };
    return [
      ...(listaError ? [lista] : []),
      {
        tono: repetidos === 'rechaza' ? ('ok' as const) : ('aviso' as const),
        texto: REPETIDOS[repetidos ?? 'noVisto'],
        en: repetidosEn,
        nota: await sondeoDicho(db, visto),
      },
    ];
  },
  async check(db) {
    await createFacturacomReader(await pacKeys(db), { timeoutMs: CHECK_MS }).account();
  },
});

/** The keys of factura.com, with the way its list is read. Throws Refused (account) when factura.com is not linked. */
export async function pacKeys(db: Db | Trx): Promise<PacKeys> {
  const credential = await openCredential(db, 'facturacom');
  if (!credential)
    throw new Refused('factura.com no está vinculado. Guarda sus llaves en Activación de API.', { account: true });
  return {
    baseUrl: env().FACTURACOM_URL,
    apiKey: credential.secrets.apiKey ?? '',
    secret: credential.secrets.secret ?? '',
    lista: {
      modo: (await readCuentaPac(db)).lista,
      learn: (modo) => noteCuentaPac(db, { lista: modo, listaError: null }),
    },
  };
}

declare module '~/platform/connections/registry.server' {
  interface FarSides {
    facturacom: ClientOf<typeof facturacom>;
  }
}

declare module '~/platform/connections/definition' {
  interface Capabilities {
    timbrado: 'timbrado';
    cancelacion: 'cancelación';
    clientes: 'datos fiscales';
  }
}
