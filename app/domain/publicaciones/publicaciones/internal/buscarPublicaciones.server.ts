import { enPesos } from '~/core/importe';
import { contains } from '~/platform/lists/list.server';
import { MERCADOS } from '~/domain/mercados/mercados';
import { nombreCorto, palabrasOf } from '~/domain/compras/catalogo/producto';
import type { Buscador } from '~/platform/search/buscador';
import { estatusOf } from '../publicacion';

/** Finds listings by their title, their number at the marketplace, or their sku. */
export const buscarPublicaciones: Buscador = {
  clase: 'publicaciones',
  titulo: 'Publicaciones',
  pantalla: 'publicaciones',
  async find(db, { texto, limite }) {
    const palabras = texto.includes('|') ? texto : palabrasOf(texto);
    if (palabras === '') return [];
    const halladas = await db
      .selectFrom('publicacion')
      .select(['id', 'market', 'clave', 'marketId', 'titulo', 'precio', 'stock', 'estatus', 'fechaCreacion'])
      .where(contains('publicacion.busqueda', palabras))
      .orderBy('vendido', (orden) => orden.desc().nullsLast())
      .limit(limite)
      .execute();
    return halladas.map(({ id, market, clave, marketId, titulo, precio, stock, estatus, fechaCreacion }) => ({
      id,
      titulo: nombreCorto(titulo),
      detalle: [
        MERCADOS[market].label,
        marketId ?? clave,
        precio && enPesos(precio.toFixed(2)),
        stock !== null && `${stock} ${stock === 1 ? 'pieza' : 'piezas'}`,
        estatusOf(market, estatus).label,
      ]
        .filter(Boolean)
        .join(' · '),
      fecha: fechaCreacion,
      a: `publicaciones?ver=${id}`,
    }));
  },
};
