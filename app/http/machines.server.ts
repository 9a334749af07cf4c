import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadable } from 'node:stream/web';
import type { ActionFunction, AppLoadContext, ServerBuild } from '@remix-run/node';
import express, { type Request as Asked, type Response as Answer, type Router } from 'express';

/** Beginning of the addresses of notices. `limitBody` limits their bodies. */
const MACHINES = 'avisos/';
const MOST = 64 * 1024;
/** Beginning of the addresses of the API. */
const API = 'api/*';

/**
 * Leads notices and calls of the API straight to their routes, behind the same guard as every route. They come by the hundred, and finding a route
 * among the pages of every role takes longer than the answer. Other methods go on to Remix.
 */
export function machineDoors(build: ServerBuild, contextOf: (req: Asked, res: Answer) => AppLoadContext): Router {
  const router = express.Router();
  for (const route of Object.values(build.routes)) {
    if (route?.path === API) {
      const { loader, action } = route.module as Record<'loader' | 'action', ActionFunction>;
      router.use('/api', (req, res, next) => {
        const left = new AbortController();
        res.once('close', () => left.abort());
        const request = new Request(new URL(req.originalUrl, 'http://api.local'), {
          method: req.method,
          headers: headersOf(req),
          signal: left.signal,
          ...(isRead(req) ? {} : { body: Readable.toWeb(req) as ReadableStream, duplex: 'half' }),
        });
        const run = isRead(req) ? loader : action;
        answer(route.id, () => run({ request, params: {}, context: contextOf(req, res) }), res).catch(next);
      });
      continue;
    }
    const action = route?.module.action as ActionFunction | undefined;
    if (!route?.path?.startsWith(MACHINES) || !action) continue;
    router.post(`/${route.path}`, express.raw({ type: () => true, limit: MOST, inflate: false }), (req, res, next) => {
      const body = Buffer.isBuffer(req.body) ? new Uint8Array(req.body) : undefined;
      const headers = { 'content-type': req.get('content-type') ?? 'application/octet-stream' };
      const request = new Request(new URL(req.originalUrl, 'http://avisos.local'), { method: 'POST', headers, body });
      const params = req.params as Record<string, string>;
      answer(route.id, () => action({ request, params, context: contextOf(req, res) }), res).catch(next);
    });
  }
  return router;
}

const isRead = ({ method }: Asked) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

function headersOf(req: Asked): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers))
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, one);
  return headers;
}

/** Writes the answer of a route. A streamed body is read as fast as the caller takes it. */
async function answer(id: string, run: () => unknown, res: Answer): Promise<void> {
  const said = await Promise.resolve(run()).catch((thrown: unknown) => {
    if (thrown instanceof Response) return thrown;
    // `answering` has logged this failure already and chose its status.
    const { init } = thrown as { init?: ResponseInit | null };
    if (init) return new Response(null, init);
    throw thrown;
  });
  if (!(said instanceof Response)) throw new Error(`${id} answered something else than a response`);
  res.status(said.status);
  said.headers.forEach((value, name) => void res.append(name, value));
  if (!said.body || res.req.method === 'HEAD') {
    await said.body?.cancel();
    return void res.end();
  }
  if (!/ndjson|sheet|octet-stream|android|pdf/.test(said.headers.get('Content-Type') ?? ''))
    return void res.end(Buffer.from(await said.arrayBuffer()));
  // A caller who left, or who takes too long, gets no more.
  await pipeline(Readable.fromWeb(said.body as NodeReadable), res).catch(() => res.destroy());
}
