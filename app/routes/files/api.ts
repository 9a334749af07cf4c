import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { serveApi } from '~/api/serve.server';
import { decodePath } from '~/http/address.server';

function answer({ request, context: { requestId, ip } }: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> {
  return serveApi({ request, path: decodePath(new URL(request.url).pathname), requestId, ip });
}

export { answer as loader, answer as action };
