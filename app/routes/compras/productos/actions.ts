import { withParams } from '~/core/list';
import { defineRows, outcome } from '~/http/actions.server';
import { PropiaForm } from '~/domain/compras/precios/forms';
import { askPropias, savePropias } from '~/domain/compras/precios/precios.server';
import { fetchProducto } from '~/domain/compras/catalogo/buscador.server';
import { declarePar } from '~/domain/compras/catalogo/parientes.server';
import { AutoOrden, Par, PorLeer, ProductoEditado } from '~/domain/compras/catalogo/forms';
import { readProducto, saveAutoOrden, saveProducto } from '~/domain/compras/catalogo/productos.server';
import { UnaPublicacion } from '~/domain/publicaciones/publicaciones/forms';
import { updateTiendas } from '~/domain/publicaciones/publicaciones/updateTiendas.server';
import { askChangeAutoOrden, askSeparatePieza } from './questions';

const ACTUALIZADO = 'Producto actualizado';

/** The actions of the panel of a product, on every screen that shows the panel. */
export const productoActions = () =>
  defineRows({
    guardar: {
      schema: ProductoEditado,
      right: 'productos.editar',
      commit: (trx, producto, usuario) => saveProducto(trx, producto, usuario.id),
      to: (_, { search }) => withParams(search, { editar: null }),
      aviso: ACTUALIZADO,
    },
    gananciaPropia: {
      schema: PropiaForm,
      right: 'proveedores.editar',
      confirm: askPropias,
      commit: (trx, ganancias, usuario) => savePropias(trx, ganancias, usuario.id),
      to: (_, { search }) => withParams(search, { editar: null }),
      aviso: 'Ganancia actializada',
    },
    autoOrden: {
      schema: AutoOrden,
      right: 'productos.editar',
      confirm: async (db, { id, autoOrden }) => {
        const producto = await readProducto(db, id, { conOrdenes: false });
        return producto && askChangeAutoOrden(producto, autoOrden);
      },
      commit: (trx, producto, usuario) => saveAutoOrden(trx, producto, usuario.id),
      aviso: ACTUALIZADO,
    },
    par: {
      schema: Par,
      right: 'productos.editar',
      confirm: async (db, { uno, otro, igual }) => {
        if (igual !== false) return null;
        const [a, b] = await Promise.all([uno, otro].map((id) => readProducto(db, id, { conOrdenes: false })));
        return a && b ? askSeparatePieza(a, { ...b, label: b.proveedorLabel }) : null;
      },
      commit: (trx, par, usuario) => declarePar(trx, par, usuario.id),
      aviso: ACTUALIZADO,
    },
    tiendas: {
      schema: UnaPublicacion,
      right: 'publicaciones.leer',
      run: async (db, { id }) => outcome({ aviso: await updateTiendas(db, id) }),
    },
    leer: {
      schema: PorLeer,
      right: 'productos.leer',
      run: async (db, producto, _, { search }) => {
        const id = await fetchProducto(db, producto);
        return outcome({ aviso: ACTUALIZADO, to: withParams(search, { ver: id, vivo: null }) });
      },
    },
  });
