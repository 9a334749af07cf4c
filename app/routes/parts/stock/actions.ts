import { toWire, withParams } from '~/core/list';
import { defineRows, outcome } from '~/http/actions.server';
import { buscarEnCatalogo } from '~/domain/proveedores/buscarProductos.server';
import { deshacerMovimiento, savePieza, venderPieza } from '~/domain/stock/piezas.server';
import { BuscarProducto, DeshacerPieza, PiezaEditada, VenderPieza } from '~/domain/stock/stockForm';

/** What the panel of a piece sends, on whatever screen it stands. */
export const stockActions = () =>
  defineRows({
    guardarPieza: {
      schema: PiezaEditada,
      right: 'stock.operar',
      commit: (trx, pieza, usuario) => savePieza(trx, pieza, usuario.id),
      aviso: 'Registro actualizado de forma correcta',
    },
    buscarProducto: {
      schema: BuscarProducto,
      right: 'stock.operar',
      run: async (db, { parametros }) => {
        const { productos } = await buscarEnCatalogo(db, parametros, '');
        return outcome({
          resultado: productos.map(({ id, nombre, modelo, idProveedor, proveedorLabel }) =>
            toWire({ id, nombre, modelo: modelo ?? idProveedor, proveedorLabel }),
          ),
        });
      },
    },
    deshacerPieza: {
      schema: DeshacerPieza,
      right: 'stock.operar',
      commit: (trx, pieza, usuario) => deshacerMovimiento(trx, pieza, usuario.id),
      aviso: 'Se deshizo el cambio de estatus.',
    },
    venderPieza: {
      schema: VenderPieza,
      right: 'stock.operar',
      commit: (trx, pieza, usuario) => venderPieza(trx, pieza, usuario.id),
      to: (_, { search }) => withParams(search, { menu: null }),
      aviso: 'Registro actualizado de forma correcta',
    },
  });

export type ProductoHallado = { id: string; nombre: string | null; modelo: string; proveedorLabel: string };
