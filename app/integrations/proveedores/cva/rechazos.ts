import type { FilaDeRechazo } from '~/core/rechazo';
import { DATOS_DEL_ENVIO, SIN_EXISTENCIA } from '../remedios';

/** The refusals of CVA, which has sentences and no codes. */
export const RECHAZOS_CVA: readonly FilaDeRechazo[] = [
  {
    de: /usuario o contrase|token inv[aá]lido/i,
    campo: 'Usuario y contraseña',
    remedio: 'Guarda otra vez el usuario y la contraseña de la API, que CVA da aparte de los de su página.',
  },
  {
    de: /no disponible en este horario/i,
    campo: 'Horario',
    remedio: 'CVA cierra su lista de 9 a 19 h. De día se lee producto por producto; la lista, por la noche.',
  },
  { de: /sin existencia/i, campo: 'Existencia', remedio: SIN_EXISTENCIA },
  {
    de: /orden de compra ya existe/i,
    campo: 'Folio del pedido',
    remedio: 'CVA ya tiene un pedido con este folio. Búscalo en su página antes de pedir otra vez.',
  },
  { de: /datos incompletos/i, campo: 'Sucursal y datos del envío', remedio: DATOS_DEL_ENVIO },
  {
    de: /registrar la gu[ií]a/i,
    campo: 'Guía',
    remedio: 'CVA no tomó la guía. Mándala a tu ejecutivo de CVA con el folio del pedido.',
  },
  {
    de: /no se encontr(?:ó|o|aron) (?:el |la )?(?:pedido|factura|producto)/i,
    campo: null,
    remedio: 'CVA no lo tiene con esta cuenta. Compruébalo en su página.',
  },
];
