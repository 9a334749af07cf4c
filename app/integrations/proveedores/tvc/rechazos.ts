import type { FilaDeRechazo } from '~/core/rechazo';

/** The refusals of TVC. */
export const RECHAZOS_TVC: readonly FilaDeRechazo[] = [
  {
    de: /unauthenticated/i,
    campo: 'Llave',
    remedio: 'La llave venció o es de otra cuenta. Crea otra en la página de TVC y guárdala.',
  },
  {
    de: /no query results/i,
    campo: 'Producto',
    remedio: 'TVC no tiene ese producto. Revisa su modelo en el Buscador.',
  },
  {
    de: /no enseña ningún producto/i,
    campo: 'Llave',
    remedio: 'La cuenta todavía no ve el catálogo. Pide a TVC que le dé acceso a su API.',
  },
];
