import { env, missingOf } from '~/core/env.server';
import { createMercadolibre } from '~/integrations/mercadolibre/client.server';
import { createMercadolibreOauth, type MercadolibreOauth } from '~/integrations/mercadolibre/oauth.server';
import { RECHAZOS_ML } from '~/integrations/mercadolibre/rechazos';
import type { Tokens } from '~/integrations/mercadolibre/tokens';
import { createMercadolibreWriter } from '~/integrations/mercadolibre/write.server';
import { defineConnection } from '~/platform/connections/definition';
import { TOPICOS } from './avisos.server';
import { mercadolibreTokens } from './internal/tokens.server';
import type { ClientOf } from '~/platform/connections/registry.server';

const CHECK_MS = 10_000;

/** Mercado Libre as a far side: the seller's permission, its budget, the client of its effects, and what a person is told of them. */
export const mercadolibre = defineConnection({
  kind: 'mercadolibre',
  as: 'ml',
  label: 'Mercado Libre',
  names: ['mercadopago'],
  wire: 'HTTP',
  budget: { atOnce: 4, perSecond: 8, burst: 16 },
  standby: 1,
  capabilities: { ventas: 'ventas', mensajes: 'mensajes', envios: 'envíos' },
  link: {
    type: 'oauth',
    authorizationUrl: (state, verifier) => mercadolibreOauth().authorizationUrl(state, verifier),
    donde: 'La aplicación se crea en developers.mercadolibre.com.mx, en «Mis aplicaciones».',
    falta: () => missingOf(['MERCADOLIBRE_CLIENT_ID', 'MERCADOLIBRE_CLIENT_SECRET']),
    registra: () => [
      { nombre: 'Redirect URI', direccion: `${env().APP_URL}/activacion` },
      // Without its secret the door of notices is closed.
      ...(env().WEBHOOK_SECRETO === ''
        ? []
        : [
            {
              nombre: 'Notificaciones callback URL',
              direccion: `${env().APP_URL}/avisos/mercadolibre/${env().WEBHOOK_SECRETO}`,
            },
            { nombre: 'Tópicos de notificaciones', direccion: TOPICOS.join(', ') },
          ]),
    ],
  },
  rechazos: RECHAZOS_ML,
  paused: {
    stops:
      'No llegan ventas nuevas ni sus cambios, y no salen mensajes ni facturas hacia las ventas; todo continúa al activarla.',
    screens: [
      'facturacion',
      'facturacionGeneral',
      'ordenes',
      'ordenesActivas',
      'ordenesCanceladas',
      'envios',
      'enviosPendientes',
      'cotizarEnvios',
      'enlaces',
    ],
  },
  open(db) {
    let tokens: Tokens | undefined;
    return (trace) => {
      tokens ??= mercadolibreTokens(db, mercadolibreOauth());
      return createMercadolibreWriter({
        baseUrl: env().MERCADOLIBRE_URL,
        tokens,
        trace,
        timeoutMs: Math.max(1_000, 20_000 * env().EFFECT_PACE),
      });
    };
  },
  async check(db) {
    const { MERCADOLIBRE_URL, MERCADOPAGO_URL } = env();
    const tokens = mercadolibreTokens(db, mercadolibreOauth());
    await createMercadolibre({
      baseUrl: MERCADOLIBRE_URL,
      paymentsUrl: MERCADOPAGO_URL,
      tokens,
      timeoutMs: CHECK_MS,
    }).usersMe();
  },
});

/** Opens the application's token calls, with the addresses and the identity of this installation. */
export function mercadolibreOauth(): MercadolibreOauth {
  const { MERCADOLIBRE_URL, MERCADOLIBRE_AUTH_URL, MERCADOLIBRE_CLIENT_ID, MERCADOLIBRE_CLIENT_SECRET, APP_URL } =
    env();
  return createMercadolibreOauth({
    baseUrl: MERCADOLIBRE_URL,
    authUrl: MERCADOLIBRE_AUTH_URL,
    clientId: MERCADOLIBRE_CLIENT_ID,
    clientSecret: MERCADOLIBRE_CLIENT_SECRET,
    redirectUri: `${APP_URL}/activacion`,
  });
}

declare module '~/platform/connections/registry.server' {
  interface FarSides {
    mercadolibre: ClientOf<typeof mercadolibre>;
  }
}

declare module '~/platform/connections/definition' {
  interface Capabilities {
    ventas: 'ventas';
    mensajes: 'mensajes';
    envios: 'envíos';
  }
}
