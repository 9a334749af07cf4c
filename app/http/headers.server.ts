import { randomBytes } from 'node:crypto';
import type { RequestHandler } from 'express';
import { ROLES } from '~/access/screens';
import { env } from '~/core/env.server';

/** One Content-Security-Policy per answer: scripts run only with its nonce. */
function contentSecurityPolicy(
  nonce: string,
  { dev, formTargets, marco }: { dev: boolean; formTargets: string[]; marco: "'self'" | "'none'" },
): string {
  return [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${nonce}'`,
    // In dev Vite adds style elements without a nonce, and a nonce here would make browsers ignore 'unsafe-inline'.
    `style-src-elem 'self' ${dev ? `'unsafe-inline'` : `'nonce-${nonce}'`}`,
    // Mantine writes many style attributes.
    `style-src-attr 'unsafe-inline'`,
    // Pictures of products are our copies.
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'${dev ? ' ws:' : ''}`,
    `frame-src 'self'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    // A posted form may be redirected to the marketplace's page of authorization.
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    `frame-ancestors ${marco}`,
  ].join('; ');
}

/** What people brought is shown at addresses of its own: nothing in it runs, asks for anything, or is of this site. Our pages may hold it in a frame. */
const DE_ALGUIEN = new RegExp(`^/(?:fotos/|(?:${ROLES.join('|')})/(?:archivos|descargas/facturaStock|bodega/foto)/)`);
const CAJA_DE_ARENA = `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox`;

/** Labels that we drew, which a page of ours holds in a frame to print them. */
const POR_IMPRIMIR = new RegExp(`^/(?:${ROLES.join('|')})/descargas/etiquetas$`);

/** Where labels are scanned; no other page may ask for the camera. */
const CON_CAMARA = /^\/(sa|admin|user)\/bodega(\/cascaron)?$/;
const PERMISSIONS = 'microphone=(), geolocation=(), payment=(), usb=(), interest-cohort=()';

export function securityHeaders({ dev }: { dev: boolean }): RequestHandler {
  const { APP_URL, MERCADOLIBRE_AUTH_URL } = env();
  const formTargets = [new URL(MERCADOLIBRE_AUTH_URL).origin];
  const always: Record<string, string> = {
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': `camera=(), ${PERMISSIONS}`,
    ...(APP_URL.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
  };
  return (req, res, next) => {
    const nonce = randomBytes(16).toString('base64');
    res.locals.nonce = nonce;
    const ajeno = DE_ALGUIEN.test(req.path);
    const imprime = POR_IMPRIMIR.test(req.path);
    const policy = ajeno
      ? CAJA_DE_ARENA
      : contentSecurityPolicy(nonce, {
          dev,
          formTargets,
          marco: imprime ? "'self'" : "'none'",
        });
    res.setHeader('Content-Security-Policy', policy);
    for (const [name, value] of Object.entries(always)) res.setHeader(name, value);
    if (ajeno || imprime) res.setHeader('X-Frame-Options', 'SAMEORIGIN');
    if (CON_CAMARA.test(req.path)) res.setHeader('Permissions-Policy', `camera=(self), ${PERMISSIONS}`);
    next();
  };
}
