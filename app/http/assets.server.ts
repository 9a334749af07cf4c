import { existsSync, readdirSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler } from 'express';

/** What Vite built for the browser lies beside the server's bundle. Names in /assets carry a hash of their content. */
export function staticFiles(): RequestHandler {
  const client = fileURLToPath(new URL('../client', import.meta.url));
  const files = express.Router();
  files.use(
    '/assets',
    withoutPageHeaders,
    inBrotli(`${client}/assets`),
    express.static(`${client}/assets`, { immutable: true, maxAge: '1y', index: false, fallthrough: false }),
  );
  files.use(express.static(client, { maxAge: '1h', index: false, redirect: false }));
  return files;
}

/** What a page may do is said with pages: half a kilobyte for each of its files would say it to nobody. */
const OF_PAGES = [
  'Content-Security-Policy',
  'Permissions-Policy',
  'Referrer-Policy',
  'X-Frame-Options',
  'Cross-Origin-Opener-Policy',
];
const withoutPageHeaders: RequestHandler = (_req, res, next) => {
  for (const name of OF_PAGES) res.removeHeader(name);
  next();
};

/** The build compressed each of them once, as small as brotli makes it; whoever reads brotli is sent that file. */
function inBrotli(folder: string): RequestHandler {
  const small = new Set(existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.br')) : []);
  return (req, res, next) => {
    const name = req.path.slice(1);
    if (small.has(`${name}.br`)) {
      res.vary('Accept-Encoding');
      if (req.acceptsEncodings('br', 'gzip', 'identity') === 'br') {
        req.url = `/${name}.br`;
        res.type(extname(name)).set('Content-Encoding', 'br');
      }
    }
    next();
  };
}
