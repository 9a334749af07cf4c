import { randomBytes, randomInt } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, delimiter, join, resolve } from 'node:path';
import { makeFolder } from './carpeta.mjs';
import { at, Complaint } from './project.mjs';

/**
 * Ceiling of Node's heap. Under a ceiling Node collects sooner and holds half the memory after a heavy hour, at nearly
 * the same speed; without a ceiling Node takes all the memory of a big machine.
 */
const OLD = '--max-old-space-size=256';
/**
 * Environment of frugal processes. With an arena for each thread, glibc keeps 15 MB more after a busy time. Other
 * systems ignore the variable.
 */
export const FRUGAL_ENV = { MALLOC_ARENA_MAX: '2' };
/** Arguments of a process of the build: of the current one, or of the one in this folder. */
export const programOf = (name, folder) => [
  '--enable-source-maps',
  'bin/proceso.mjs',
  folder ? `${basename(folder)}/${name}` : name,
];
/**
 * Arguments of the web process, of the current build or of the one in this folder. The web runs without source maps:
 * its bundle has none, and reading those of its packages costs 16 MB.
 */
export const webOf = (folder) => [OLD, '--max-semi-space-size=4', 'bin/web.mjs', ...(folder ? [basename(folder)] : [])];
/**
 * Options of Node for the worker. Objects of a catalogue are short-lived. A large young generation saves a quarter of
 * the processor time of a reading, for 30 MB more during the reading.
 */
export const WORKER_OPTIONS = [OLD, '--max-semi-space-size=16'];
/** Arguments of the worker, of the current build or of the one in this folder. */
export const workerOf = (folder) => [...WORKER_OPTIONS, ...programOf('worker', folder)];

/**
 * Returns the settings of the launcher from the environment. PORT=0 takes free ports (tests). Throws a Complaint for
 * settings that do not fit.
 */
