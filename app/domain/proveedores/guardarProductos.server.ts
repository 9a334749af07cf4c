import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Item } from '~/integrations/proveedores/cara';
import type { Trx } from '~db/client.server';

/** Rows of one statement. */
const LOTE = 500;

type Fila = ReturnType<typeof filaOf>;

/** Writes what differs from what is kept, and of what moves a line of its history. Returns how many products changed. */
export async function guardarProductos(trx: Trx, proveedor: string, items: readonly Item[]): Promise<number> {
  // A key that comes twice in one stretch is the product as it came last.
  const unicos = [...new Map(items.map((item) => [item.idProveedor, item])).values()];
  let escritos = 0;
  for (let at = 0; at < unicos.length; at += LOTE) {
    // Made here and not before: a whole catalogue in one stretch keeps no other work of this process waiting.
    const lote = unicos.slice(at, at + LOTE).map(filaOf);
    const known = await huellasDe(trx, proveedor, lote);
    const queda = lote.filter((fila) => known.get(fila.id)?.queda !== fila.queda.huella);
    const mueve = lote.filter((fila) => known.get(fila.id)?.mueve !== fila.mueve.huella);
    if (queda.length > 0) await guardarQueda(trx, proveedor, queda);
    if (mueve.length > 0) await guardarMueve(trx, proveedor, mueve);
    escritos += new Set([...queda, ...mueve]).size;
  }
  return escritos;
}

/** In the words of the tables, each half with its print. */
function filaOf(item: Item) {
  const { total, tope, almacenes, leidaEn } = item.existencia;
  const queda = {
    modelo: item.modelo,
    modelo_fabricante: item.modeloFabricante,
    nombre: item.nombre,
    marca: item.marca,
    gtins: item.gtins,
    clave_sat: item.claveSat,
    imagenes: item.imagenes,
    link: item.link,
    en_venta: item.enVenta,
  };
  const mueve = {
    precio: item.precio?.importe.toPostgres() ?? null,
    moneda: item.precio?.moneda ?? null,
    sin_precio: item.sinPrecio,
    tipo_cambio: item.tipoCambio?.isZero() ? null : (item.tipoCambio?.toPostgres() ?? null),
    existencia: total,
    tope,
    almacenes,
    promociones: item.promociones,
    raw: item.raw,
  };
  return {
    id: item.idProveedor,
    queda: { id_proveedor: item.idProveedor, ...queda, huella: huella(queda) },
    mueve: { id_proveedor: item.idProveedor, ...mueve, huella: huella(mueve), leida_en: leidaEn },
  };
}

const huella = (value: object) => createHash('sha1').update(JSON.stringify(value)).digest('base64');

async function huellasDe(trx: Trx, proveedor: string, filas: readonly Fila[]) {
  const rows = await trx
    .selectFrom('producto')
    .leftJoin('oferta', 'oferta.productoId', 'producto.id')
    .select(['idProveedor', 'producto.huella as queda', 'oferta.huella as mueve'])
    .where('proveedor', '=', proveedor)
    .where(
      'idProveedor',
      'in',
      filas.map((fila) => fila.id),
    )
    .execute();
  return new Map(rows.map(({ idProveedor, queda, mueve }) => [idProveedor, { queda, mueve }]));
}

async function guardarQueda(trx: Trx, proveedor: string, filas: readonly Fila[]) {
  await sql`
    insert into producto (proveedor, id_proveedor, modelo, modelo_fabricante, nombre, marca, gtins, clave_sat, imagenes, link, en_venta, huella)
    select ${proveedor}, r.* from jsonb_to_recordset(${JSON.stringify(filas.map(({ queda }) => queda))}::jsonb) as r (
      id_proveedor text, modelo text, modelo_fabricante text, nombre text, marca text, gtins text[], clave_sat text, imagenes text[],
      link text, en_venta boolean, huella text)
    on conflict (proveedor, id_proveedor) do update set modelo = excluded.modelo, modelo_fabricante = excluded.modelo_fabricante,
      nombre = excluded.nombre, marca = excluded.marca, gtins = excluded.gtins, clave_sat = excluded.clave_sat, imagenes = excluded.imagenes,
      link = excluded.link, en_venta = excluded.en_venta, huella = excluded.huella, cambiado_en = now()`.execute(trx);
}

/** A change of a warehouse alone is kept and tells no history. */
async function guardarMueve(trx: Trx, proveedor: string, filas: readonly Fila[]) {
  await sql`
    with leido as (
      select p.id as producto_id, r.* from jsonb_to_recordset(${JSON.stringify(filas.map(({ mueve }) => mueve))}::jsonb) as r (
        id_proveedor text, precio numeric, moneda text, sin_precio text, tipo_cambio numeric, existencia integer, tope boolean,
        almacenes jsonb, promociones jsonb, raw jsonb, huella text, leida_en timestamptz)
      join producto p on p.proveedor = ${proveedor} and p.id_proveedor = r.id_proveedor),
    antes as (select o.producto_id, o.precio, o.moneda, o.existencia from oferta o join leido using (producto_id)),
    puesto as (
      insert into oferta (producto_id, precio, moneda, sin_precio, tipo_cambio, existencia, tope, almacenes, promociones, raw, huella, leida_en)
      select producto_id, precio, moneda, sin_precio, tipo_cambio, existencia, tope, almacenes, promociones, raw, huella, leida_en from leido
      on conflict (producto_id) do update set precio = excluded.precio, moneda = excluded.moneda, sin_precio = excluded.sin_precio,
        tipo_cambio = excluded.tipo_cambio, existencia = excluded.existencia, tope = excluded.tope, almacenes = excluded.almacenes,
        promociones = excluded.promociones, raw = excluded.raw, huella = excluded.huella, leida_en = excluded.leida_en
      returning producto_id, precio, moneda, existencia, leida_en)
    insert into producto_historia (producto_id, en, precio, moneda, existencia)
    select n.producto_id, n.leida_en, n.precio, n.moneda, n.existencia from puesto n left join antes a using (producto_id)
    where a.producto_id is null or (a.precio, a.moneda, a.existencia) is distinct from (n.precio, n.moneda, n.existencia)`.execute(
    trx,
  );
}
