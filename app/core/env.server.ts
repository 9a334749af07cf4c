import { z } from 'zod';
import { type Carpeta, folderFaults } from './carpetas.server';
import { parseKeyring } from './seal.server';
import { exampleOf, InvalidSettings } from './settingFaults';

const port = z.coerce.number().int().min(0).max(65_535);

const days = (least: number, usual: number) => z.coerce.number().int().min(least).max(36_500).default(usual);

const isSat = (url: string) => {
  const { origin, hostname } = new URL(url);
  return origin === 'https://siat.sat.gob.mx' || hostname === '127.0.0.1' || hostname === 'localhost';
};

/** Path-style address of a bucket, with or without a prefix, and no name that a signature would write otherwise. */
const BUCKET_PATH = /^\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w.-]+)*\/?$/;

function isBucket(url: string): boolean {
  if (!URL.canParse(url)) return url === '';
  const { protocol, hostname, pathname, username, password, search, hash } = new URL(url);
  const alone = username + password + search + hash === '';
  const safe = protocol === 'https:' || (protocol === 'http:' && hostname === '127.0.0.1');
  return alone && safe && BUCKET_PATH.test(pathname);
}

/** Fewest letters of a passphrase whose sealed words leave this machine, where nobody counts the tries. */
const CLAVE_FUERA = 16;

function isKeyring(text: string): boolean {
  try {
    parseKeyring(text);
    return true;
  } catch {
    return false;
  }
}

