import { enPesos } from '~/core/importe';
import type { Money } from '~/core/money';
import type { Buscador } from '~/platform/search/buscador';
import type { Item } from '~/integrations/proveedores/cara';
import { readReglas } from '~/domain/compras/precios/reglas.server';
import { tipoCambio } from '~/domain/compras/precios/tipoCambio.server';
import type { Db } from '~db/client.server';
import { searchLive } from './liveLook.server';
import { precioDe } from './frescura.server';
import { propias } from './columnasDeProducto.server';
import { productosList } from './listProductos.server';
import { preciosOf, type PreciosDeProducto } from './preciosDeProducto';
import { nombreCorto, palabrasOf, skuOf } from './producto';

/** Products by name, model, brand, key, GTIN or sku, the most sold first. */
export const buscarProductos: Buscador = {
  clase: 'productos',
  titulo: 'Productos',
  pantalla: 'productos',
  async find(db, { texto, limite }) {
    if (palabrasOf(texto) === '') return [];
    const ids = await productosList.ids(db, productosList.parse(new URLSearchParams({ q: texto })), null, limite);
    if (ids.length === 0) return [];
    const found = await db
      .selectFrom('producto')
      .innerJoin('proveedor', 'proveedor.value', 'producto.proveedor')
      .leftJoin('oferta', 'oferta.productoId', 'producto.id')
      .select(['producto.id', 'producto.nombre', 'producto.modelo', 'producto.idProveedor', 'proveedor.label'])
      .select(['oferta.precio', 'oferta.moneda', 'oferta.existencia', precioDe.as('precioEn')])
      .where('producto.id', 'in', ids)
      .orderBy('producto.piezasVendidas', 'desc')
      .orderBy('producto.id', 'desc')
      .execute();
    return found.map(({ id, nombre, modelo, idProveedor, label, precio, moneda, existencia, precioEn }) => ({
      id,
      titulo: nombreCorto(nombre),
      detalle: [
        label,
        precio && `${moneda === 'USD' ? 'US' : ''}${enPesos(precio.toFixed(2))}`,
        modelo ?? idProveedor,
        existencia !== null && `${existencia} ${existencia === 1 ? 'pieza' : 'piezas'}`,
      ]
        .filter(Boolean)
        .join(' · '),
      fecha: precioEn,
      a: `productos?ver=${id}`,
    }));
  },
};

/** What the finder shows of our own copy. */
const DEL_CATALOGO = 12;

/** The products of our own catalogue that some words mean, at once. `proveedor` empty means all. */
export async function searchCatalogo(db: Db, texto: string, proveedor: string) {
  const filtro = productosList.parse(new URLSearchParams({ q: texto, proveedor }));
  const { filas, totales } = await productosList.first(db, filtro);
  return { productos: filas.slice(0, DEL_CATALOGO), total: totales?.registros ?? null };
}

export type ProductoEnCatalogo = Awaited<ReturnType<typeof searchCatalogo>>['productos'][number];

/** A product as a supplier told it a moment ago, and which of ours it is. */
type EnVivoVisto = Pick<Item, 'idProveedor' | 'nombre' | 'modelo' | 'marca' | 'sinPrecio' | 'enVenta'> & {
  id: string | null;
  precio: Money | null;
  moneda: 'MXN' | 'USD' | null;
  existencia: number | null;
  tope: boolean;
  precios: PreciosDeProducto;
};

/** The same words, asked of one supplier at this moment. */
export async function askProveedores(db: Db, proveedor: string, texto: string) {
  const sku = skuOf(texto);
  const palabras = sku ? sku.modelo : palabrasOf(texto);
  const { productos } = await searchCatalogo(db, texto, proveedor);
  const vivo = await searchLive(
    db,
    proveedor,
    palabras,
    productos.map(({ idProveedor }) => idProveedor),
  );
  if (!('items' in vivo)) return vivo;
  const [reglas, suTipo, conocidos] = await Promise.all([
    readReglas(db),
    db.selectFrom('catalogoProveedor').select('tipoCambio').where('proveedor', '=', proveedor).executeTakeFirst(),
    conocidosOf(
      db,
      proveedor,
      vivo.items.map(({ idProveedor }) => idProveedor),
    ),
  ]);
  const vistos = vivo.items.map((item): EnVivoVisto => {
    const { idProveedor, nombre, modelo, marca, sinPrecio, enVenta, existencia, tipoCambio } = item;
    const suyo = conocidos.get(idProveedor);
    const precio = item.precio?.importe ?? null;
    const moneda = item.precio?.moneda ?? null;
    return {
      id: suyo?.id ?? null,
      idProveedor,
      nombre: nombre ?? suyo?.nombre ?? null,
      modelo,
      marca,
      sinPrecio,
      enVenta,
      precio,
      moneda,
      existencia: existencia.total,
      tope: existencia.tope,
      precios: preciosOf(reglas, {
        proveedor,
        precio,
        moneda,
        sinPrecio,
        tipoCambio: tipoCambio ?? suTipo?.tipoCambio ?? suyo?.tipoCambio ?? null,
        costoEnvio: suyo?.costoEnvio ?? null,
        propias: suyo?.propias ?? null,
      }),
    };
  });
  return { ...vivo, items: vistos };
}

async function conocidosOf(db: Db, proveedor: string, ids: string[]) {
  if (ids.length === 0) return new Map<string, Awaited<ReturnType<typeof productosOf>>[number]>();
  const rows = await productosOf(db, proveedor, ids);
  return new Map(rows.map((row) => [row.idProveedor, row]));
}

function productosOf(db: Db, proveedor: string, ids: string[]) {
  return db
    .selectFrom('producto')
    .leftJoin('oferta', 'oferta.productoId', 'producto.id')
    .select(['producto.id', 'producto.idProveedor', 'producto.nombre', 'producto.costoEnvio'])
    .select([tipoCambio.as('tipoCambio'), propias.as('propias')])
    .where('producto.proveedor', '=', proveedor)
    .where('producto.idProveedor', 'in', ids)
    .execute();
}
