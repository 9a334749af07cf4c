import { redirectDocument, type LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useRouteLoaderData } from '@remix-run/react';
import type { loader as rootLoader } from '~/root';
import { PublicFrame } from '~/ui/PublicFrame';
import './publico.css';

/** React writes these pages and is not sent with them. Their script, ui/publico, has a twentieth of the size. */
export const handle = { hydrate: false };

/** The router of a page that runs React leads here: the browser itself has to open a page that comes without React. */
export function loader({ request, context }: LoaderFunctionArgs) {
  if (!context.byRouter) return null;
  const { pathname, search } = new URL(request.url);
  throw redirectDocument(pathname + search);
}

export default function Layout() {
  const root = useRouteLoaderData<typeof rootLoader>('root');
  return (
    <PublicFrame marca={root?.marca ?? ''}>
      <Outlet />
    </PublicFrame>
  );
}
