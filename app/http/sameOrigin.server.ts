import type { RequestHandler } from 'express';
import { env } from '~/core/env.server';
import { isForMachines, pathOf } from './address.server';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

type Claims = { origin?: string; secFetchSite?: string; referer?: string };

/**
 * Returns whether a page of ours sent this request, by Origin, else Sec-Fetch-Site, else Referer. A browser sends one of them with each POST, so a
 * request without any is refused. `allowed` are origins, such as 'https://trastienda.example'.
 */
export function isSameOrigin({ origin, secFetchSite, referer }: Claims, allowed: readonly string[]): boolean {
  if (origin !== undefined) return allowed.includes(origin);
  if (secFetchSite !== undefined) return secFetchSite === 'same-origin';
  return referer !== undefined && URL.canParse(referer) && allowed.includes(new URL(referer).origin);
}

/** Refuses a form of another site before Remix reads it. Notices prove themselves by their secret path, calls of the API by their token. */
export const requireSameOrigin: RequestHandler = (req, res, next) => {
  if (SAFE.has(req.method)) return next();
  if (isForMachines(pathOf(res))) {
    // Cookies open nothing at these addresses, so the sending page does not matter. Remix would check it.
    delete req.headers.origin;
    return next();
  }
  const allowed = [new URL(env().APP_URL).origin, `${req.protocol}://${req.get('Host') ?? ''}`];
  const origin = req.get('Origin');
  if (isSameOrigin({ origin, secFetchSite: req.get('Sec-Fetch-Site'), referer: req.get('Referer') }, allowed)) {
    // Remix compares Origin with the Host of the request, which behind a proxy need not be the public name.
    if (origin) req.headers['x-forwarded-host'] = new URL(origin).host;
    return next();
  }
  res.status(403).type('text/plain').send('La petición no viene de esta aplicación.');
};
