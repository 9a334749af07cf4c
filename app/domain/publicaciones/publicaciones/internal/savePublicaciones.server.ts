import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Market } from '~/core/market';
import { MERCADOS } from '~/domain/mercados/mercados';
import type { PublicacionLeida } from '~/domain/mercados/publicacion';
import type { Trx } from '~db/client.server';

/**
 * SQL for the product that a sku names (`AMS|key|supplier|model`). The key is the supplier's own or that of our row. A sku from before there was a
 * catalogue has another key: then the model decides, where only one product of that supplier has it.
 */
export const productoOfSku = (sku: RawBuilder<unknown>) => sql`(
  select una.id from (select lower(split_part(${sku}, '|', 3)) as proveedor, split_part(${sku}, '|', 2) as llave, lower(split_part(${sku}, '|', 4)) as modelo) s
  cross join lateral (
    select id, 1 as orden, 1 as n from producto where proveedor = s.proveedor and id_proveedor = s.llave
    union all select id, 2, 1 from producto where proveedor = s.proveedor and id = case when s.llave ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then s.llave::uuid end
    union all select id, 3, count(*) over () from producto where proveedor = s.proveedor and lower(modelo) = s.modelo) una
  where una.n = 1 and s.proveedor <> '' order by una.orden limit 1)`;

/**
 * Writes the listings that differ from the stored ones, and returns how many did. The questions were asked after `desde`: a price or stock that we told
 * since then is newer than the answer, and stays. A listing that follows its supplier and shows another value is looked at again.
 */
export async function savePublicaciones(
  trx: Trx,
  market: Market,
  leidas: readonly PublicacionLeida[],
  desde: Date,
): Promise<number> {
  if (leidas.length === 0) return 0;
  // Rows are written in a fixed order, so two readings of the same listings wait for each other and never deadlock.
  const filas = [...new Map(leidas.map((leida) => [leida.clave, leida])).values()]
    .sort((a, b) => (a.clave < b.clave ? -1 : 1))
    .map(filaOf);
  const { rows } = await sql<{ clave: string }>`
    select r.clave from unnest(${filas.map(({ clave }) => clave)}::text[], ${filas.map(({ huella }) => huella)}::text[]) as r (clave, huella)
    left join lateral (select huella from publicacion where market = ${market} and clave = r.clave offset 0) p on true
    where p.huella is distinct from r.huella`.execute(trx);
  const distintas = new Set(rows.map(({ clave }) => clave));
  const cambian = filas.filter(({ clave }) => distintas.has(clave));
  if (cambian.length > 0) await write(trx, market, cambian, desde);
  await sql`update publicacion set leida_en = greatest(leida_en, ${desde}), visto_en = now(), ausencias = 0, ausente_desde = null
    where market = ${market} and clave = any(${filas.map(({ clave }) => clave)})`.execute(trx);
  await writePreciosDeVenta(trx, market, leidas, desde);
  return cambian.length;
}

/** Writes the prices that listings are really sold at, where they were asked for. They are no part of the fingerprint: a reading of all listings does not ask for them. */
async function writePreciosDeVenta(
  trx: Trx,
  market: Market,
  leidas: readonly PublicacionLeida[],
  desde: Date,
): Promise<void> {
  const dichos = leidas
    .flatMap(({ clave, precioVenta }) => (precioVenta === undefined ? [] : [{ clave, precio: precioVenta }]))
    .sort((a, b) => (a.clave < b.clave ? -1 : 1));
  if (dichos.length === 0) return;
  await sql`update publicacion p set precio_venta = r.precio, precio_venta_en = ${desde}
    from unnest(${dichos.map(({ clave }) => clave)}::text[], ${dichos.map(({ precio }) => precio?.toPostgres() ?? null)}::numeric[]) as r (clave, precio)
    where p.market = ${market} and p.clave = r.clave and (p.precio_venta_en is null or p.precio_venta_en <= ${desde})`.execute(
    trx,
  );
}

type Fila = ReturnType<typeof filaOf>;

function filaOf(leida: PublicacionLeida) {
  const fila = {
    clave: leida.clave,
    market_id: leida.marketId,
    sku: leida.sku,
    titulo: leida.titulo,
    precio: leida.precio?.toPostgres() ?? null,
    stock: leida.stock,
    vendido: leida.vendido,
    estatus: leida.estatus,
    subestatus: leida.subestatus,
    problemas: leida.problemas,
    tipo: leida.tipo,
    categoria_id: leida.categoriaId,
    link: leida.link,
    stock_ajeno: leida.stockAjeno,
    piezas_ajenas: leida.piezasAjenas,
    producto_alla: leida.productoAlla,
    precio_ajeno: leida.precioAjeno,
    de_catalogo: leida.deCatalogo,
    variantes: leida.variantes,
    fecha_creacion: leida.fechaCreacion,
    cambio_en: leida.cambioEn,
    datos: leida.datos,
  };
  return { ...fila, huella: createHash('sha1').update(JSON.stringify(fila)).digest('base64') };
}

