import { sql } from 'kysely';
import { env, missingOf } from '~/core/env.server';
import { writeCount } from '~/core/count';
import { writeDias } from '~/core/periodo';
import { explainRechazo } from '~/core/rechazo';
import { addDays, civilDay, toInstant } from '~/core/time';
import { createAmazon } from '~/integrations/amazon/client.server';
import { RECHAZOS_AMZ } from '~/integrations/amazon/rechazos';
import type { Tokens } from '~/integrations/amazon/tokens';
import { createAmazonWriter } from '~/integrations/amazon/write.server';
import type { Db } from '~db/client.server';
import { amazonRitmo } from './internal/ritmo.server';
import { AMAZON, amazonLwa, amazonOfApplication, amazonTokens } from './internal/tokens.server';
import { openCredential } from '~/platform/connections/credentials.server';
import { colaAws, readCola } from './internal/cola.server';
import { isConfigurado, readEventBridge } from './eventBridge.server';
import { defineConnection, type Seen } from '~/platform/connections/definition';
import type { ClientOf } from '~/platform/connections/registry.server';

const CHECK_MS = 10_000;
/** Days after which the seller's permission ends, and after which the application needs another secret. */
const PERMISO_DIAS = 365;
const SECRETO_DIAS = 180;
const AVISO_DIAS = 30;
/** Newest sales by which the marks tell how the account writes prices and addresses. */
const MUESTRA = 200;

/** Amazon as a far side: the seller's permission, its budget, the client of its effects, and what a person is told of them. */
export const amazon = defineConnection({
  kind: AMAZON,
  as: 'amz',
  label: 'Amazon',
  names: ['amazon-lwa', 'sqs'],
  wire: 'HTTP',
  // Each operation has a bucket of its own besides (`amazonRitmo`).
  budget: { atOnce: 4, perSecond: 5, burst: 10 },
  standby: 1,
  capabilities: { ventas: 'ventas', envios: 'envíos', facturas: 'entrega de facturas' },
  link: {
    type: 'oauth',
    authorizationUrl: (state) => amazonLwa().consentUrl(state),
    donde: 'La aplicación se registra en la consola para desarrolladores de Seller Central.',
    falta: () => missingOf(['AMAZON_APP_ID', 'AMAZON_CLIENT_ID', 'AMAZON_CLIENT_SECRET']),
    registra: () => [{ nombre: 'OAuth Redirect URI', direccion: `${env().APP_URL}/activacion` }],
    fields: [
      { name: 'sellerId', label: 'Id de vendedor' },
      { name: 'refreshToken', label: 'Refresh token' },
    ],
  },
  rechazos: RECHAZOS_AMZ,
  paused: {
    stops:
      'No llegan ventas nuevas de Amazon ni sus cambios, y no se confirman envíos ni se entregan facturas; todo continúa al activarla.',
    screens: ['ordenes', 'ordenesActivas', 'envios', 'enviosPendientes', 'facturacion'],
  },
  open(db) {
    let tokens: Tokens | undefined;
    let ofApplication: Tokens | undefined;
    return (trace) => {
      tokens ??= amazonTokens(db, amazonLwa());
      ofApplication ??= amazonOfApplication(amazonLwa());
      return createAmazonWriter({
        baseUrl: env().AMAZON_URL,
        tokens,
        ofApplication,
        ritmo: amazonRitmo(db, 'persona'),
        trace,
        timeoutMs: Math.max(1_000, 20_000 * env().EFFECT_PACE),
      });
    };
  },
  seen: async (db) => [...(await marcasOf(db)), ...(await finesOf(db))],
  vencimientos: finesOf,
  async check(db) {
    const tokens = amazonTokens(db, amazonLwa());
    const client = createAmazon({
      baseUrl: env().AMAZON_URL,
      tokens,
      ritmo: amazonRitmo(db, 'persona'),
      timeoutMs: CHECK_MS,
    });
    await client.participations();
  },
});

const markOf = (nombre: string, vinculada: boolean, nota: string | null, falta: Seen['tono'] = 'aviso'): Seen => ({
  tono: vinculada ? 'ok' : falta,
  texto: `${nombre}: ${vinculada ? 'vinculado' : 'no vinculado'}`,
  nota,
});

/** The marks of the old activation page. */
const MARCAS = ['stsToken', 'access_token', 'access_token_restringido', 'EBConfig'] as const;