/** Every setting of web and worker; the README documents each. Invalid settings stop the start, all of them told at once. */
const Env = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('production'),
  DATABASE_URL: z.string().min(1),
  /**
   * Address of the same database and account without a PgBouncer in between. With this setting, DATABASE_URL is the
   * address of a PgBouncer in transaction mode.
   */
  DATABASE_URL_DIRECTA: z.string().default(''),
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  /**
   * Public address of the product, without a trailing slash. Links in mails, the marketplace's redirect_uri, the only
   * host answered and the same-origin check follow from this address.
   */
  APP_URL: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default(''),
  /** Number of trusted reverse proxies before the web process: so many hops of X-Forwarded-For are believed. */
  PROXY_HOPS: z.coerce.number().int().min(0).max(5).default(0),
  /** Seconds between the signal to stop and the closing of the socket, in which `/healthcheck/listo` says no. */
  CIERRE_ESPERA: z.coerce.number().min(0).max(120).default(5),
  /** Least grave lines that are written to the log; `debug` adds a line for each call of a far side. */
  LOG_NIVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  DB_POOL: z.coerce.number().int().min(2).max(200).default(10),
  /** Seconds that a request may wait for a connection of DB_POOL. While one has waited longer, new requests are told to come back, with 503. */
  DB_ESPERA: z.coerce.number().min(0.1).max(10).default(5),
  /** Most jobs at once in a lane of the worker; a lane may allow fewer. */
  WORKER_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(14),
  /** Keys as `id:base64(32 bytes)[,id:base64]`: the first key seals, every key opens. */
  LLAVES: z.string().min(1).refine(isKeyring, 'cada llave es id:base64 de 32 bytes, separadas por comas'),
  MARCA: z.string().default('Trastienda'),
  SKU_PREFIJO: z.string().default('AMS'),
  FACTURACOM_URL: z.string().default('https://api.factura.com'),
  MERCADOLIBRE_URL: z.string().default('https://api.mercadolibre.com'),
  MERCADOLIBRE_AUTH_URL: z.string().default('https://auth.mercadolibre.com.mx'),
  MERCADOPAGO_URL: z.string().default('https://api.mercadopago.com'),
  MERCADOLIBRE_CLIENT_ID: z.string().default(''),
  MERCADOLIBRE_CLIENT_SECRET: z.string().default(''),
  AMAZON_URL: z.string().default('https://sellingpartnerapi-na.amazon.com'),
  AMAZON_LWA_URL: z.string().default('https://api.amazon.com'),
  AMAZON_SELLER_URL: z.string().default('https://sellercentral.amazon.com.mx'),
  AMAZON_APP_ID: z.string().default(''),
  AMAZON_CLIENT_ID: z.string().default(''),
  AMAZON_CLIENT_SECRET: z.string().default(''),
  /** The AWS account where Amazon leaves notices of listings. Empty: changes of listings are only read by schedule. */
  AMAZON_EB_CUENTA: z.string().default(''),
  AMAZON_EB_REGION: z.string().default('us-east-1'),
  /** The address of the queue (SQS) where Amazon leaves notices of sales, with the keys that read it. Empty: sales are only read by schedule. */
  AMAZON_SQS_COLA: z.union([z.literal(''), z.url()]).default(''),
  AMAZON_SQS_REGION: z.string().default('us-east-1'),
  AMAZON_SQS_LLAVE: z.string().default(''),
  AMAZON_SQS_SECRETO: z.string().default(''),
  /**
   * Prices of Amazon without IVA (`neto`) or with IVA (`bruto`). When only the other reading adds up to the total of a
   * sale, the total outranks this setting.
   */
  AMAZON_PRECIOS: z.enum(['neto', 'bruto']).default('neto'),
  /** Secret segment in the path of the webhooks. */
  WEBHOOK_SECRETO: z.string().default(''),
  /** Longest time, in ms, for reading the PAC's list of all customers before a global is stamped. */
  GLOBAL_MIRADA_MS: z.coerce.number().int().min(0).max(15_000).default(12_000),
  /**
   * Concepts per global CFDI. factura.com publishes no limit. 500 concepts make a request and an XML of about 250 KB,
   * stamped well inside the minute that a call may take. A refusal then holds back 500 sales and not the whole month.
   */
  GLOBAL_CONCEPTOS: z.coerce.number().int().min(1).max(5_000).default(500),
  /**
   * `1` when the PAC demands InformacionGlobal in a credit note to PUBLICO EN GENERAL (CFDI40130). The SAT's own
   * examples omit InformacionGlobal.
   */
  NOTA_CREDITO_GLOBAL: z.enum(['0', '1']).default('0'),
  SYSCOM_URL: z.string().default('https://developers.syscom.mx'),
  /**
   * Address of Syscom's tokens; empty means `/oauth/token` of SYSCOM_URL. A published client asks
   * `/api/v1/oauth/token`.
   */
  SYSCOM_TOKEN_URL: z.string().default(''),
  /** CT answers over plain HTTP, and only to addresses that CT was told of. */
  CT_URL: z.string().default('http://connect.ctonline.mx:3001'),
  /**
   * Address of CT's files: `ftp://usuario:clave@servidor`, as CT gives it with the account, or http. Empty: CT's
   * catalogue is not read.
   */
  CT_CATALOGO_URL: z
    .union([z.literal(''), z.url({ protocol: /^(?:https?|ftp)$/ }).transform((url) => url.replace(/\/$/, ''))])
    .default(''),
  TS_URL: z.string().default('https://api.tecnosinergia.info/v3'),
  TVC_URL: z.string().default('https://api.tvc.mx'),
  CVA_URL: z.string().default('https://apicvaservices.grupocva.com/api/v2'),
  /** Domains of pictures of products. The worker fetches none from elsewhere. */
  IMAGENES_DE: z
    .string()
    .regex(/^[a-z0-9.\s,-]*$/)
    .default('syscom.mx ctonline.mx tvc.mx tecnosinergia.com grupocva.com'),
  /** `si` lets orders, confirmations and labels go to suppliers beyond this machine. */
  PROVEEDORES_PRODUCCION: z.string().default(''),
  SMTP_URL: z.string().default(''),
  /**
   * Look-up service for postal codes outside our own table: COPOMEX, or a service with the same calls. Empty: only the
   * table answers.
   */
  COPOMEX_URL: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/$/, ''))])
    .default(''),
  COPOMEX_TOKEN: z.string().default(''),
  /**
   * Address where the SAT shows the data behind a constancia's code: the SAT itself or a sandbox of this machine.
   * Empty: nobody is asked.
   */
  SAT_URL: z
    .union([z.literal(''), z.url().refine(isSat, 'es la dirección del SAT o está vacía')])
    .default('https://siat.sat.gob.mx'),
  /**
   * A ClamAV daemon (`host:puerto`) that inspects uploads. Empty: uploads are not inspected. While a daemon is set and
   * silent, no upload is accepted.
   */
  CLAMD: z.union([z.literal(''), z.string().regex(/^(?:[A-Za-z0-9.-]+|\[[0-9a-f:]+\]):\d{1,5}$/)]).default(''),
  CORREO_REMITENTE: z.string().default('Trastienda <facturas@trastienda.invalid>'),
  /** Factor for the waits of effects (leases, looks, retries); only tests set less than 1. */
  EFFECT_PACE: z.coerce.number().min(0.0001).max(1).default(1),
  /**
   * Factor for the deadlines of effects: the lease, the time until a send begins, the answer of a supplier. Absent:
   * EFFECT_PACE. Only tests change the factor.
   */
  EFFECT_DEADLINE: z.coerce.number().min(0.0001).max(1).optional(),
  /** Page of the shop, to where `/landing` redirects; empty means the home of this application. */
  LANDING_URL: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default(''),
  /**
   * Folders with watched free space, separated by the system's path delimiter. Empty: the working folder. The launcher
   * sets the list.
   */
  DISCOS: z.string().default(''),
  /** Token for the details of /healthcheck, for a monitor on this machine. Empty: only sa and admin see the details. */
  SALUD_TOKEN: z.union([z.literal(''), z.string().min(16)]).default(''),
  /** Token for /metrics, which Prometheus reads. Empty: nothing is measured, and there is no such address. */
  METRICAS_TOKEN: z.union([z.literal(''), z.string().min(16)]).default(''),
  /** Address of a collector of OpenTelemetry (OTLP over HTTP), which gets traces. Empty: nothing of it is loaded. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default(''),
  /** Folder of base backups and archived WAL; empty means no archive. */
  RESPALDOS: z.string().default(''),
  /** Number of base backups that are kept, in the folder and in the bucket. */
  RESPALDOS_GUARDAR: z.coerce.number().int().min(1).max(3_650).default(7),
  /** Seals the keys inside a backup, and everything that goes to the bucket. */
  RESPALDO_CLAVE: z.string().default(''),
  /**
   * Bucket of S3 to where backups and WAL of the folder are copied, as `https://server/bucket/prefix`. Empty: nothing
   * leaves. http only to this machine.
   */
  RESPALDOS_S3: z
    .string()
    .refine(isBucket, 'es https://servidor/bucket/prefijo (http solo a 127.0.0.1), sin usuario ni parámetros')
    .default(''),
  RESPALDOS_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .default('us-east-1'),
  RESPALDOS_S3_LLAVE: z.string().default(''),
  RESPALDOS_S3_SECRETO: z.string().default(''),
  /** Days of retention (README). Papers of the tax authority are never purged. */
  RETENCION_AVISOS: days(7, 30),
  RETENCION_EVIDENCIA: days(30, 730),
  RETENCION_INTENTOS: days(90, 1_826),
  RETENCION_PERSONALES: days(365, 1_826),
  RETENCION_BITACORA: days(1_826, 3_652),
  /** Age that ends a session, however busy: days with 'Recordarme', hours without. */
  SESION_DIAS: z.coerce.number().int().min(1).max(365).default(90),
  SESION_HORAS: z.coerce.number().int().min(1).max(168).default(24),
  /**
   * Roles that need a code besides their password, separated by commas; empty: none. Absent: sa and admin after a grace,
   * and none in the demo.
   */
  SEGUNDO_FACTOR: z
    .string()
    .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
    .pipe(z.array(z.enum(['sa', 'admin', 'user', 'aux', 'cont'])))
    .optional(),
  /** Most characters of a password (core/password). */
  PASSWORD_MAX: z.coerce.number().int().min(16).max(128).default(16),
  /** Minutes during which a password or a code proves the person behind a form (access/actions, PROVEN). */
  PRUEBA_MINUTOS: z.coerce.number().int().min(1).max(1_440).default(15),
  /**
   * Folder for the shape of each answer of an outside API, without personal data (`npm run capturas`). Empty: nothing
   * is kept.
   */
  CAPTURAS: z.string().default(''),
  /** Requests per minute that the tokens of a single person may make. */
  API_POR_MINUTO: z.coerce.number().int().min(1).max(1_000_000).default(3_000),
  /** Ports to which new webhooks may go, separated by commas. Private networks (GANCHOS_RED_PRIVADA) take any. */
  GANCHOS_PUERTOS: z
    .string()
    .regex(/^\d{1,5}(?:,\d{1,5})*$/)
    .default('443'),
  /** `1` allows webhooks to addresses of private networks, and over plain HTTP. */
  GANCHOS_RED_PRIVADA: z.enum(['', '0', '1']).default(''),
  /** `1` answers changes that the old client asks for by GET. Each is logged, and a request from a page is refused. */
  API_GET_MUTANTE: z.enum(['', '0', '1']).default(''),
  /** The old client's calls refuse with the statuses of before, in place of the flag with 200. */
  API_ESTADOS_ANTERIORES: z.enum(['', '0', '1']).default(''),
  /** Address of the sandbox of outside APIs, set by the launcher. Pages of the demo link to the sandbox. */
  SANDBOX_URL: z.string().default(''),
  /**
   * File of the sandbox, set by the launcher, with the hour (`HH:MM`) by which the suppliers that the sandbox plays
   * open and close. Refused without a sandbox on this machine.
   */
  SANDBOX_HORAS: z.string().default(''),
  /** `1` only in the demo: the login page shows the demo users. */
  DEMO: z.enum(['', '0', '1']).default(''),
});

