import type { FilaDeRechazo } from '~/core/rechazo';
import { DATOS_DEL_ENVIO, SIN_EXISTENCIA } from '../remedios';

/** The refusals of CT, by the codes that are known. */
export const RECHAZOS_CT: readonly FilaDeRechazo[] = [
  {
    de: /direcci[oó]n IP de este servidor/i,
    campo: 'Dirección IP',
    remedio:
      'CT solo contesta a las direcciones IP que conoce. Pide a tu ejecutivo de CT que dé de alta la IP fija de este servidor, con tu número de cliente, y guarda otra vez las llaves.',
  },
  {
    de: '4000',
    campo: 'Línea de crédito',
    remedio: 'CT vende por su API a cuentas con línea de crédito. Pídela a tu ejecutivo de CT, o libera la que tienes.',
  },
  { de: '4001', campo: 'Datos del envío', remedio: DATOS_DEL_ENVIO },
  {
    de: '4004',
    campo: 'Pedido',
    remedio: 'CT no tiene ese pedido. Compruébalo en su página; si no está, haz el pedido otra vez.',
  },
  {
    de: '4005',
    campo: 'Pedido',
    remedio: 'El pedido venció o CT lo tomó con errores. Quítalo de la lista y haz otro.',
  },
  { de: '4006', campo: 'Pedido', remedio: 'Ya estaba confirmado: no hace falta hacer nada más.' },
  {
    de: '4007',
    campo: 'Guía',
    remedio: 'CT recibe la guía después de facturar el pedido. Se manda otra vez sola.',
  },
  { de: '4008', campo: 'Existencia', remedio: SIN_EXISTENCIA },
  {
    de: '4010',
    campo: 'Correo, número de cliente y RFC',
    remedio: 'Revisa que el correo lleve sus mayúsculas y que el número de cliente y el RFC sean de la misma cuenta.',
  },
  {
    de: '4011',
    campo: 'Folio del pedido',
    remedio: 'CT ya tiene un pedido con este folio. Búscalo en su página antes de pedir otra vez.',
  },
  { de: '5033', campo: null, remedio: 'CT está en mantenimiento. Se intenta otra vez solo.' },
];
