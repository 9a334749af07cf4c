import { sql } from 'kysely';
import type { Db } from '~db/client.server';
import { vacuumAnalyze } from '../plans';

const MARCAS = ['HIKVISION', 'DAHUA', 'EPCOM', 'UBIQUITI', 'ZKTECO', 'SAXXON', 'VIVOTEK', 'APC', 'TP-LINK', 'BOSCH'];
const COSAS = [
  'Cámara bala 2 MP',
  'Grabador de 8 canales',
  'Fuente de 12 V',
  'Switch PoE de 8 puertos',
  'Soporte de pared',
  'Control de acceso facial',
];

/**
 * So many products of five wholesalers, made inside PostgreSQL: one in a hundred was ever sold, one in four has no stock, one in fifty no price that can be read,
 * and one in a thousand is no longer listed. By the owner of the tables: their search index is built once, after them.
 */
export async function seedCatalogo(db: Db, cuantos: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local synchronous_commit = off`.execute(trx);
    await sql`drop index producto_search`.execute(trx);
    await sql`
      insert into producto (proveedor, id_proveedor, modelo, modelo_fabricante, nombre, marca, gtins, imagenes, en_venta, huella, piezas_vendidas, ausencias, ausente_desde)
      select (array['syscom', 'ct', 'tvc', 'ts', 'cva'])[1 + n % 5], 'P' || n, left(marca, 3) || '-' || (100000 + n / 5), left(marca, 3) || '-' || (100000 + n / 5),
        (${sql.val(COSAS)}::text[])[1 + n % ${sql.lit(COSAS.length)}] || ' ' || marca || ' serie ' || (100000 + n / 5) || ' para exterior, IP67, con garantía de un año',
        marca, array[(694126400000 + n / 5)::text], array['https://ftp3.syscom.mx/usuarios/fotos/' || n || '.PNG'], true, '', case when n % 100 = 0 then 1 + n % 997 else 0 end,
        case when n % 1000 = 7 then 2 else 0 end, case when n % 1000 = 7 then now() end
      from generate_series(0, ${cuantos - 1}::int) n, lateral (select (${sql.val(MARCAS)}::text[])[1 + n / 5 % ${sql.lit(MARCAS.length)}] as marca) m`.execute(
      trx,
    );
    await sql`
      insert into oferta (producto_id, precio, moneda, sin_precio, tipo_cambio, existencia, tope, almacenes, promociones, raw, huella, leida_en)
      select id, case when n % 50 <> 7 then 10 + n % 900 end, case when n % 50 <> 7 then 'USD' end, case when n % 50 = 7 then 'ilegible' end, 18.41,
        case when n % 4 = 0 then 0 when n % 997 = 3 then null else n % 120 end, false,
        jsonb_build_array(jsonb_build_object('almacen', '1', 'nombre', 'Chihuahua', 'cantidad', n % 120)), '[]', '{}', '', now() - n * interval '1 second'
      from (select id, substr(id_proveedor, 2)::int as n from producto where huella = '' and id_proveedor ~ '^P[0-9]+$') p
      on conflict do nothing`.execute(trx);
    await sql`create index producto_search on producto using gin (busqueda gin_trgm_ops)`.execute(trx);
  });
  await vacuumAnalyze(db, 'producto', 'oferta');
}
