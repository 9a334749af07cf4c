import type { ActionFunction, AppLoadContext, ServerBuild } from '@remix-run/node';
import express, { type Request as Asked, type Response as Answer, type Router } from 'express';

/** Where machines send to; `limitBody` counts what they send. */
const MACHINES = 'avisos/';
const MOST = 64 * 1024;

/**
 * What machines send goes straight to the action of its route, behind the same guard. It comes by the hundred, and finding its route among the pages of every
 * role takes longer than keeping it. Other methods go on to Remix.
 */
export function machineDoors(build: ServerBuild, contextOf: (req: Asked, res: Answer) => AppLoadContext): Router {
  const router = express.Router();
  for (const route of Object.values(build.routes)) {
    const action = route?.module.action as ActionFunction | undefined;
    if (!route?.path?.startsWith(MACHINES) || !action) continue;
    router.post(`/${route.path}`, express.raw({ type: () => true, limit: MOST, inflate: false }), (req, res, next) => {
      const body = Buffer.isBuffer(req.body) ? new Uint8Array(req.body) : undefined;
      const headers = { 'content-type': req.get('content-type') ?? 'application/octet-stream' };
      const request = new Request(new URL(req.originalUrl, 'http://avisos.local'), { method: 'POST', headers, body });
      Promise.resolve(action({ request, params: req.params as Record<string, string>, context: contextOf(req, res) }))
        .catch((thrown: unknown) => {
          if (thrown instanceof Response) return thrown;
          // What `answering` has written down already, with the status it gave it.
          const { init } = thrown as { init?: ResponseInit | null };
          if (init) return new Response(null, init);
          throw thrown;
        })
        .then(async (answer) => {
          if (!(answer instanceof Response)) throw new Error(`${route.id} answered something else than a response`);
          res.status(answer.status);
          answer.headers.forEach((value, name) => void res.append(name, value));
          res.end(Buffer.from(await answer.arrayBuffer()));
        })
        .catch(next);
    });
  }
  return router;
}
