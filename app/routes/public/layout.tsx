import { Outlet, useRouteLoaderData } from '@remix-run/react';
import type { loader as rootLoader } from '~/root';
import { PublicFrame } from '~/ui/PublicFrame';

export default function Layout() {
  const root = useRouteLoaderData<typeof rootLoader>('root');
  return (
    <PublicFrame marca={root?.marca ?? ''}>
      <Outlet />
    </PublicFrame>
  );
}
