import { enPesos } from '~/core/importe';
import type { Buscador } from '~/platform/search/buscador';
import { precioDe } from '../columnas.server';
import { productosList } from '../listProductos.server';
import { nombreCorto, palabrasOf } from '../producto';

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
