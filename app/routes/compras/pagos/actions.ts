import { enLinea } from '~/core/hechos';
import { enPesos } from '~/core/importe';
import { withParams } from '~/core/list';
import { saveComprobantes, readComprobantes } from '~/domain/compras/pagos/savePagos.server';
import { GUARDADO } from '~/domain/compras/pagos/pago';
import {
  Comprobantes,
  FacturasPagadas,
  LeerComprobantes,
  MontoDeOrden,
  OrdenDePago,
  OrdenesDePago,
  PagoEditado,
  UnPago,
} from '~/domain/compras/pagos/forms';
import {
  addOrdenes,
  deletePago,
  readPago,
  removeOrden,
  saveMonto,
  savePago,
} from '~/domain/compras/pagos/pagos.server';
import { addAnunciadas } from '~/domain/compras/facturas/anunciadas.server';
import { FacturasAnunciadas } from '~/domain/compras/facturas/forms';
import { pagarFacturas } from '~/domain/compras/pagos/porPagar.server';
import { defineRows, outcome } from '~/http/actions.server';
import { ANUNCIADAS } from './pagar';

/** The actions of the panel of a payment. */
export const pagoActions = defineRows({
  subirComprobante: {
    schema: Comprobantes,
    right: 'pagos.operar',
    run: async (db, form, usuario) => {
      const { id } = await saveComprobantes(db, form, usuario.id);
      return outcome({ to: `?ver=${id}` });
    },
    aviso: GUARDADO,
  },
  pagarFacturas: {
    schema: FacturasPagadas,
    right: 'pagos.operar',
    run: async (db, form, usuario) => {
      const { id } = await pagarFacturas(db, form, usuario.id);
      return outcome({ to: `?ver=${id}` });
    },
    aviso: 'Se registró el pago.',
  },
  agregarAnunciadas: {
    schema: FacturasAnunciadas,
    right: 'proveedorFacturas.agregar',
    commit: (trx, { facturas }, usuario) => addAnunciadas(trx, facturas, usuario.id),
    to: (_, { search }) => withParams(search, { [ANUNCIADAS]: null }),
    aviso: 'Se agregaron las facturas.',
  },
  leerComprobante: {
    schema: LeerComprobantes,
    right: 'pagos.operar',
    run: async (db, { archivos }) => outcome({ resultado: await readComprobantes(db, archivos) }),
  },
  editarPago: {
    schema: PagoEditado,
    right: 'pagos.operar',
    commit: (trx, form, usuario) => savePago(trx, form, usuario.id),
    aviso: 'Se guardó el pago.',
  },
  agregarOrdenes: {
    schema: OrdenesDePago,
    right: 'pagos.operar',
    commit: (trx, form, usuario) => addOrdenes(trx, form, usuario.id),
    aviso: 'Orden actualizada de forma correcta',
  },
  repartirPago: {
    schema: MontoDeOrden,
    right: 'pagos.operar',
    commit: (trx, form, usuario) => saveMonto(trx, form, usuario.id),
    aviso: 'Se guardó el monto de la orden.',
  },
  quitarOrden: {
    schema: OrdenDePago,
    right: 'pagos.operar',
    confirm: async (db, { id, ordenId }) => {
      const pago = await readPago(db, id);
      const orden = pago?.ordenes.find((suya) => suya.id === ordenId);
      return pago && orden ? askRemove(pago.folio, orden.numOrden) : null;
    },
    commit: (trx, form, usuario) => removeOrden(trx, form, usuario.id),
    aviso: 'Se elimino de forma correcta.',
  },
  eliminarPago: {
    schema: UnPago,
    right: 'pagos.operar',
    confirm: async (db, { id }) => {
      const pago = await readPago(db, id);
      return pago
        ? {
            titulo: 'Eliminar el pago',
            texto: '¿Está seguro que desea eliminar el pago?',
            hechos: enLinea(pago.folio, pago.proveedorLabel, pago.total ? enPesos(pago.total.toFixed(2)) : 'sin total'),
            destruye: true,
          }
        : null;
    },
    commit: (trx, form, usuario) => deletePago(trx, form, usuario.id),
    to: (_, { search }) => withParams(search, { ver: null }),
    aviso: 'Se elimino de forma correcta.',
  },
});

export type ComprobanteLeido = Awaited<ReturnType<typeof readComprobantes>>[number];

const askRemove = (folio: string, numOrden: string) => ({
  titulo: 'Quitar la orden',
  texto: '¿Está seguro que desea quitar la orden del pago?',
  hechos: enLinea(`Pago ${folio}`, `orden ${numOrden}`),
  destruye: true,
});
