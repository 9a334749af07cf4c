import {
  createReadableStreamFromReadable,
  type ActionFunctionArgs,
  type AppLoadContext,
  type EntryContext,
  type LoaderFunctionArgs,
  type ServerBuild,
} from '@remix-run/node';
import { isRouteErrorResponse, RemixServer } from '@remix-run/react';
import { isbot } from 'isbot';
import { renderToPipeableStream } from 'react-dom/server';
import { requireEnv } from '~/core/env.server';
import { log } from '~/core/log.server';
import { handIn } from '~/domain/operacion/handIn.server';
import { startMuestras } from '~/domain/operacion/mantenimiento/muestras.server';
import { takeCuentas } from '~/http/cuenta.server';
import { htmlBody } from '~/http/html.server';
import { takeVitales } from '~/http/vitales.server';
import { serve as serveWeb, type Running, type ServeOptions } from '~/http/server.server';
import { CabezaProvider } from '~/ui/CabezaContext';

handIn();

/** Starts the web process, which tells each minute how it is. */
export async function serve(build: ServerBuild, options: ServeOptions = {}): Promise<Running> {
  requireEnv(['CAPTURAS', 'DISCOS']);
  return serveWeb(build, {
    ...options,
    beside: (db) =>
      startMuestras(db, {
        tipo: 'web',
        construccion: build.assets.version,
        cuenta: () => ({ peticiones: takeCuentas(), vitales: takeVitales() }),
      }),
  });
}

/** Time in ms that deferred data may keep a page open. */
const streamTimeout = 10_000;

/** Answers a navigation with the page as HTML, streamed. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remix: EntryContext,
  { nonce, requestId, mapa }: AppLoadContext,
) {
  // Clients without scripts get the whole page at once; browsers get its shell first.
  const whole = isbot(request.headers.get('User-Agent') ?? '') || remix.isSpaMode;
  return new Promise<Response>((resolve, reject) => {
    let responded = false;
    const send = () => {
      responded = true;
      const body = htmlBody();
      headers.set('Content-Type', 'text/html; charset=utf-8');
      if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
      resolve(new Response(createReadableStreamFromReadable(body), { status, headers }));
      pipe(body);
    };
    const { pipe, abort } = renderToPipeableStream(
      <CabezaProvider value={{ nonce, mapa }}>
        <RemixServer context={remix} url={request.url} nonce={nonce} abortDelay={streamTimeout} />
      </CabezaProvider>,
      {
        nonce,
        // React would move long late parts to the end of the page, for a script to place. With this size every part is
        // written in place, because a page must work without JavaScript.
        progressiveChunkSize: Infinity,
        [whole ? 'onAllReady' : 'onShellReady']: send,
        onShellError: reject,
        onError(error: unknown) {
          // A failure before the first byte is rejected above and reported by handleError.
          if (responded && !request.signal.aborted)
            log.error('fallo al dibujar la página', error, { incidente: requestId });
        },
      },
    );
    setTimeout(abort, streamTimeout + 1_000).unref();
  });
}

/** Answers of loaders carry data of a person, so no cache stores an answer. */
export function handleDataRequest(response: Response): Response {
  if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store');
  return response;
}

/**
 * Reports failures that the guard did not answer: failures while rendering, and addresses that Remix itself refuses.
 */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs) {
  if (request.signal.aborted) return;
  // Refusals of routes without a page arrive here too; the log line of the request already tells those.
  if (isRouteErrorResponse(error) && error.status < 500) return;
  log.error('fallo al atender', error, { incidente: context.requestId });
}
