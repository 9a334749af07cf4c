import { withParams } from '~/core/list';
import { defineRows } from '~/http/actions.server';
import { noteCotizacion } from '~/domain/compras/pagos/cotizaciones.server';
import { savePagos } from '~/domain/compras/pagos/savePagos.server';
import { GUARDADO } from '~/domain/compras/pagos/pago';
import { FolioDeCotizacion, PagosDeOrden } from '~/domain/compras/pagos/forms';

/** The actions of the panel of a quotation. */
export const cotizacionActions = defineRows({
  guardarPagos: {
    schema: PagosDeOrden,
    right: 'pagos.operar',
    termina: true,
    run: (db, form, usuario) => savePagos(db, form, usuario.id),
    to: (_, { search }) => withParams(search, { editar: null }),
    aviso: GUARDADO,
  },
  folioCotizacion: {
    schema: FolioDeCotizacion,
    right: 'pagos.operar',
    commit: (trx, form, usuario) => noteCotizacion(trx, form, usuario.id),
    aviso: 'Se guardó el folio de la cotización.',
  },
});
