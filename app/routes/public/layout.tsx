import { redirectDocument, type LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useRouteLoaderData } from '@remix-run/react';
import type { loader as rootLoader } from '~/root';
import { PublicFrame } from '~/ui/PublicFrame';
import './publico.css';

/** React writes these pages and is not sent with them: their script is ui/publico, of a twentieth of its size. */
export const handle = { hydrate: false };

/** A page that runs React is led here by its router: the browser has to open what comes without it. */
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