async function write(trx: Trx, market: Market, filas: readonly Fila[], desde: Date): Promise<void> {
  await sql`
    with leida as (
      select * from jsonb_to_recordset(${JSON.stringify(filas)}::jsonb) as r (
        clave text, market_id text, sku text, titulo text, precio numeric, stock integer, vendido integer, estatus text, subestatus text[], problemas text[], tipo text,
        categoria_id text, link text, stock_ajeno boolean, piezas_ajenas integer, producto_alla text, precio_ajeno boolean, de_catalogo boolean, variantes smallint, fecha_creacion timestamptz, cambio_en timestamptz, datos jsonb, huella text)),
    antes as (select p.id, p.precio, p.stock, p.precio_ajeno from leida l join publicacion p on p.market = ${market} and p.clave = l.clave),
    puesta as (
      insert into publicacion (market, clave, market_id, sku, proveedor, producto_id, titulo, precio, stock, vendido, estatus, subestatus, problemas, tipo,
        categoria_id, link, stock_ajeno, piezas_ajenas, producto_alla, precio_ajeno, de_catalogo, variantes, fecha_creacion, cambio_en, datos, huella, leida_en)
      select ${market}, l.clave, l.market_id, l.sku, nullif(lower(split_part(l.sku, '|', 3)), ''), ${productoOfSku(sql`l.sku`)}, l.titulo, l.precio, l.stock, l.vendido,
        l.estatus, l.subestatus, l.problemas, l.tipo, l.categoria_id, l.link, l.stock_ajeno, l.piezas_ajenas, l.producto_alla, l.precio_ajeno, l.de_catalogo, l.variantes, l.fecha_creacion, l.cambio_en, l.datos, l.huella, ${desde}
      from leida l
      on conflict (market, clave) do update set market_id = coalesce(excluded.market_id, publicacion.market_id), sku = excluded.sku, proveedor = excluded.proveedor,
        producto_id = coalesce(excluded.producto_id, publicacion.producto_id), titulo = excluded.titulo,
        precio = case when publicacion.dicho_en > ${desde} then publicacion.precio else excluded.precio end,
        stock = case when publicacion.dicho_en > ${desde} then publicacion.stock else excluded.stock end,
        vendido = excluded.vendido, estatus = excluded.estatus, subestatus = excluded.subestatus, problemas = excluded.problemas, tipo = excluded.tipo,
        categoria_id = excluded.categoria_id, link = excluded.link, stock_ajeno = excluded.stock_ajeno, piezas_ajenas = excluded.piezas_ajenas, producto_alla = excluded.producto_alla, precio_ajeno = excluded.precio_ajeno, de_catalogo = coalesce(excluded.de_catalogo, publicacion.de_catalogo), variantes = excluded.variantes,
        fecha_creacion = excluded.fecha_creacion, cambio_en = excluded.cambio_en, datos = excluded.datos,
        huella = case when publicacion.dicho_en > ${desde} then '' else excluded.huella end
      where publicacion.leida_en <= excluded.leida_en
      returning id, producto_id, precio, stock, precio_ajeno, auto_sync)
    insert into publicacion_mirar (producto_id, motivo)
    select distinct n.producto_id, 'revision' from puesta n join antes a using (id)
    where n.auto_sync and n.producto_id is not null and (n.precio, n.stock, n.precio_ajeno) is distinct from (a.precio, a.stock, a.precio_ajeno)`.execute(
    trx,
  );
}

/** Counts the listings that a whole reading, begun at `desde`, did not meet. A listing that was missed twice is gone. Returns how many are gone. */
export async function markAusentes(trx: Trx, market: Market, desde: Date): Promise<number> {
  const { rows } = await sql<{ ausentes: number }>`
    with faltan as (
      update publicacion set ausencias = least(ausencias + 1, 100), ausente_desde = case when ausencias >= 1 then coalesce(ausente_desde, now()) end
      where market = ${market} and visto_en < ${desde} and estatus is distinct from ${MERCADOS[market].publicaciones.creandose} returning ausente_desde)
    select count(*) filter (where ausente_desde is not null)::int as ausentes from faltan`.execute(trx);
  return rows[0]!.ausentes;
}
