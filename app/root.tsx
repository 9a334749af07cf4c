import './ui/mantine.css';
import './ui/tema.css';
import './ui/tokens.css';
import './ui/styles.css';
import { MantineProvider } from '@mantine/core';
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  useMatches,
  useRevalidator,
  useRouteError,
  useRouteLoaderData,
} from '@remix-run/react';
import { useEffect, type ReactNode } from 'react';
import type { Preferencias, Apariencia } from '~/core/aspecto';
import publico from 'virtual:publico';
import { env } from '~/core/env.server';
import { PASSWORD_MAX } from '~/core/password';
import { SELLER_CENTRAL } from '~/core/sellerCentral';
import { ZONA_HORARIA } from '~/core/time';
import { readApariencia } from '~/http/aspecto.server';
import { ErrorPage } from '~/ui/ErrorPage';
import { usePrimaryKey } from '~/ui/usePrimaryKey';
import { useMapa, useNonce } from '~/ui/CabezaContext';
import { MismoLugar } from '~/ui/MismoLugar';
import { SinRed } from '~/ui/SinRed';
import { theme } from '~/ui/theme';
import { esquemaOf, FOLLOW_SYSTEM, useEsquema } from '~/ui/useEsquema';
import { useEstatica } from '~/ui/useEstatica';
import { useFocusGuard } from '~/ui/useFocusGuard';

export { shouldRevalidate } from './ui/ficha/soloFicha';

export const meta: MetaFunction<typeof loader> = ({ data }) => [{ title: data?.marca ?? 'Trastienda' }];

/**
 * Returns the name of the shop, the address for questions (null in the demo), the id of the request and the colours of
 * the page.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { MARCA, CORREO_REMITENTE } = env();
  const remitente = /<([^<>]+)>$/.exec(CORREO_REMITENTE)?.[1] ?? CORREO_REMITENTE;
  return {
    marca: MARCA,
    contacto: remitente.endsWith('.invalid') ? null : remitente,
    requestId: context.requestId,
    apariencia: await readApariencia(request),
  };
}

/**
 * Returns the colours of the page. Public pages are light for everybody. Pages of an area follow the person's
 * preferences. A page that failed follows the cookie.
 */
function useApariencia(): Apariencia {
  const root = useRouteLoaderData<typeof loader>('root');
  const matches = useMatches();
  if (matches.some(({ id }) => id === 'public')) return 'claro';
  const area = matches.map(({ data }) => data as { preferencias?: Preferencias } | null | undefined);
  return area.find((data) => data?.preferencias)?.preferencias?.apariencia ?? root?.apariencia ?? 'claro';
}

/** The document of every page, errors included. */
export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  const mapa = useMapa();
  const estatica = useEstatica();
  const apariencia = useApariencia();
  useEsquema(apariencia);
  return (
    <html
      lang="es-MX"
      data-mantine-color-scheme={esquemaOf(apariencia)}
      data-zona={ZONA_HORARIA}
      data-seller={SELLER_CENTRAL}
      data-password-max={PASSWORD_MAX}
      data-estatica={estatica || undefined}
      // The script below may have set the scheme before React compares.
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {/* Before anything names a script. */}
        {!estatica && (
          <script type="importmap" nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: mapa }} />
        )}
        {apariencia === 'sistema' && (
          <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: FOLLOW_SYSTEM }} />
        )}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <Meta />
        <Links />
        {estatica && <script type="module" src={publico} nonce={nonce} />}
      </head>
      <body>
        {/* We write the scheme of the page: Mantine would keep a scheme in the browser, and ours belongs to the person. */}
        <MantineProvider
          theme={theme}
          forceColorScheme={esquemaOf(apariencia)}
          getRootElement={() => undefined}
          withCssVariables={false}
          withGlobalClasses={false}
        >
          {children}
        </MantineProvider>
        {!estatica && (
          <>
            <MismoLugar nonce={nonce} />
            <Scripts nonce={nonce} />
          </>
        )}
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

/** The page of an error that no route handled. */
export function ErrorBoundary() {
  const root = useRouteLoaderData<typeof loader>('root');
  return <ErrorPage error={useRouteError()} marca={root?.marca ?? 'Trastienda'} requestId={root?.requestId} />;
}

/**
 * Keeps the focus in a field while the mouse presses a button. A field that loses the focus shows or hides its message
 * and moves the page, so the button would no longer lie under the mouse and the click would be lost. Keys move the
 * focus as ever.
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

/**
 * Reloads the data of the page after a change in dev. The Remix plugin knows a file by its first route id only, so
 * other areas would miss a changed loader.
 */
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
