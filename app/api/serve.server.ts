import { CALLS } from './catalog.server';
import { createDispatch, type ApiRequest } from './dispatch.server';
import { EVENTOS } from './eventos.server';
import { openApiOf } from './openapi.server';

const dispatch = createDispatch(CALLS);
let described: string | undefined;

export const openApi = () => (described ??= JSON.stringify(openApiOf(CALLS, EVENTOS)));

/** Answers every request to `/api/*`. */
export async function serveApi(asked: ApiRequest): Promise<Response> {
  if (asked.path !== '/api/openapi.json') return dispatch(asked);
  return new Response(openApi(), {
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-cache' },
  });
}
