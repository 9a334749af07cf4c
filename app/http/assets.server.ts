import { existsSync, readdirSync } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler } from 'express';

/** Folder of the build that this process serves: the others lie beside it. */
const BUILD = fileURLToPath(new URL('..', import.meta.url));

/** Files that Vite built for the browser. Names in /assets carry a hash of their content. */
export function staticFiles(): RequestHandler {
  const client = join(BUILD, 'client');
  const files = express.Router();
  files.use('/assets', withoutPageHeaders, assetsOf(BUILD), assetsOfOthers(), missing);
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

const missing: RequestHandler = (_req, _res, next) => next(Object.assign(new Error('Not Found'), { status: 404 }));

/** Serves the assets of a build; what it does not have is left to the next handler. */
function assetsOf(build: string): RequestHandler {
  const folder = join(build, 'client/assets');
  const files = express.Router();
  files.use(inBrotli(folder), express.static(folder, { immutable: true, maxAge: '1y', index: false, redirect: false }));
  return files;
}

/**
 * Serves the assets of the builds beside ours: a page that came before an upgrade, or from another web in the middle of
 * one, finds its own.
 */
function assetsOfOthers(): RequestHandler {
  const others = new Map<string, RequestHandler>();
  return (req, res, next) => {
    buildWith(basename(req.path)).then((build) => {
      if (build === undefined) return next();
      const assets = others.get(build) ?? assetsOf(build);
      others.set(build, assets);
      assets(req, res, next);
    }, next);
  };
}

/** Returns the folder of a build that has this asset. */
async function buildWith(asset: string): Promise<string | undefined> {
  if (!/^[\w.-]+$/.test(asset)) return undefined;
  const beside = join(BUILD, '..');
  for (const name of await readdir(beside)) {
    if (!name.startsWith('web-')) continue;
    const found = await access(join(beside, name, 'client/assets', asset)).then(
      () => true,
      () => false,
    );
    if (found) return join(beside, name);
  }
  return undefined;
}

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