/** Returns the marks of the old activation page, also of an account that is not linked, and how the account tells its prices. */
async function marcasOf(db: Db): Promise<Seen[]> {
  const credential = await openCredential(db, AMAZON);
  if (!credential) return MARCAS.map((nombre) => markOf(nombre, false, null, 'neutro'));
  const linked = credential.status === 'linked';
  const { rows } = await sql<{ ventas: number; personas: number; neto: number; bruto: number; descuadra: number }>`
    select count(*)::int as ventas, count(comprador)::int as personas,
      (count(*) filter (where datos -> 'lectura' ->> 'precio' = 'neto'))::int as neto,
      (count(*) filter (where datos -> 'lectura' ->> 'precio' = 'bruto'))::int as bruto,
      (count(*) filter (where datos -> 'lectura' ->> 'cuadra' = 'false'))::int as descuadra
    from (select comprador, datos from orden where market = 'amz' and situacion = 'pagada' order by fecha_creacion desc limit ${MUESTRA}) o`.execute(
    db,
  );
  const { ventas, personas, neto, bruto, descuadra } = rows[0]!;
  return [
    markOf('stsToken', linked, 'Amazon ya no lo usa: basta el permiso de la cuenta.'),
    markOf('access_token', linked, linked ? null : 'Sin él no se leen las ventas.'),
    ...(ventas === 0
      ? []
      : [
          markOf(
            'access_token_restringido',
            personas > 0,
            personas > 0 ? null : 'La aplicación no tiene el rol que deja ver a quién se envía.',
          ),
        ]),
    markOf(
      'EBConfig',
      isConfigurado(await readEventBridge(db)),
      'Los avisos son opcionales: las ventas se leen cada cinco minutos sin ellos.',
      'neutro',
    ),
    ...(ventas === 0 ? [] : [precios({ neto, bruto, descuadra })]),
    await colaVista(db),
    GUIAS,
  ];
}

/** Amazon sells labels by two of its APIs. The newer one serves no account of México. */
const GUIAS: Seen = {
  tono: 'neutro',
  texto: 'Las guías se compran por Merchant Fulfillment v0.',
  nota: 'Amazon no ofrece Shipping v2 en México.',
};

const remedioOf = (palabras: string): string =>
  explainRechazo({ label: 'AWS', rechazos: RECHAZOS_AMZ }, { palabras }).remedio ??
  'Revisa AMAZON_SQS_COLA, su región y sus llaves.';

/** Returns how changes of sales arrive: by the queue, or by reading alone. */
async function colaVista(db: Db): Promise<Seen> {
  const configurada = colaAws();
  if (!configurada)
    return {
      tono: 'neutro',
      texto: 'Cola de avisos de ventas: sin configurar. Las ventas se leen cada cinco minutos.',
      nota: 'Amazon avisa de sus ventas solo por una cola de AWS: se configura con AMAZON_SQS_COLA, AMAZON_SQS_LLAVE y AMAZON_SQS_SECRETO.',
    };
  const cola = await readCola(db);
  const en = cola?.leidaEn?.toISOString() ?? null;
  if (cola?.error)
    return {
      tono: 'mal',
      texto: `Cola de avisos de ventas: no se pudo leer. ${cola.error}.`,
      en,
      nota: `${remedioOf(cola.error)} Mientras, las ventas se leen cada cinco minutos.`,
    };
  if (cola?.suscrita !== configurada.arn)
    return {
      tono: 'aviso',
      texto: 'Cola de avisos de ventas: Amazon todavía no escribe en ella.',
      en,
      nota: 'Oprime «Vincular event bridge» para pedírselo.',
    };
  return { tono: 'ok', texto: `Cola de avisos de ventas: vinculada. Han llegado ${writeCount(cola.avisos)}.`, en };
}

function precios({ neto, bruto, descuadra }: { neto: number; bruto: number; descuadra: number }): Seen {
  const dice = bruto > neto ? 'con IVA incluido' : 'sin IVA';
  return descuadra > 0
    ? {
        tono: 'aviso',
        texto: `En ${descuadra} ventas de las últimas ${neto + bruto} los importes no suman el total que dice Amazon.`,
        nota: 'Compara una con Seller Central y revisa AMAZON_PRECIOS.',
      }
    : { tono: 'ok', texto: `Los precios llegan ${dice} y suman el total.`, nota: null };
}

/** Returns what ends by itself, and when: the permission and the application's secret. */
async function finesOf(db: Db): Promise<Seen[]> {
  const credential = await openCredential(db, AMAZON);
  if (!credential) return [];
  const { linkedAt, secrets } = credential;
  return [
    fin('El permiso de Amazon', linkedAt, PERMISO_DIAS, 'Vuelve a activar Amazon en Activación de API.'),
    ...(secrets.secretSince
      ? [
          fin(
            'La llave de la aplicación de Amazon (AMAZON_CLIENT_SECRET)',
            toInstant(secrets.secretSince),
            SECRETO_DIAS,
            'Genera otra en la consola de Amazon y ponla en la configuración del servidor.',
          ),
        ]
      : []),
  ];
}

function fin(que: string, desde: Date, dias: number, remedio: string, now = new Date()): Seen {
  const dia = addDays(civilDay(desde), dias);
  const hoy = civilDay(now);
  const tono = dia < hoy ? 'mal' : dia <= addDays(hoy, AVISO_DIAS) ? 'aviso' : 'ok';
  return {
    tono,
    texto: `${que} ${dia < hoy ? 'venció' : 'vence'} el ${writeDias({ desde: dia, hasta: dia })}.`,
    nota: tono === 'ok' ? null : remedio,
  };
}

declare module '~/platform/connections/registry.server' {
  interface FarSides {
    amazon: ClientOf<typeof amazon>;
  }
}

declare module '~/platform/connections/definition' {
  interface Capabilities {
    ventas: 'ventas';
    envios: 'envíos';
    facturas: 'entrega de facturas';
  }
}
