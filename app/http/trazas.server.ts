import type { RequestHandler } from 'express';
import { receiveIn } from '~/core/traza.server';
import { routeOf } from './metrics.server';

/** Tells each request as the first span of its trace. Mounted where traces are asked for; what monitors and browsers ask all day is not told. */
export const traceRequests: RequestHandler = (req, res, next) => {
  const requestId = String(res.locals.requestId);
  if (/^\/(?:assets|healthcheck|metrics)(?:\/|$)/.test(req.path)) return next();
  const tramo = receiveIn(
    requestId,
    {
      nombre: req.method,
      clase: 'recibe',
      datos: { 'http.request.method': req.method, 'trastienda.peticion': requestId },
    },
    next,
  );
  res.once('close', () => {
    const route = routeOf(String(res.locals.ruta ?? res.locals.medida), res.statusCode);
    tramo?.rename(`${req.method} ${route}`);
    tramo?.describe({ 'http.route': route, 'http.response.status_code': res.statusCode });
    if (res.statusCode >= 500) tramo?.fail(String(res.statusCode));
    tramo?.end();
  });
};
