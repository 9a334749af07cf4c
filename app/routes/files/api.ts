import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { serveApi } from '~/api/serve.server';
import { decodePath } from '~/http/address.server';

function answer({
  request,
  context: { requestId, ip, nameCall },
}: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> {
  return serveApi({ request, path: decodePath(new URL(request.url).pathname), requestId, ip, nameCall });
}

export { answer as loader, answer as action };
