import {
  createReadableStreamFromReadable,
  type ActionFunctionArgs,
  type AppLoadContext,
  type EntryContext,
  type LoaderFunctionArgs,
} from '@remix-run/node';
import { isRouteErrorResponse, RemixServer } from '@remix-run/react';
import { isbot } from 'isbot';
import { renderToPipeableStream } from 'react-dom/server';
import { log } from '~/core/log.server';
import { handInFarSides } from '~/domain/operacion/farSides.server';
import { htmlBody } from '~/http/html.server';
import { NonceProvider } from '~/ui/NonceContext';

export { serve } from '~/http/server.server';

handInFarSides();

/** How long deferred data may keep a page open. */
const streamTimeout = 10_000;

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remix: EntryContext,
  { nonce, requestId }: AppLoadContext,
) {
  // Who cannot run scripts gets the whole page at once; the others, its shell first.
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
      <NonceProvider value={nonce}>
        <RemixServer context={remix} url={request.url} nonce={nonce} abortDelay={streamTimeout} />
      </NonceProvider>,
      {
        nonce,
        // A part that may be fetched later is still written in its place, however long it is: without JavaScript nothing would put it there.
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

/** Answers to the browser's own navigation carry data of a person: never kept by anyone. */
export function handleDataRequest(response: Response): Response {
  if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store');
  return response;
}

/** What the guard did not turn into an answer: failures while rendering, and addresses Remix itself refuses. */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs) {
  if (request.signal.aborted) return;
  // What a route without a page refuses comes here too; the line of its request tells it.
  if (isRouteErrorResponse(error) && error.status < 500) return;
  log.error('fallo al atender', error, { incidente: context.requestId });
}
