import type { RequestHandler } from 'express';
import { CONSTRUCCION } from '~/core/construccion';

/**
 * Says in each answer of which version the browser's files are, and notes whether a form comes from a page of another one. Data for a page of another version are not read: 204 tells the page to let the browser open its
 * address, before a loader took a notice that is shown once.
 */
export function sayVersion(version: string): RequestHandler {
  return (req, res, next) => {
    res.set(CONSTRUCCION, version);
    const asks = req.get(CONSTRUCCION);
    res.locals.otraConstruccion = asks !== undefined && asks !== version;
    if (req.method !== 'GET' || asks === undefined || asks === version || !req.path.endsWith('.data')) return next();
    res.set('Cache-Control', 'no-store').status(204).end();
  };
}
