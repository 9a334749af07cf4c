import { enUnaLinea } from '~/core/antesYAhora';
import { enPesos } from '~/core/importe';
import { toWire, withParams } from '~/core/list';
import { DESHACER, wordsOf } from '~/core/submission';
import { defineRows, outcome } from '~/http/actions.server';
import { searchCatalogo } from '~/domain/compras/catalogo/buscador.server';
import { bindEtiqueta } from '~/domain/compras/stock/etiquetas.server';
import {
  changeEstado,
  undoMovimiento,
  receiveFactura,
  savePieza,
  sellPieza,
} from '~/domain/compras/stock/piezas.server';
import { askMove } from '~/domain/compras/stock/readPiezas.server';
import {
  BuscarProducto,
  DeshacerPieza,
  LigarEtiqueta,
  MoverPieza,
  PiezaEditada,
  VenderPieza,
} from '~/domain/compras/stock/forms';

const ACTUALIZADO = 'Registro actualizado de forma correcta';

/** The actions of the panel of a piece, on every screen that shows the panel. */
export const stockActions = () =>
  defineRows({
    guardarPieza: {
      schema: PiezaEditada,
      right: 'stock.operar',
      termina: true,
      async run(db, form, usuario) {
        const pieza = await receiveFactura(form);
        const movido = await db.transaction().execute((trx) => savePieza(trx, pieza, usuario.id));
        if (!movido) return;
        const { folio, antes, ahora, deshacer } = movido;
        const dicho = enUnaLinea([{ campo: `Costo de ${folio}`, antes: enPesos(antes), ahora: enPesos(ahora) }]);
        return outcome({
          aviso: `${ACTUALIZADO}. ${dicho}`,
          // A piece whose cost was not told before has none to go back to.
          ...(deshacer &&
            Number(antes) > 0 && {
              deshacer: wordsOf({ formulario: DESHACER, intent: 'guardarPieza', ...deshacer }),
            }),
        });
      },
      aviso: ACTUALIZADO,
    },
    buscarProducto: {
      schema: BuscarProducto,
      right: 'stock.operar',
      run: async (db, { parametros }) => {
        const { productos } = await searchCatalogo(db, parametros, '');
        return outcome({
          resultado: productos.map(({ id, nombre, modelo, idProveedor, proveedorLabel }) =>
            toWire({ id, nombre, modelo: modelo ?? idProveedor, proveedorLabel }),
          ),
        });
      },
    },
    moverPieza: {
      schema: MoverPieza,
      right: 'stock.operar',
      termina: true,
      confirm: (db, { id, estado }) => askMove(db, id, estado),
      commit: (trx, pieza, usuario) => changeEstado(trx, pieza, usuario.id),
      aviso: ACTUALIZADO,
    },
    deshacerPieza: {
      schema: DeshacerPieza,
      right: 'stock.operar',
      commit: (trx, pieza, usuario) => undoMovimiento(trx, pieza, usuario.id),
      aviso: 'Se deshizo el cambio de estatus.',
    },
    ligarEtiqueta: {
      schema: LigarEtiqueta,
      right: 'stock.operar',
      commit: (trx, etiqueta, usuario) => bindEtiqueta(trx, etiqueta, usuario.id),
      aviso: ACTUALIZADO,
    },
    venderPieza: {
      schema: VenderPieza,
      right: 'stock.operar',
      termina: true,
      commit: (trx, pieza, usuario) => sellPieza(trx, pieza, usuario.id),
      to: (_, { search }) => withParams(search, { menu: null }),
      aviso: ACTUALIZADO,
    },
  });

export type ProductoHallado = { id: string; nombre: string | null; modelo: string; proveedorLabel: string };