const isOfThisMachine = (url: string) =>
  URL.canParse(url) && ['127.0.0.1', 'localhost'].includes(new URL(url).hostname);

/** Settings that mean nothing without others. Half an application of a marketplace is told on its card, and stops nobody. */
const NEEDS: Partial<Record<keyof z.infer<typeof Env>, readonly (keyof z.infer<typeof Env>)[]>> = {
  AMAZON_SQS_COLA: ['AMAZON_SQS_LLAVE', 'AMAZON_SQS_SECRETO'],
  COPOMEX_TOKEN: ['COPOMEX_URL'],
  RESPALDOS_S3: ['RESPALDOS_S3_LLAVE', 'RESPALDOS_S3_SECRETO', 'RESPALDO_CLAVE'],
};

const custom = (ajuste: string, message: string): z.core.$ZodIssue => ({
  code: 'custom',
  path: [ajuste],
  message,
  input: undefined,
});

/** Says of settings that are well written what is impossible of them together. */
function clashesIn(given: NodeJS.ProcessEnv): z.core.$ZodIssue[] {
  return [
    ...(given.SANDBOX_HORAS && !isOfThisMachine(given.SANDBOX_URL ?? '')
      ? [custom('SANDBOX_HORAS', 'solo vale con un sandbox de esta máquina (SANDBOX_URL)')]
      : []),
    // A restore needs no folder (`bucketOf`).
    ...(given.RESPALDOS_S3 && !given.RESPALDOS && given.DATABASE_URL
      ? [custom('RESPALDOS', 'falta: lo que va al bucket sale de esa carpeta')]
      : []),
    ...(given.RESPALDOS_S3 && given.RESPALDO_CLAVE && given.RESPALDO_CLAVE.length < CLAVE_FUERA
      ? [custom('RESPALDO_CLAVE', `tiene al menos ${CLAVE_FUERA} letras cuando algo sale de esta máquina`)]
      : []),
    ...Object.entries(NEEDS).flatMap(([name, needed]) =>
      given[name]
        ? needed.filter((other) => !given[other]).map((other) => custom(other, `falta: va junto con ${name}`))
        : [],
    ),
  ];
}

