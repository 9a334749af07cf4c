import { NotaDeFactura, NotaUsada, NotaVista, SaldoDevuelto, UsoQuitado } from '~/domain/compras/facturas/forms';
import {
  noteDevuelto,
  discardNota,
  removeUso,
  relateNotaByHand,
  detachNota,
  spendNota,
} from '~/domain/compras/facturas/notas.server';
import { withParams } from '~/core/list';
import { defineRows } from '~/http/actions.server';

/** The actions on a supplier's credit note. */
export const cuentaActions = defineRows({
  relacionarNota: {
    schema: NotaDeFactura,
    right: 'proveedorFacturas.editar',
    commit: (trx, form, usuario) => relateNotaByHand(trx, form, usuario.id),
    aviso: 'Se relacionó la nota con la factura.',
  },
  separarNota: {
    schema: NotaVista,
    right: 'proveedorFacturas.editar',
    commit: (trx, form, usuario) => detachNota(trx, form, usuario.id),
    aviso: 'La nota ya no es de ninguna factura.',
  },
  descartarNota: {
    schema: NotaVista,
    right: 'proveedorFacturas.editar',
    commit: (trx, form, usuario) => discardNota(trx, form, usuario.id),
    to: (_, { search }) => withParams(search, { nota: null }),
    aviso: 'Se descartó la nota. Al subir su XML vuelve.',
  },
  usarNota: {
    schema: NotaUsada,
    right: 'pagos.operar',
    commit: (trx, form, usuario) => spendNota(trx, form, usuario.id),
    aviso: 'Se usó el saldo en la factura.',
  },
  devolverNota: {
    schema: SaldoDevuelto,
    right: 'pagos.operar',
    commit: (trx, form, usuario) => noteDevuelto(trx, form, usuario.id),
    aviso: 'Se anotó el dinero que devolvió el proveedor.',
  },
  quitarUso: {
    schema: UsoQuitado,
    right: 'pagos.operar',
    commit: (trx, form, usuario) => removeUso(trx, form, usuario.id),
    aviso: 'Se quitó el uso del saldo.',
  },
});
