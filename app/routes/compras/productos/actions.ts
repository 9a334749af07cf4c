import { enUnaLinea } from '~/core/antesYAhora';
import { enPesos } from '~/core/importe';
import { withParams } from '~/core/list';
import { DESHACER, wordsOf } from '~/core/submission';
import { defineRows, outcome } from '~/http/actions.server';
import { PropiaForm } from '~/domain/compras/precios/forms';
import { askPropias, savePropias } from '~/domain/compras/precios/precios.server';
import { fetchProducto } from '~/domain/compras/catalogo/buscador.server';
import { addFotos, advanceFoto, readFotos, removeFoto } from '~/domain/compras/catalogo/fotos.server';
import { declarePar } from '~/domain/compras/catalogo/parientes.server';
import { AutoOrden, FotoAMover, FotosNuevas, Par, PorLeer, ProductoEditado } from '~/domain/compras/catalogo/forms';
import { readProducto, saveAutoOrden, saveProducto } from '~/domain/compras/catalogo/productos.server';
import { UnaPublicacion } from '~/domain/publicaciones/publicaciones/forms';
import { updateTiendas } from '~/domain/publicaciones/publicaciones/updateTiendas.server';
import { askChangeAutoOrden, askSeparatePieza } from './questions';

const ACTUALIZADO = 'Producto actualizado';

/** Own pictures of a product, on every screen that shows them. */
export const fotoActions = () =>
  defineRows({
    fotosSubir: {
      schema: FotosNuevas,
      right: 'productos.editar',
      run: async (db, fotos, usuario) => {
        const cuantas = await addFotos(db, fotos, usuario.id);
        return outcome({ aviso: cuantas === 1 ? 'Se subió la foto.' : `Se subieron ${cuantas} fotos.` });
      },
    },
    fotoQuitar: {
      schema: FotoAMover,
      right: 'productos.editar',
      confirm: { titulo: 'Quitar la foto', texto: '¿Está seguro que desea quitar la foto?' },
      hechos: async (db, { id, foto }) => {
        const at = (await readFotos(db, id)).findIndex((una) => una.id === foto);
        return at < 0 ? undefined : `Foto ${at + 1}`;
      },
      commit: (trx, foto, usuario) => removeFoto(trx, foto, usuario.id),
      aviso: 'Se quitó la foto.',
    },
    fotoAdelantar: {
      schema: FotoAMover,
      right: 'productos.editar',
      commit: (trx, foto, usuario) => advanceFoto(trx, foto, usuario.id),
      aviso: 'Cambió el orden de las fotos.',
    },
  });

/** The actions of the panel of a product, on every screen that shows the panel. */
export const productoActions = () =>
  defineRows({
    ...fotoActions(),
    guardar: {
      schema: ProductoEditado,
      right: 'productos.editar',
      async run(db, producto, usuario, { search }) {
        const movido = await db.transaction().execute((trx) => saveProducto(trx, producto, usuario.id));
        const to = withParams(search, { editar: null });
        if (!movido) return outcome({ to });
        const [antes, ahora] = [movido.antes, movido.ahora].map((costo) => (costo === null ? '—' : enPesos(costo)));
        return outcome({
          to,
          aviso: `${ACTUALIZADO}. ${enUnaLinea([{ campo: `Costo del envio de ${movido.modelo}`, antes: antes!, ahora: ahora! }])}`,
          deshacer: wordsOf({ formulario: DESHACER, intent: 'guardar', ...movido.deshacer }),
        });
      },
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
