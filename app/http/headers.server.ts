import { randomBytes } from 'node:crypto';
import type { RequestHandler } from 'express';
import { env } from '~/core/env.server';

/** One Content-Security-Policy per answer: scripts run only with its nonce. */
function contentSecurityPolicy(nonce: string, { dev, formTargets }: { dev: boolean; formTargets: string[] }): string {
  return [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${nonce}'`,
    // In dev Vite adds style elements without a nonce, and a nonce here would make browsers ignore 'unsafe-inline'.
    `style-src-elem 'self' ${dev ? `'unsafe-inline'` : `'nonce-${nonce}'`}`,
    // Mantine writes many style attributes.
    `style-src-attr 'unsafe-inline'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'${dev ? ' ws:' : ''}`,
    `frame-src 'self'`,
    `object-src 'none'`,
    `base-uri 'self'`,
    // A posted form may be redirected to the marketplace's page of authorization.
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    `frame-ancestors 'none'`,
  ].join('; ');
}

export function securityHeaders({ dev }: { dev: boolean }): RequestHandler {
  const { APP_URL, MERCADOLIBRE_AUTH_URL } = env();
  const formTargets = [new URL(MERCADOLIBRE_AUTH_URL).origin];
  const always: Record<string, string> = {
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), interest-cohort=()',
    ...(APP_URL.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
  };
  return (_req, res, next) => {
    const nonce = randomBytes(16).toString('base64');
    res.locals.nonce = nonce;
    res.setHeader('Content-Security-Policy', contentSecurityPolicy(nonce, { dev, formTargets }));
    for (const [name, value] of Object.entries(always)) res.setHeader(name, value);
    next();
  };
}
