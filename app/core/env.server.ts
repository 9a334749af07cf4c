import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65_535);

const days = (least: number, usual: number) => z.coerce.number().int().min(least).max(36_500).default(usual);

const isSat = (url: string) => {
  const { origin, hostname } = new URL(url);
  return origin === 'https://siat.sat.gob.mx' || hostname === '127.0.0.1' || hostname === 'localhost';
};

/** Every setting of web and worker, read once. README documents each; an invalid one stops the start with its name. */
const Env = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('production'),
  DATABASE_URL: z.string().min(1),
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  /** Public address of the product, without a trailing slash: links in mails, the marketplace's redirect_uri, the one host answered, the same-origin check. */
  APP_URL: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default(''),
  /** Number of trusted reverse proxies in front of us (X-Forwarded-For hops believed). */
  PROXY_HOPS: z.coerce.number().int().min(0).max(5).default(0),
  DB_POOL: z.coerce.number().int().min(2).max(200).default(10),
  /** Jobs at once in a lane of the worker, whatever the lane allows. */
  WORKER_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(14),
  /** `id:base64(32 bytes)[,id:base64]`: the first key seals, all of them open. */
  LLAVES: z.string().min(1),
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
  /** The AWS account where Amazon may leave notices of listings; without it nothing is missing. */
  AMAZON_EB_CUENTA: z.string().default(''),
  AMAZON_EB_REGION: z.string().default('us-east-1'),
  /** Whether Amazon tells prices without IVA or with it; a total that only the other one adds up to outranks it. */
  AMAZON_PRECIOS: z.enum(['neto', 'bruto']).default('neto'),
  /** Who sells, as far as the ISR that a platform withholds is concerned. */
  AMAZON_PERSONA: z.enum(['moral', 'fisica', 'sinRfc']).default('moral'),
  /** Secret segment of the webhook's path. */
  WEBHOOK_SECRETO: z.string().default(''),
  /** How long the PAC's list of all customers is read before a global is stamped. */
  GLOBAL_MIRADA_MS: z.coerce.number().int().min(0).max(15_000).default(12_000),
  /**
   * Concepts per global CFDI. factura.com publishes no limit. 500 make a request and an XML of about 250 KB, which is
   * stamped well inside the minute a call may take. A refusal holds back 500 sales and not the whole month.
   */
  GLOBAL_CONCEPTOS: z.coerce.number().int().min(1).max(5_000).default(500),
  /**
   * `1` when the PAC demands InformacionGlobal in a credit note to PUBLICO EN GENERAL (CFDI40130). The SAT's own
   * examples omit it.
   */
  NOTA_CREDITO_GLOBAL: z.enum(['0', '1']).default('0'),
  SYSCOM_URL: z.string().default('https://developers.syscom.mx'),
  /** Where Syscom gives its token; without it, `/oauth/token` of SYSCOM_URL. One client is seen asking `/api/v1/oauth/token`. */
  SYSCOM_TOKEN_URL: z.string().default(''),
  /** Plain HTTP, and only from an address that CT was told of. */
  CT_URL: z.string().default('http://connect.ctonline.mx:3001'),
  /** Where CT puts its files: `ftp://usuario:clave@servidor`, as CT gives it with the account, or an http address. Without it, its catalogue is not read. */
  CT_CATALOGO_URL: z
    .union([z.literal(''), z.url({ protocol: /^(?:https?|ftp)$/ }).transform((url) => url.replace(/\/$/, ''))])
    .default(''),
  TS_URL: z.string().default('https://api.tecnosinergia.info/v3'),
  TVC_URL: z.string().default('https://api.tvc.mx'),
  CVA_URL: z.string().default('https://apicvaservices.grupocva.com/api/v2'),
  /** Domains of suppliers, under which pictures of their products lie: a page of the staff shows none from elsewhere. */
  IMAGENES_DE: z
    .string()
    .regex(/^[a-z0-9.\s,-]*$/)
    .default('syscom.mx ctonline.mx tvc.mx tecnosinergia.com grupocva.com'),
  /** `si` lets orders, confirmations and labels go to suppliers that are not on this machine. */
  PROVEEDORES_PRODUCCION: z.string().default(''),
  SMTP_URL: z.string().default(''),
  /**
   * Look-up service for postal codes that our own table lacks: COPOMEX, or one that speaks like it. Without it, only
   * the table answers.
   */
  COPOMEX_URL: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/$/, ''))])
    .default(''),
  COPOMEX_TOKEN: z.string().default(''),
  /** Where the SAT shows what a constancia's code stands for: its own address or a sandbox of this machine, and nowhere else. Empty, it is not asked. */
  SAT_URL: z
    .union([z.literal(''), z.url().refine(isSat, 'es la dirección del SAT o está vacía')])
    .default('https://siat.sat.gob.mx'),
  /** A ClamAV daemon (`host:puerto`) that looks at what people upload; without it nobody does. While it does not answer, nothing is taken. */
  CLAMD: z.union([z.literal(''), z.string().regex(/^(?:[A-Za-z0-9.-]+|\[[0-9a-f:]+\]):\d{1,5}$/)]).default(''),
  CORREO_REMITENTE: z.string().default('Trastienda <facturas@trastienda.invalid>'),
  /** Shortens the waits of effects (leases, looks, retries) by this factor; only tests change it. */
  EFFECT_PACE: z.coerce.number().min(0.0001).max(1).default(1),
  /** Shortens the deadlines of effects (lease, how long a send may take to begin, a supplier's answer) by this factor; without it, as EFFECT_PACE. Only tests change it. */
  EFFECT_DEADLINE: z.coerce.number().min(0.0001).max(1).optional(),
  /** Our shop's page, where `/landing` sends people; without it, to the home of this application. */
  LANDING_URL: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default(''),
  /** Folders whose free space is watched, apart by the system's path delimiter; without it, the one we run in. Set by the launcher. */
  DISCOS: z.string().default(''),
  /** Opens the details of /healthcheck to what watches from this machine; without it, only to sa and admin. */
  SALUD_TOKEN: z.union([z.literal(''), z.string().min(16)]).default(''),
  /** Where the launcher keeps base backups and archived WAL; without it nothing is archived. */
  RESPALDOS: z.string().default(''),
  /** Days for which each is kept (README). Papers of the tax authority are never purged. */
  RETENCION_AVISOS: days(7, 30),
  RETENCION_EVIDENCIA: days(30, 730),
  RETENCION_INTENTOS: days(90, 1_826),
  RETENCION_PERSONALES: days(365, 1_826),
  RETENCION_BITACORA: days(1_826, 3_652),
  /** Age at which a session ends, however much it is used: days with 'Recordarme', hours without it. */
  SESION_DIAS: z.coerce.number().int().min(1).max(365).default(90),
  SESION_HORAS: z.coerce.number().int().min(1).max(168).default(24),
  /** Roles that have to enter with a code besides their password, apart by commas. */
  SEGUNDO_FACTOR: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
    .pipe(z.array(z.enum(['sa', 'admin', 'user', 'aux', 'cont']))),
  /** Minutes for which a password or a code counts as a proof of who sends a form (access/actions, PROVEN). */
  PRUEBA_MINUTOS: z.coerce.number().int().min(1).max(1_440).default(15),
  /** Folder where the shape of each answer of an outside API is kept, without anybody's data (`npm run capturas`); without it, nothing is. */
  CAPTURAS: z.string().default(''),
  /** Requests of the API that one person's tokens may make in a minute. */
  API_POR_MINUTO: z.coerce.number().int().min(1).max(1_000_000).default(3_000),
  /** `1` lets webhooks go to addresses of private networks, and over plain HTTP. */
  GANCHOS_RED_PRIVADA: z.enum(['', '0', '1']).default(''),
  /** `1` answers what the old client asked by GET though it changes something. Each is logged; one that comes from a page is refused. */
  API_GET_MUTANTE: z.enum(['', '0', '1']).default(''),
  /** Set by the launcher when the sandbox of outside APIs runs beside us; the demo's pages then link to it. */
  SANDBOX_URL: z.string().default(''),
  /** `1` only in the demo: shows the demo users on the login page. */
  DEMO: z.enum(['', '0', '1']).default(''),
});

export type Env = z.infer<typeof Env> & { EFFECT_DEADLINE: number };

let read: Env | undefined;

export function env(): Env {
  if (!read) {
    const parsed = Env.safeParse(process.env);
    if (!parsed.success) {
      const names = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
      throw new Error(`configuración inválida: ${names}`);
    }
    read = {
      ...parsed.data,
      EFFECT_DEADLINE: parsed.data.EFFECT_DEADLINE ?? parsed.data.EFFECT_PACE,
      APP_URL: (parsed.data.APP_URL || `http://127.0.0.1:${parsed.data.PORT}`).replace(/\/$/, ''),
    };
  }
  return read;
}

/** The settings are read again at their next use: a process that runs several test files gives each its own. */
export function forgetEnv(): void {
  read = undefined;
}
