import type { FilaDeRechazo } from '~/core/rechazo';

/** The refusals of TecnoSinergia. */
export const RECHAZOS_TS: readonly FilaDeRechazo[] = [
  {
    de: /token inv[aá]lido/i,
    campo: 'Token',
    remedio: 'El token no es de esta cuenta o se cambió. Pide otro a tu ejecutivo de TecnoSinergia y guárdalo.',
  },
  {
    de: /art[ií]culo no encontrado/i,
    campo: 'Producto',
    remedio: 'TecnoSinergia no tiene ese producto. Revisa su modelo en el Buscador.',
  },
  {
    de: /ruta no disponible/i,
    campo: null,
    remedio:
      'TecnoSinergia cambió su API o está en mantenimiento. Se intenta otra vez solo; si sigue, avisa a soporte.',
  },
];