/** The settings of a process that was told only what it needs. */
const usual = () => Env.partial().parse({});

/** Returns every setting in the order of the schema, with its usual value (empty where it has none) and a value that would do. */
export function describeSettings(): { name: string; usual: string; example: string }[] {
  const values: Record<string, unknown> = usual();
  return Object.keys(Env.shape).map((name) => ({ name, usual: String(values[name] ?? ''), example: exampleOf(name) }));
}

export type Env = z.infer<typeof Env> & { EFFECT_DEADLINE: number };

let read: Env | undefined;

/**
 * Returns the settings of this process. The environment is read at the first call. Throws `InvalidSettings`, which names
 * every invalid setting.
 */
export const env = (): Env => (read ??= readEnv([]));

/** Returns the settings of a process that begins, as `env` does. Throws also for the folders that it uses and cannot use. */
export const requireEnv = (folders: readonly Carpeta[]): Env => (read = readEnv(folders));

function readEnv(folders: readonly Carpeta[]): Env {
  const parsed = Env.safeParse(process.env);
  const issues = [
    ...(parsed.error?.issues ?? []),
    ...clashesIn(process.env),
    ...folderFaults(process.env, folders).map(({ ajuste, dice }) => custom(ajuste, dice)),
  ];
  if (!parsed.success || issues.length > 0) throw new InvalidSettings(issues, process.env, usual());
  return {
    ...parsed.data,
    EFFECT_DEADLINE: parsed.data.EFFECT_DEADLINE ?? parsed.data.EFFECT_PACE,
    APP_URL: (parsed.data.APP_URL || `http://127.0.0.1:${parsed.data.PORT}`).replace(/\/$/, ''),
  };
}

