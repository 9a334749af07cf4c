import { env } from '~/core/env.server';
import type { Puerta } from '~/integrations/imagenes/client.server';

/** Returns the origin of the sandbox, where impostors tell pictures of this machine; null outside the demo. */
function origenDeSandbox(): string | null {
  const { SANDBOX_URL } = env();
  return URL.canParse(SANDBOX_URL) ? new URL(SANDBOX_URL).origin : null;
}

/** Returns whether an address is one of a supplier's pictures: its domain is one of `IMAGENES_DE`, at the port of its protocol. */
function isDeProveedor(url: URL): boolean {
  const dominios = env()
    .IMAGENES_DE.split(/[\s,]+/)
    .filter((dominio) => dominio !== '');
  return (
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.port === '' &&
    url.username === '' &&
    dominios.some((dominio) => url.hostname === dominio || url.hostname.endsWith(`.${dominio}`))
  );
}

/** The addresses at which the worker may fetch a picture. */
export const PUERTA: Puerta = {
  permite: (url) => isDeProveedor(url) || url.origin === origenDeSandbox(),
  privada: (url) => url.origin === origenDeSandbox(),
};
