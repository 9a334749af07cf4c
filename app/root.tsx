import './ui/mantine.css';
import './ui/styles.css';
import { MantineProvider } from '@mantine/core';
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRevalidator,
  useRouteError,
  useRouteLoaderData,
} from '@remix-run/react';
import { useEffect, type ReactNode } from 'react';
import { env } from '~/core/env.server';
import { ZONA_HORARIA } from '~/core/time';
import { ErrorPage } from '~/ui/ErrorPage';
import { usePrimaryKey } from '~/ui/usePrimaryKey';
import { useNonce } from '~/ui/NonceContext';
import { SinRed } from '~/ui/SinRed';
import { theme } from '~/ui/theme';
import { useFocusGuard } from '~/ui/useFocusGuard';

export const meta: MetaFunction<typeof loader> = ({ data }) => [{ title: data?.marca ?? 'Trastienda' }];

export function loader({ context }: LoaderFunctionArgs) {
  const { MARCA, CORREO_REMITENTE } = env();
  const remitente = /<([^<>]+)>$/.exec(CORREO_REMITENTE)?.[1] ?? CORREO_REMITENTE;
  return { marca: MARCA, contacto: remitente.endsWith('.invalid') ? null : remitente, requestId: context.requestId };
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  return (
    <html lang="es-MX" data-mantine-color-scheme="light" data-zona={ZONA_HORARIA}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <Meta />
        <Links />
      </head>
      <body>
        <MantineProvider theme={theme} forceColorScheme="light" getStyleNonce={() => nonce ?? ''}>
          {children}
        </MantineProvider>
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function App() {
  useDevRevalidation();
  useSteadyButtons();
  usePrimaryKey();
  useFocusGuard();
  return (
    <>
      <SinRed />
      <Outlet />
    </>
  );
}

export function ErrorBoundary() {
  const root = useRouteLoaderData<typeof loader>('root');
  return <ErrorPage error={useRouteError()} marca={root?.marca ?? 'Trastienda'} requestId={root?.requestId} />;
}

/**
 * A field that is left shows or hides its message and moves the page, and the button being pressed no longer lies under the mouse: the click
 * is lost. So a mouse on a button does not take the focus away from the field; the keyboard moves as ever.
 */
function useSteadyButtons() {
  useEffect(() => {
    const hold = (event: MouseEvent) => {
      if (event.target instanceof Element && event.target.closest('button')) event.preventDefault();
    };
    document.addEventListener('mousedown', hold);
    return () => document.removeEventListener('mousedown', hold);
  }, []);
}

/** In dev the Remix plugin knows a file by its first route id only; the other areas' mounts learn of a changed loader here. */
function useDevRevalidation() {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const hot = import.meta.hot;
    if (!hot) return;
    const again = () => setTimeout(revalidate, 80);
    hot.on('vite:afterUpdate', again);
    return () => hot.off('vite:afterUpdate', again);
  }, [revalidate]);
}
