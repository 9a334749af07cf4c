import { sql } from 'kysely';
import type { Money } from '~/core/money';
import type { Precio } from '~/integrations/proveedores/cara';
import type { Db, Trx } from '~db/client.server';
import type { Moneda } from '~db/columns';
import { lockCatalogo } from './lockCatalogo.server';

/** A line of a price list. The supplier's key names the product, or else a model that only one of its products has. */
export type RenglonDeLista = {
  idProveedor: string | null;
  modelo: string | null;
  /** Null when the list tells no price; the price then stays. */
  precio: Precio | null;
  /** Absent when the list tells no stock. */
  existencia?: number;
  nombre?: string | null;
  marca?: string | null;
};

/**
 * `nuevo`: an unknown key with a price. `desconocido`: an unknown key without one, or a model of no product or of several. `repetido`: a product
 * that a later line names again; the later line counts.
 */
export type ClaseDeRenglon = 'nuevo' | 'cambia' | 'igual' | 'desconocido' | 'repetido';

/** A line of a price list beside the values that its product had before. */
export type CambioDeLista = {
  /** Index of the line, from 0. */
  renglon: number;
  clase: ClaseDeRenglon;
  productoId: string | null;
  idProveedor: string | null;
  modelo: string | null;
  nombre: string | null;
  precioAntes: Money | null;
  monedaAntes: Moneda | null;
  existenciaAntes: number | null;
};

export type CuentasDeLista = Record<ClaseDeRenglon, number>;

/** Lines of one statement. */
const LOTE = 1_000;

/** Tells what a price list would change, line by line and counted. Nothing is written. */
export async function previewProductos(
  db: Db | Trx,
  proveedor: string,
  renglones: readonly RenglonDeLista[],
): Promise<{ cuentas: CuentasDeLista; cambios: CambioDeLista[] }> {
  const cambios: CambioDeLista[] = [];
  for (let at = 0; at < renglones.length; at += LOTE)
    cambios.push(...(await classify(db, proveedor, renglones.slice(at, at + LOTE), at)));
  // Among lines about one product the last one counts, also when the lines name the product in two ways.
  const seen = new Set<string>();
  for (const cambio of cambios.toReversed()) {
    const whose = cambio.productoId ?? (cambio.clase === 'nuevo' ? `nuevo ${cambio.idProveedor}` : null);
    if (whose !== null && seen.has(whose)) cambio.clase = 'repetido';
    else if (whose !== null) seen.add(whose);
  }
  const cuentas: CuentasDeLista = { nuevo: 0, cambia: 0, igual: 0, desconocido: 0, repetido: 0 };
  for (const { clase } of cambios) cuentas[clase] += 1;
  return { cuentas, cambios };
}

/**
 * Writes a price list as it was told at `en`, and the changes into the history. Returns how many lines were of each kind; lines of no product, and
 * repeated ones, are not written. A new key becomes a product on sale. An unchanged price is from now on as old as the list. Facts that the list does
 * not tell stay. The next read of the whole catalogue looks at each of these products again. The catalogue of the supplier is locked until the
 * transaction ends.
 */
export async function applyProductos(
  trx: Trx,
  proveedor: string,
  renglones: readonly RenglonDeLista[],
  { en }: { en: Date },
): Promise<CuentasDeLista> {
  await lockCatalogo(trx, proveedor);
  const { cuentas, cambios } = await previewProductos(trx, proveedor, renglones);
  const dichos = cambios.filter(({ clase }) => clase === 'cambia' || clase === 'igual' || clase === 'nuevo');
  for (let at = 0; at < dichos.length; at += LOTE)
    await write(
      trx,
      proveedor,
      en,
      dichos.slice(at, at + LOTE).map((cambio) => ({ ...cambio, dice: renglones[cambio.renglon]! })),
    );
  return cuentas;
}

const rowOf = ({ idProveedor, modelo, precio, existencia, nombre, marca }: RenglonDeLista, n: number) => ({
  n,
  id: idProveedor?.trim() || null,
  modelo: modelo?.trim() || null,
  precio: precio?.importe.toPostgres() ?? null,
  moneda: precio?.moneda ?? null,
  existencia: existencia === undefined ? null : Math.max(0, Math.trunc(existencia)),
  nombre: nombre ?? null,
  marca: marca ?? null,
});

const RENGLON = sql`(
  n integer, id text, modelo text, precio numeric, moneda text, existencia integer,
  nombre text, marca text, producto uuid)`;

