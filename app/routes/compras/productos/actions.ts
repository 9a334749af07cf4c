import { withParams } from '~/core/list';
import { defineRows, outcome } from '~/http/actions.server';
import { PropiaForm } from '~/domain/compras/precios/gananciaForm';
import { preguntarPropias, savePropias } from '~/domain/compras/precios/propias.server';
import { leerProducto } from '~/domain/compras/catalogo/leerAhora.server';
import { decirPar } from '~/domain/compras/catalogo/piezas.server';
import { AutoOrden, Par, PorLeer, ProductoEditado } from '~/domain/compras/catalogo/productoForm';
import { readProducto, saveAutoOrden, saveProducto } from '~/domain/compras/catalogo/productos.server';
import { UnaPublicacion } from '~/domain/publicaciones/publicaciones/publicacionForm';
import { actualizarTiendas } from '~/domain/sync/actualizarTiendas.server';
import { cambiarAutoOrden, separarPieza } from './preguntas';

const ACTUALIZADO = 'Producto actualizado';

/** What the panel of a product sends, on whatever screen it stands. */
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
      confirm: preguntarPropias,
      commit: (trx, ganancias, usuario) => savePropias(trx, ganancias, usuario.id),
      to: (_, { search }) => withParams(search, { editar: null }),
      aviso: 'Ganancia actializada',
    },
    autoOrden: {
      schema: AutoOrden,
      right: 'productos.editar',
      confirm: async (db, { id, autoOrden }) => {
        const producto = await readProducto(db, id, { conOrdenes: false });
        return producto && cambiarAutoOrden(producto, autoOrden);
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
        return a && b ? separarPieza(a, { ...b, label: b.proveedorLabel }) : null;
      },
      commit: (trx, par, usuario) => decirPar(trx, par, usuario.id),
      aviso: ACTUALIZADO,
    },
    tiendas: {
      schema: UnaPublicacion,
      right: 'publicaciones.leer',
      run: async (db, { id }) => outcome({ aviso: await actualizarTiendas(db, id) }),
    },
    leer: {
      schema: PorLeer,
      right: 'productos.leer',
      run: async (db, producto, _, { search }) => {
        const id = await leerProducto(db, producto);
        return outcome({ aviso: ACTUALIZADO, to: withParams(search, { ver: id, vivo: null }) });
      },
    },
  });
