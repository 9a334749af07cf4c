import type { RequestHandler } from 'express';
import { env } from '~/core/env.server';
import { log } from '~/core/log.server';

/** Names of this machine, which health checks and people at home use. */
const OWN = new Set(['127.0.0.1', 'localhost', '[::1]']);
const HOST = /^(\[[\da-f:]+\]|[\w.-]+)(?::\d{1,5})?$/i;

/** Returns whether a Host is ours: that of APP_URL, port included, or a name of this machine. */
export function isOurHost(host: string, appUrl: string): boolean {
  const name = HOST.exec(host)?.[1]?.toLowerCase();
  if (name === undefined) return false;
  const { protocol, host: ours } = new URL(appUrl);
  const asked = `${protocol}//${host}`;
  return URL.canParse(asked) && (OWN.has(name) || new URL(asked).host === ours);
}

/**
 * Refuses other names. Under another name a stranger's page could read ours (DNS rebinding), and links built from the name would lead elsewhere. Behind a
 * trusted proxy, the name the proxy was called by counts.
 */
export const requireHost: RequestHandler = (req, res, next) => {
  const forwarded = env().PROXY_HOPS > 0 ? req.get('X-Forwarded-Host') : undefined;
  const [asked = ''] = (forwarded ?? req.get('Host') ?? '').split(',');
  if (!/^https?$/.test(req.protocol))
    return void res.status(400).type('text/plain').send('No se entiende la petición.');
  if (isOurHost(asked.trim(), env().APP_URL)) {
    if (forwarded !== undefined) req.headers['x-forwarded-host'] = asked.trim();
    return next();
  }
  warnOfName();
  res.status(421).type('text/plain').send('Esta aplicación no atiende con ese nombre: el suyo es el de APP_URL.');
};

let warned = false;
/** Logs a refused name once per process, so an operator finds a name that people use and APP_URL lacks. */
function warnOfName() {
  if (!warned) log.warn('llegan peticiones con un nombre que no es el de APP_URL: se contestan con 421');
  warned = true;
}