async function classify(db: Db | Trx, proveedor: string, renglones: readonly RenglonDeLista[], desde: number) {
  const filas = renglones.map((one, n) => rowOf(one, desde + n));
  const { rows } = await sql<CambioDeLista>`
    with r as (select * from jsonb_to_recordset(${JSON.stringify(filas)}::jsonb) as r ${RENGLON}),
      suyo as (
        select r.n, coalesce(por_clave.id, por_modelo.id) as producto_id
        from r
        left join lateral (
          select id from producto where proveedor = ${proveedor} and id_proveedor = r.id offset 0) por_clave on true
        left join lateral (
          select (array_agg(q.id))[1] as id from producto q
          where r.id is null and q.proveedor = ${proveedor} and lower(q.modelo) = lower(r.modelo)
          having count(*) = 1) por_modelo on true)
    select r.n as renglon, s.producto_id, coalesce(p.id_proveedor, r.id) as id_proveedor,
      coalesce(p.modelo, r.modelo) as modelo, coalesce(p.nombre, r.nombre) as nombre,
      o.precio as precio_antes, o.moneda as moneda_antes, o.existencia as existencia_antes,
      case
        when s.producto_id is null and (r.id is null or r.precio is null) then 'desconocido'
        when s.producto_id is null then 'nuevo'
        when r.precio is not null and (r.precio, r.moneda) is distinct from (o.precio, o.moneda) then 'cambia'
        when r.existencia is not null and r.existencia is distinct from o.existencia then 'cambia'
        else 'igual' end as clase
    from r
    join suyo s using (n)
    left join producto p on p.id = s.producto_id
    left join oferta o on o.producto_id = s.producto_id
    order by r.n`.execute(db);
  return rows;
}

async function write(
  trx: Trx,
  proveedor: string,
  en: Date,
  lote: readonly (CambioDeLista & { dice: RenglonDeLista })[],
): Promise<void> {
  const filas = lote.map(({ renglon, productoId, dice }) => ({ ...rowOf(dice, renglon), producto: productoId }));
  await sql`
    with r as (select * from jsonb_to_recordset(${JSON.stringify(filas)}::jsonb) as r ${RENGLON}),
      puesto as (
        insert into producto (proveedor, id_proveedor, modelo, modelo_fabricante, nombre, marca, en_venta, huella)
        select ${proveedor}, r.id, r.modelo, r.modelo, r.nombre, r.marca, true, ''
        from r where r.producto is null
        returning id, id_proveedor),
      suyo as (
        select r.*, coalesce(r.producto, p.id) as producto_id
        from r left join puesto p on r.producto is null and p.id_proveedor = r.id),
      antes as (select o.producto_id, o.precio, o.moneda, o.existencia from oferta o join suyo using (producto_id)),
      escrito as (
        insert into oferta (
          producto_id, precio, moneda, sin_precio, existencia, tope, almacenes, promociones, raw, huella,
          leida_en, precio_en, existencia_en)
        select producto_id, precio, moneda, case when precio is null then 'ilegible' end, existencia,
          false, '[]', '[]', '{}', '', ${en}, ${en}, ${en}
        from suyo
        on conflict (producto_id) do update set
          precio = coalesce(excluded.precio, oferta.precio),
          moneda = coalesce(excluded.moneda, oferta.moneda),
          sin_precio = case when excluded.precio is null then oferta.sin_precio end,
          precio_en = case when excluded.precio is null
            then oferta.precio_en else greatest(oferta.precio_en, excluded.precio_en) end,
          existencia = coalesce(excluded.existencia, oferta.existencia),
          existencia_en = case when excluded.existencia is null
            then oferta.existencia_en else greatest(oferta.existencia_en, excluded.existencia_en) end,
          huella = case when (
              coalesce(excluded.precio, oferta.precio), coalesce(excluded.moneda, oferta.moneda),
              coalesce(excluded.existencia, oferta.existencia))
            is distinct from (oferta.precio, oferta.moneda, oferta.existencia) then '' else oferta.huella end
        returning producto_id, precio, moneda, existencia)
    insert into producto_historia (producto_id, en, precio, moneda, existencia)
    select n.producto_id, ${en}, n.precio, n.moneda, n.existencia
    from escrito n
    left join antes a using (producto_id)
    where a.producto_id is null
      or (a.precio, a.moneda, a.existencia) is distinct from (n.precio, n.moneda, n.existencia)`.execute(trx);
}
