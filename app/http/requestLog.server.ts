import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { log } from '~/core/log.server';

/** Segments after which the next one is a secret, however they are written: customer links and the webhook's path. */
const SECRET_AFTER = new Set(['facturacion', 'datosenvio', 'avisos']);

/** The path as the log may keep it: no query, no tokens, nothing long that looks drawn at random. */
export function maskPath(pathname: string): string {
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
      return /^[\w\-~%.]{24,}$/.test(segment) && !/^[0-9a-f-]{36}$/i.test(segment) && !segment.includes('.')
        ? ':largo'
        : segment;
    })
    .join('/')
    .slice(0, 200);
}

/** Gives each request its id, sends it back in X-Request-Id, and writes one line when the answer ends. */
export const identify: RequestHandler = (req, res, next) => {
  const requestId = randomUUID();
  const began = performance.now();
  res.locals.requestId = requestId;
  res.setHeader('X-Request-Id', requestId);
  const ruta = maskPath(req.path);
  res.once('close', () => {
    if (res.statusCode < 400 && (ruta.startsWith('/assets/') || ruta === '/healthcheck')) return;
    log.info('petición', {
      requestId,
      metodo: req.method,
      ruta,
      status: res.statusCode,
      ms: Math.round(performance.now() - began),
      cortada: !res.writableFinished || undefined,
    });
  });
  next();
};
