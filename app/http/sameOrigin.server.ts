import type { RequestHandler } from 'express';
import { env } from '~/core/env.server';
import { isForMachines, pathOf } from './address.server';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

type Claims = { origin?: string; secFetchSite?: string; referer?: string };

/**
 * Did a page of ours send this? Origin says it, else Sec-Fetch-Site, else Referer; a browser always sends one of them with a POST, so
 * silence is a no. `allowed` are origins, such as 'https://trastienda.example'.
 */
export function isSameOrigin({ origin, secFetchSite, referer }: Claims, allowed: readonly string[]): boolean {
  if (origin !== undefined) return allowed.includes(origin);
  if (secFetchSite !== undefined) return secFetchSite === 'same-origin';
  return referer !== undefined && URL.canParse(referer) && allowed.includes(new URL(referer).origin);
}

/** Before Remix sees it. What machines send proves itself by its secret path, and what programs send by its token. */
export const requireSameOrigin: RequestHandler = (req, res, next) => {
  if (SAFE.has(req.method)) return next();
  if (isForMachines(pathOf(res))) {
    // No cookie opens anything there, so it says nothing which page sent it. Remix would ask.
    delete req.headers.origin;
    return next();
  }
  const allowed = [new URL(env().APP_URL).origin, `${req.protocol}://${req.get('Host') ?? ''}`];
  const origin = req.get('Origin');
  if (isSameOrigin({ origin, secFetchSite: req.get('Sec-Fetch-Site'), referer: req.get('Referer') }, allowed)) {
    // Remix compares Origin with the host it was called by, which behind a proxy need not be the public one.
    if (origin) req.headers['x-forwarded-host'] = new URL(origin).host;
    return next();
  }
  res.status(403).type('text/plain').send('La petición no viene de esta aplicación.');
};
