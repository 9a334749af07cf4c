import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { env } from '~/core/env.server';
import { log } from '~/core/log.server';
import { inPeticion, readPeticion } from '~/core/peticion.server';

/** Parts of a path after which the next part is a secret: links of customers and the path of notices. Case does not matter. */
const SECRET_AFTER = new Set(['facturacion', 'datosenvio', 'avisos']);

/** Parts that may be logged: a word, a file of the browser, the id of a row. Names of people, RFC, folios and tokens match none of these. */
const PLACE = /^(?:[a-z]{1,23}|[\w-]{1,60}\.[a-z]{2,5}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/**
 * Returns a path as the log may keep it: without query, tokens, typed texts and random links. Of a path of the API only the beginning is kept; the
 * call itself names its address with the names of its values.
 */
export function maskPath(pathname: string): string {
  if (/^\/api\//i.test(pathname)) return pathname.startsWith('/api/v1/') ? '/api/v1/:otra' : '/api/:otra';
  const segments = pathname.replace(/\.data$/, '').split('/');
  const area = ['sa', 'admin', 'user', 'aux', 'cont'].includes(segments[1] ?? '');
  const secretFrom = area ? -1 : segments.findIndex((segment) => SECRET_AFTER.has(segment.toLowerCase()));
  return segments
    .map((segment, at) => {
      if (
        secretFrom >= 0 &&
        at > secretFrom &&
        !(segments[secretFrom]!.toLowerCase() === 'avisos' && at === secretFrom + 1)
      )
        return ':secreto';
      return segment === '' || PLACE.test(segment) ? segment : segment.length < 24 ? ':valor' : ':largo';
    })
    .join('/')
    .slice(0, 200);
}

/** Gives each request an id, that of the proxy before us or a new one, sends the id back in X-Request-Id, and logs one line when the answer ends. */
export const identify: RequestHandler = (req, res, next) => {
  // Only a proxy of ours is believed: anybody else could give a thousand requests one id.
  const given = env().PROXY_HOPS > 0 ? readPeticion(req.headers['x-request-id']) : undefined;
  const requestId = given ?? randomUUID();
  const began = performance.now();
  res.locals.requestId = requestId;
  res.setHeader('X-Request-Id', requestId);
  const ruta = maskPath(req.path);
  res.locals.medida = ruta;
  res.once('close', () => {
    if (res.statusCode < 400 && /^\/(?:assets\/|healthcheck(?:\/|$))/.test(ruta)) return;
    log.info('petición', {
      requestId,
      metodo: req.method,
      ruta: typeof res.locals.ruta === 'string' ? res.locals.ruta : ruta,
      status: res.statusCode,
      ms: Math.round(performance.now() - began),
      cortada: !res.writableFinished || undefined,
    });
  });
  inPeticion(requestId, next);
};
