import { existsSync, readdirSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler } from 'express';

/** Folder of the files that Vite built for the browser. Names in /assets carry a hash of their content. */
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

/** Headers that only pages need. Sent with each file they would cost half a kilobyte and tell nobody anything. */
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

/** Serves the brotli file that the build wrote beside each asset, to browsers that read brotli. */
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
