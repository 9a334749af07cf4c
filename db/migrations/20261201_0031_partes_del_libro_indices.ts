/** The sums of a month with its parts are read from the index alone, and sales that are still to be reckoned are found at once. */
export const concurrently = {
  libro_venta_partes: {
    on: 'libro_venta (fecha desc, orden_id desc) include (queda, certeza, comision, envio, retencion)',
  },
  libro_venta_por_calcular: { on: 'libro_venta (orden_id) where comision is null' },
} as const;
