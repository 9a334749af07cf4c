import { HORA } from '~/platform/hoy/reloj';

/** Age of a cancelled sale's pedido from which it is late to cancel it with its supplier. */
export const PLAZOS_CON_VENTA_CANCELADA = { aviso: 0, mal: 4 * HORA };
/** Ages at which 'Ordenes activas' marks a sale, and marks it red. */
export const SIN_FOLIO = { aviso: 24 * HORA, mal: 48 * HORA };
/** Ages at which a sale is bought too late to leave on its day. */
export const PLAZOS_POR_CONFIRMAR = { aviso: 12 * HORA, mal: 24 * HORA };
