import { sql } from 'kysely';
import type { Db } from '~db/client.server';

let productos = 0;

/** A product of a wholesaler with a price, that nobody sells yet. Its pictures lie where nothing answers. */
export async function buildPorPublicar(
  db: Db,
  { nombre = 'Cámara bala 1080p lente 2.8 mm', marca = 'Hikvision' as string | null, gtins = [] as string[] } = {},
) {
  const n = ++productos;
  const producto = await db
    .insertInto('producto')
    .values({
      proveedor: 'syscom',
      idProveedor: `PP${n}`,
      modelo: `DS-${n}`,
      modeloFabricante: `DS-2CE-${n}`,
      nombre,
      marca,
      gtins,
      imagenes: [`https://ftp3.syscom.mx/no-existe-${n}.png`],
      enVenta: true,
      huella: `h${n}`,
    })
    .returning(['id', 'modelo', 'idProveedor', 'proveedor'])
    .executeTakeFirstOrThrow();
  await db
    .insertInto('oferta')
    .values({
      productoId: producto.id,
      precio: '500.00',
      moneda: 'MXN',
      existencia: 9,
      tope: false,
      almacenes: '[]',
      promociones: '[]',
      raw: '{}',
      huella: `h${n}`,
      leidaEn: sql<Date>`now()`,
      precioEn: sql<Date>`now()`,
      existenciaEn: sql<Date>`now()`,
    })
    .execute();
  return producto;
}