/** Returns the address of the database that goes through no PgBouncer, for commands that hold their session. */
export const directUrlOf = ({ DATABASE_URL: url, DATABASE_URL_DIRECTA: direct }: Env): string => direct || url;

/** The bucket of the backups, the keys that open it, and the passphrase that seals what goes there. */
export type AjustesDeBucket = { url: string; region: string; llave: string; secreto: string; clave: string };

const DeBucket = Env.pick({
  RESPALDO_CLAVE: true,
  RESPALDOS_S3: true,
  RESPALDOS_S3_REGION: true,
  RESPALDOS_S3_LLAVE: true,
  RESPALDOS_S3_SECRETO: true,
});

/**
 * Returns the bucket that an environment names, for commands that run without the other settings; undefined when it
 * names none. Throws `InvalidSettings`.
 */
export function bucketOf(given: NodeJS.ProcessEnv): AjustesDeBucket | undefined {
  const parsed = DeBucket.safeParse(given);
  const clashes = clashesIn({ ...given, DATABASE_URL: undefined });
  const issues = [...(parsed.error?.issues ?? []), ...clashes.filter(({ path }) => String(path[0]) in DeBucket.shape)];
  if (!parsed.success || issues.length > 0) throw new InvalidSettings(issues, given, usual());
  const { RESPALDOS_S3: url, RESPALDO_CLAVE: clave, ...rest } = parsed.data;
  const { RESPALDOS_S3_REGION: region, RESPALDOS_S3_LLAVE: llave, RESPALDOS_S3_SECRETO: secreto } = rest;
  return url === '' ? undefined : { url, region, llave, secreto, clave };
}

/** Returns which of these settings are empty. */
export const missingOf = (names: readonly (keyof Env)[]): string[] => names.filter((name) => env()[name] === '');

/**
 * Makes the next `env()` read the environment again, for a process that runs several test files with settings of their
 * own.
 */
export function forgetEnv(): void {
  read = undefined;
}
