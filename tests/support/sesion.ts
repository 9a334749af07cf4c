import type { AppLoadContext } from '@remix-run/node';
import { PREFERENCIAS } from '~/core/aspecto';

/** What the guard puts beside a request of somebody who gave their password a moment ago. */
export const PROBADA = {
  token: 'de prueba',
  probada: true,
  recordar: false,
  renewed: false,
  debeActivar: false,
  segundoFactorEn: null,
  preferencias: PREFERENCIAS,
} as unknown as NonNullable<AppLoadContext['sesion']>;
