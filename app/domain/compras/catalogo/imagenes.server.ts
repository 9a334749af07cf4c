import { env } from '~/core/env.server';

/** Where pictures of wholesalers may come from: their own domains, and what lies under them. */
export function dominiosOfImagenes(): string[] {
  return env()
    .IMAGENES_DE.split(/[\s,]+/)
    .filter((dominio) => dominio !== '');
}

const MAX_IMAGENES = 8;

/** The addresses that a page may show: the content policy lets nothing else through, and a picture that never comes is no picture. */
export function imagenesSeguras(imagenes: readonly string[], dominios = dominiosOfImagenes()): string[] {
  return imagenes
    .filter((imagen) => {
      if (!URL.canParse(imagen)) return false;
      const url = new URL(imagen);
      return (
        url.protocol === 'https:' &&
        url.port === '' &&
        dominios.some((dominio) => url.hostname === dominio || url.hostname.endsWith(`.${dominio}`))
      );
    })
    .slice(0, MAX_IMAGENES);
}
