import { can } from '~/access/actions';
import { screensOf } from '~/access/screens';
import { PRECIO_DE, PRECIOS } from '~/core/market';
import { toWire } from '~/core/list';
import type { Usuario } from '~/core/usuario';
import { carasOf, gananciaOf, SIN_COSTO } from '~/domain/compras/precios/precio';
import { propiasEscritas } from '~/domain/compras/precios/precios.server';
import { enFraccion, escritasOf, huellaOfGanancias, readReglas } from '~/domain/compras/precios/reglas.server';
import { preciableOf } from '~/domain/compras/catalogo/producto';
import { askFotos } from '~/domain/compras/catalogo/fotos.server';
import { isKnownCp, listParientes, mejoresOf, type Pariente } from '~/domain/compras/catalogo/parientes.server';
import { listSeparados, readDatos, readProducto } from '~/domain/compras/catalogo/productos.server';
import { publicacionesOf } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import { db } from '~db/shared.server';

/** The parts of the panel that `?editar=` opens. */
const PARTES = ['1', 'ganancia', 'datos', 'cerca'] as const;

/** Returns the fields of another supplier's product that are compared. */
const parienteVisto = ({ almacenes: _almacenes, ...pariente }: Pariente) => pariente;

/** Reads a product for its panel, within the rights of the person; null when the id is unknown. */
export async function productoOf(id: string, search: URLSearchParams, usuario: Usuario) {
  const [producto, reglas] = await Promise.all([
    readProducto(db(), id, { conOrdenes: screensOf(usuario.rol).some(([key]) => key === 'ordenes') }),
    readReglas(db()),
  ]);
  if (!producto) return null;
  await askFotos(db(), id);
  const cp = search.get('cp')?.trim() || null;
  const [parientes, separados, publicaciones] = await Promise.all([
    listParientes(db(), id, cp),
    listSeparados(db(), id),
    publicacionesOf(db(), [id]),
  ]);
  const puede = {
    editar: can(usuario, 'productos.editar'),
    leer: can(usuario, 'productos.leer'),
    ganancia: can(usuario, 'proveedores.editar'),
    tiendas: can(usuario, 'publicaciones.leer'),
    pedir: can(usuario, 'pedidos.operar'),
  };
  const editar = PARTES.find((parte) => parte === search.get('editar')) ?? null;
  const preciable = preciableOf(producto);
  const caras = carasOf(reglas, preciable);
  const propias = propiasEscritas(preciable.propias);
  const precios = PRECIOS.map((key) => {
    const { ganancia, propia, venta, margen } = caras[key];
    return {
      key,
      label: PRECIO_DE[key].label,
      ganancia,
      propia,
      ...(venta.clase === 'precio' && margen
        ? { precio: venta.precio, queda: margen.queda, margen: margen.margen, porque: null }
        : {
            precio: null,
            queda: null,
            margen: null,
            porque: venta.clase === 'sinPrecio' ? SIN_COSTO[venta.porque] : null,
          }),
    };
  });
  return {
    ...toWire({ ...producto, precios, parientes: parientes.map(parienteVisto), separados, publicaciones }),
    mejores: mejoresOf(parientes),
    /** The destination's postal code as typed; `conocido`: the code exists. */
    destino: { cp, conocido: cp !== null && isKnownCp(cp) },
    editar: (editar === '1' && !puede.editar) || (editar === 'ganancia' && !puede.ganancia) ? null : editar,
    /** The mark-ups as the form edits them, and those that apply where the form is empty. */
    ganancias: {
      propias,
      huella: huellaOfGanancias(propias),
      suyas: escritasOf((key) => enFraccion(gananciaOf(reglas, producto.proveedor, key))),
    },
    /** The supplier's raw answer. */
    datos: editar === 'datos' ? JSON.stringify(await readDatos(db(), id), null, 2) : null,
    puede,
  };
}

export type ProductoAbierto = NonNullable<Awaited<ReturnType<typeof productoOf>>>;
