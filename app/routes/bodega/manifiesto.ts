import type { LoaderFunctionArgs } from '@remix-run/node';
import { usuarioOf } from '~/access/session.server';
import { env } from '~/core/env.server';

/** The manifest with which a phone offers to keep the page among its apps. */
export function loader({ context }: LoaderFunctionArgs) {
  const base = `/${usuarioOf(context).rol}/bodega`;
  return Response.json(
    {
      id: base,
      name: `Bodega · ${env().MARCA}`,
      short_name: 'Bodega',
      lang: 'es-MX',
      start_url: base,
      scope: base,
      display: 'standalone',
      orientation: 'portrait',
      icons: [{ src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' }],
    },
    { headers: { 'Content-Type': 'application/manifest+json', 'Cache-Control': 'no-store' } },
  );
}
