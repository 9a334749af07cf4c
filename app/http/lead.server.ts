import type { RequestHandler } from 'express';

/**
 * Tells the script of a public page (ui/publico) by a header where an answer leads, in place of a redirect. The script opens the next step of its own
 * page in place and lets the browser open any other address. A header marks its requests.
 */
export const leadByHeader: RequestHandler = (req, res, next) => {
  if (req.get('X-Publico') === undefined) return next();
  const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => typeof res;
  res.writeHead = ((status: number, ...rest: unknown[]) => {
    const to = res.getHeader('Location');
    if (status < 300 || status >= 400 || to === undefined) return writeHead(status, ...rest);
    res.removeHeader('Location');
    res.statusCode = 204;
    res.setHeader('X-Ir', to);
    return writeHead(204);
  }) as typeof res.writeHead;
  next();
};