export async function readSettings(env = process.env) {
  const host = env.HOST || '127.0.0.1';
  const port = (await portOf('PORT', env.PORT, 3000)) || (await freePort());
  const sandbox = env.SANDBOX !== 'off';
  const [sandboxPort, smtpPort] = await sandboxPorts(env, port);
  const dataDir = resolve(at(), env.DATA_DIR || '.data');
  const appUrl = env.APP_URL || `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
  const backups = env.RESPALDOS ? resolve(at(), env.RESPALDOS) : undefined;
  const databaseUrl = env.DATABASE_URL || undefined;
  const ownerUrl = env.MIGRACION_URL || undefined;
  if (ownerUrl && !databaseUrl)
    throw new Complaint('MIGRACION_URL es la cuenta dueña de la base de DATABASE_URL: indica las dos.');
  const directUrl = env.DATABASE_URL_DIRECTA || undefined;
  if (directUrl && !ownerUrl)
    throw new Complaint('Con DATABASE_URL_DIRECTA, la cuenta dueña entra por MIGRACION_URL, también sin PgBouncer.');
  const startedBy = startersIn(env);
  return {
    host,
    port,
    sandbox,
    sandboxPort,
    smtpPort,
    dataDir,
    backups,
    appUrl,
    databaseUrl,
    directUrl,
    ownerUrl,
    startedBy,
  };
}

/** Returns the process ids in ARRANCADO_POR: those of a test run, with which its product ends. */
const startersIn = ({ ARRANCADO_POR: pids = '' }) =>
  pids
    .split(',')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 0);

async function sandboxPorts(env, port) {
  const first = await portOf('SANDBOX_PORT', env.SANDBOX_PORT, env.PORT === '0' ? 0 : port + 1);
  return first === 0
    ? [await freePort(), await freePort()]
    : [first, await portOf('SANDBOX_SMTP_PORT', env.SANDBOX_SMTP_PORT, first + 1)];
}

function portOf(name, text, otherwise) {
  const port = text ? Number(text) : otherwise;
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Complaint(`${name}=${text} no es un puerto (0 a 65535).`);
  return port;
}

const listening = (port, host, work) =>
  new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen({ port, host, exclusive: true }, () => {
      const taken = server.address().port;
      server.close(() => done(work(taken)));
    });
  });

/** Returns a port of 127.0.0.1 that was free a moment ago. */
export const freePort = () => listening(0, '127.0.0.1', (port) => port);

/**
 * Returns a free port outside the system's range of automatic ports, so no other program gets the port before we
 * listen.
 */
export async function quietPort() {
  for (;;) {
    const port = await listening(randomInt(20_000, 32_000), '127.0.0.1', (number) => number).catch(() => undefined);
    if (port) return port;
  }
}

/** Throws a Complaint in plain words when another program has a needed port, before anything starts. */
export async function requirePorts({ host, port, sandbox, sandboxPort, smtpPort }) {
  const wanted = [
    ['PORT', port, host],
    ...(sandbox
      ? [
          ['SANDBOX_PORT', sandboxPort, '127.0.0.1'],
          ['SANDBOX_SMTP_PORT', smtpPort, '127.0.0.1'],
        ]
      : []),
  ];
  for (const [name, number, address] of wanted) {
    try {
      await listening(number, address, () => true);
    } catch (error) {
      if (error.code === 'EADDRINUSE') {
        throw new Complaint(
          `El puerto ${number} está ocupado por otro programa. Ciérralo o elige otro: ${name}=${number + 10} npm start`,
        );
      }
      if (error.code === 'EACCES')
        throw new Complaint(
          `No hay permiso para usar el puerto ${number}. Elige uno mayor que 1024: ${name}=3000 npm start`,
        );
      throw new Complaint(`No se puede usar ${address}:${number} (${error.code ?? error.message}).`);
    }
  }
}

/**
 * Returns the secrets of a data folder, made at the first call. Without these secrets, sealed data in the database
 * could not be opened again.
 */
export function secretsOf(dataDir) {
  const file = join(dataDir, 'secretos.json');
  if (!existsSync(file)) {
    makeFolder(dataDir);
    const secrets = {
      LLAVES: `local:${randomBytes(32).toString('base64')}`,
      WEBHOOK_SECRETO: randomBytes(24).toString('base64url'),
    };
    writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  }
  chmodSync(file, 0o600);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Credentials of the applications that the sandbox's marketplaces know, on any address. */
export const SANDBOX_APPLICATION = {
  MERCADOLIBRE_CLIENT_ID: '5503910054140000',
  MERCADOLIBRE_CLIENT_SECRET: 'sandbox-secret-ml',
  AMAZON_APP_ID: 'amzn1.sp.solution.0f0e0d0c-demo-4000-8000-000000000001',
  AMAZON_CLIENT_ID: 'amzn1.application-oa2-client.demo0001',
  AMAZON_CLIENT_SECRET: 'sandbox-secret-amz',
};

/** Returns the addresses of the far sides in the sandbox, with the keys that the sandbox knows. */
export function sandboxAddresses(api, smtpPort) {
  return {
    SANDBOX_URL: api,
    FACTURACOM_URL: `${api}/facturacom/api`,
    MERCADOLIBRE_URL: `${api}/mercadolibre`,
    MERCADOLIBRE_AUTH_URL: `${api}/mercadolibre-auth`,
    MERCADOPAGO_URL: `${api}/mercadopago`,
    AMAZON_URL: `${api}/amazon`,
    AMAZON_LWA_URL: `${api}/amazon-lwa`,
    AMAZON_SELLER_URL: `${api}/amazon-seller`,
    ...SANDBOX_APPLICATION,
    SYSCOM_URL: `${api}/syscom`,
    CT_URL: `${api}/ct`,
    CT_CATALOGO_URL: `${api}/ct/ftp`,
    TVC_URL: `${api}/tvc`,
    TS_URL: `${api}/ts/v3`,
    CVA_URL: `${api}/cva/api/v2`,
    COPOMEX_URL: `${api}/codigosPostales`,
    COPOMEX_TOKEN: 'sandbox-token-cp',
    SAT_URL: `${api}/sat`,
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
  };
}

/** Returns the file with the hour by which the sandbox's suppliers open and close. */
const horasOf = ({ dataDir }) => join(dataDir, 'sandbox', 'horas');

/**
 * Returns the environment of web, worker and seed. Variables of our own environment win, so a real API can be tried
 * with the rest of the demo.
 */
export function childEnv(settings, databaseUrl, folders = [settings.dataDir]) {
  const demo = {
    DEMO: '1',
    ...sandboxAddresses(`http://127.0.0.1:${settings.sandboxPort}`, settings.smtpPort),
    SANDBOX_HORAS: horasOf(settings),
  };
  return {
    ...secretsOf(settings.dataDir),
    ...(settings.sandbox ? demo : {}),
    ...FRUGAL_ENV,
    ...process.env,
    NODE_ENV: 'production',
    TZ: 'UTC',
    DATABASE_URL: databaseUrl,
    // No process that serves requests gets the owner's password.
    MIGRACION_URL: undefined,
    DISCOS: process.env.DISCOS || [...folders, ...(settings.backups ? [settings.backups] : [])].join(delimiter),
    ...(settings.backups && { RESPALDOS: settings.backups }),
    HOST: settings.host,
    PORT: String(settings.port),
    APP_URL: settings.appUrl,
    // No balancer stands before the web of one machine.
    CIERRE_ESPERA: process.env.CIERRE_ESPERA || '0',
    // The launcher writes the code of the first person itself: what a process of its own writes goes to a log.
    PRIMERA_DICHA: '1',
  };
}

/** Returns an environment without the bucket of the backups and what seals them: who serves requests needs neither. */
export const webEnv = (env) => ({
  ...env,
  RESPALDO_CLAVE: undefined,
  RESPALDOS_S3: undefined,
  RESPALDOS_S3_LLAVE: undefined,
  RESPALDOS_S3_SECRETO: undefined,
});

/** Returns the environment of the sandbox. */
export function sandboxEnv(settings) {
  const { WEBHOOK_SECRETO } = { ...secretsOf(settings.dataDir), ...process.env };
  return {
    ...webEnv(process.env),
    DATABASE_URL: undefined,
    DATABASE_URL_DIRECTA: undefined,
    MIGRACION_URL: undefined,
    TZ: 'UTC',
    SANDBOX_PORT: String(settings.sandboxPort),
    SANDBOX_SMTP_PORT: String(settings.smtpPort),
    SANDBOX_DATA: join(settings.dataDir, 'sandbox'),
    SANDBOX_HORAS: process.env.SANDBOX_HORAS || horasOf(settings),
    SANDBOX_APP_URL: settings.appUrl,
    SANDBOX_WEBHOOK_URL: `http://127.0.0.1:${settings.port}/avisos/mercadolibre/${WEBHOOK_SECRETO}`,
  };
}
