import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import type { Crudo, Item } from '~/integrations/proveedores/cara';
import { LECTURA } from '~/integrations/proveedores/leer';
import type { Trx } from '~db/client.server';
import { lockCatalogo } from './lockCatalogo.server';

/** Rows of one statement. */
const LOTE = 1_000;

type Fila = ReturnType<typeof filaOf>;

/** Result of a write. `negados` are the rows that the database refused, each with the reason. */
export type Guardado = { escritos: number; negados: string[] };

/** Writes the products that differ from the kept ones, and a line of history for each change of price or stock. Counts the products that changed. */
export function saveProductos(trx: Trx, proveedor: string, items: readonly Item[]): Promise<Guardado> {
  return saveInBatches(trx, proveedor, items, async (lote) => {
    const filas = lote.map(filaOf);
    const known = await findChanged(trx, proveedor, filas);
    // An answer without a name tells nothing of a product's lasting facts. For a known product only price and stock are taken from it.
    const queda = known
      .filter(({ n, queda, conocido }) => queda && !(conocido && lote[n]!.nombre === null))
      .map(({ n }) => filas[n]!);
    const mueve = known.filter(({ mueve }) => mueve).map(({ n }) => filas[n]!);
    if (queda.length > 0) await saveKept(trx, proveedor, queda);
    if (mueve.length > 0) await saveMoved(trx, proveedor, mueve);
    return new Set([...queda, ...mueve]).size;
  });
}

/** Writes price and stock of known products where they differ. An unknown product waits for the read of the whole catalogue. */
export function savePrecios(trx: Trx, proveedor: string, items: readonly Item[]): Promise<Guardado> {
  return saveInBatches(trx, proveedor, items, async (lote) => {
    const filas = lote.map(filaOf);
    const dichos = filas.map(({ mueve }, n) => ({ n, ...mueve, raw: undefined }));
    const { rows } = await sql<{ n: number }>`
      with leido as (
        select * from jsonb_to_recordset(${JSON.stringify(dichos)}::jsonb) as r (
          n integer, id_proveedor text, precio numeric, moneda text, sin_precio text,
          existencia integer, tope boolean, almacenes jsonb, promociones jsonb, calla_moneda boolean))
      select r.n::int as n
      from leido r
      cross join lateral ${suyo(proveedor, sql`r.id_proveedor`)} p
      left join lateral (select * from oferta where producto_id = p.id offset 0) o on true
      where (o.existencia, o.tope, o.promociones) is distinct from (
          r.existencia, r.tope, case when r.promociones = '[]' then o.promociones else r.promociones end)
        or ((o.precio, o.moneda, o.sin_precio) is distinct from (r.precio, r.moneda, r.sin_precio)
          and (o.precio is null or r.calla_moneda is not true))
        or (o.almacenes is distinct from r.almacenes and r.almacenes <> '[]'
          and ${piezasPorLugar(sql`o.almacenes`)} is distinct from ${piezasPorLugar(sql`r.almacenes`)})`.execute(trx);
    const cambian = rows.map(({ n }) => filas[n]!);
    // The print of a whole row cannot be told from prices alone. An empty print makes the next whole read look at the row again.
    const movidas = cambian.map((fila) => ({ ...fila, mueve: { ...fila.mueve, huella: '' } }));
    if (movidas.length > 0) await saveMoved(trx, proveedor, movidas);
    return movidas.length;
  });
}

/** Pieces of a stock by the name of their place, in one order: a supplier may call one place by a number in one list and by its name in another. */
const piezasPorLugar = (almacenes: RawBuilder<unknown>) => sql`(
  select jsonb_object_agg(coalesce(a ->> 'nombre', a ->> 'almacen'), a -> 'cantidad')
  from jsonb_array_elements(${almacenes}) a where (a ->> 'cantidad')::int > 0)`;

/**
 * Writes one product that somebody just asked for. The moment of the read is kept even when nothing changed, because the person wants to see that the
 * data is of now.
 */
export async function saveRead(trx: Trx, proveedor: string, item: Item): Promise<Guardado> {
  const guardado = await saveProductos(trx, proveedor, [item]);
  await sql`
    update oferta o set leida_en = greatest(o.leida_en, least(${item.existencia.leidaEn}, clock_timestamp()))
    from producto p
    where p.id = o.producto_id and p.proveedor = ${proveedor} and p.id_proveedor = ${item.idProveedor}`.execute(trx);
  return guardado;
}

/**
 * Writes rows in batches. A batch that the database refuses is split in halves until the bad row stands alone, so that one bad row takes no other
 * with it.
 */
async function saveInBatches(
  trx: Trx,
  proveedor: string,
  items: readonly Item[],
  save: (lote: readonly Item[]) => Promise<number>,
): Promise<Guardado> {
  await lockCatalogo(trx, proveedor);
  // A key that comes twice in one stretch is the product as it came last.
  const unicos = [...new Map(items.map((item) => [item.idProveedor, item])).values()];
  const negados: string[] = [];
  const attempt = async (lote: readonly Item[]): Promise<number> => {
    if (lote.length === 0) return 0;
    await sql`savepoint lote`.execute(trx);
    try {
      const escritos = await save(lote);
      await sql`release savepoint lote`.execute(trx);
      return escritos;
    } catch (error) {
      if (!isDato(error)) throw error;
      await sql`rollback to savepoint lote`.execute(trx);
      if (lote.length === 1) {
        negados.push(`${lote[0]!.idProveedor}: ${error.message}`);
        return 0;
      }
      const half = lote.length >> 1;
      return (await attempt(lote.slice(0, half))) + (await attempt(lote.slice(half)));
    }
  };
  let escritos = 0;
  // Rows are made batch by batch: a whole catalogue made at once would block the other work of this process.
  for (let at = 0; at < unicos.length; at += LOTE) escritos += await attempt(unicos.slice(at, at + LOTE));
  return { escritos, negados };
}

/** Tells whether an error is about a value: one that does not fit its column, or fails a check. */
const isDato = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && /^(?:22|23)/.test(error.code ?? '');

/** A product as the two tables keep it: lasting facts (`queda`) and moving facts (`mueve`), each with its print. */
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
    ...(item.callaMoneda && { calla_moneda: true }),
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
    mueve: {
      id_proveedor: item.idProveedor,
      ...mueve,
      huella: huellaOf(item.raw),
      leida_en: leidaEn,
    },
  };
}

/** Fields of a daily rate. The rate belongs to the supplier, so its change is no change of a product. */
const CAMBIO = ['tipo_cambio', 'tipoCambio', 'fecha_actualizacion_tipo_cambio'];

const bringsCambio = (raw: unknown): raw is Record<string, unknown> =>
  typeof raw === 'object' && raw !== null && CAMBIO.some((name) => Object.hasOwn(raw, name));

function sinCambio(raw: unknown): unknown {
  if (!bringsCambio(raw)) return raw;
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !CAMBIO.includes(name)));
}

/**
 * Returns what a row says of the rate, verbatim, together with the row's currency, since only some currencies tell the dollar. Null when the row says
 * nothing.
 */
export const cambioOf = (raw: unknown): string | null =>
  bringsCambio(raw) ? JSON.stringify([raw.moneda, ...CAMBIO.map((name) => raw[name])]) : null;

/** Print of an answer. Everything kept of it follows from the answer and from the version of its reader (`LECTURA`). */
const huellaOf = (raw: unknown) => hash('sha1', `${LECTURA} ${JSON.stringify(sinCambio(raw))}`, 'base64');

const huella = (value: object) => hash('sha1', JSON.stringify(value), 'base64');

/**
 * The product of one row, by its key. `offset 0` keeps the planner from joining the batch with the supplier's whole catalogue, which it does while a
 * freshly filled table has no statistics.
 */
const suyo = (proveedor: string, key: RawBuilder<unknown>) =>
  sql`(select id, huella from producto where proveedor = ${proveedor} and id_proveedor = ${key} offset 0)`;

/** Returns the keys of rows that are kept exactly as they came, read by today's reader. Of a key that comes twice the last row counts. */
export async function findUnchanged(
  trx: Trx,
  proveedor: string,
  crudos: readonly Crudo[],
): Promise<ReadonlySet<string>> {
  const unicos = [...new Map(crudos.flatMap((crudo) => (crudo.clave === null ? [] : [[crudo.clave, crudo]]))).values()];
  const [claves, huellas] = [unicos.map(({ clave }) => clave), unicos.map(({ raw }) => huellaOf(raw))];
  const { rows } = await sql<{ id: string }>`
    select r.id
    from unnest(${claves}::text[], ${huellas}::text[]) as r (id, huella)
    cross join lateral ${suyo(proveedor, sql`r.id`)} p
    cross join lateral (select huella from oferta where producto_id = p.id offset 0) o
    where o.huella = r.huella`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

/** Rows whose print differs from the kept one, with the half that differs. */
async function findChanged(trx: Trx, proveedor: string, filas: readonly Fila[]) {
  const ids = filas.map(({ id }) => id);
  const [quedan, mueven] = [filas.map(({ queda }) => queda.huella), filas.map(({ mueve }) => mueve.huella)];
  const { rows } = await sql<{ n: number; conocido: boolean; queda: boolean; mueve: boolean }>`
    select r.n::int - 1 as n, p.id is not null as conocido,
      p.huella is distinct from r.queda as queda, o.huella is distinct from r.mueve as mueve
    from unnest(${ids}::text[], ${quedan}::text[], ${mueven}::text[]) with ordinality as r (id, queda, mueve, n)
    left join lateral ${suyo(proveedor, sql`r.id`)} p on true
    left join lateral (select huella from oferta where producto_id = p.id offset 0) o on true
    where p.huella is distinct from r.queda or o.huella is distinct from r.mueve`.execute(trx);
  return rows;
}

/**
 * Writes the lasting facts. A supplier's list carries none of the pictures that a product's own page has, so an empty list of pictures keeps the
 * known ones. A small picture of what is told no more is made anew once a list shows it.
 */
async function saveKept(trx: Trx, proveedor: string, filas: readonly Fila[]) {
  const dichos = filas.map(({ queda }) => queda);
  await sql`
    with leido as (
      select * from jsonb_to_recordset(${JSON.stringify(dichos)}::jsonb) as r (
        id_proveedor text, modelo text, modelo_fabricante text, nombre text, marca text, gtins text[],
        clave_sat text, imagenes text[], link text, en_venta boolean, huella text)),
    retratos as (
      update producto_retrato set vence_en = now()
      from leido
      cross join lateral (
        select id, imagenes from producto where proveedor = ${proveedor} and id_proveedor = leido.id_proveedor offset 0) p
      where producto_retrato.producto_id = p.id and mirada_en is not null
        and leido.imagenes <> '{}' and leido.imagenes <> p.imagenes)
    insert into producto (
      proveedor, id_proveedor, modelo, modelo_fabricante, nombre, marca, gtins,
      clave_sat, imagenes, link, en_venta, huella)
    select ${proveedor}, leido.* from leido
    on conflict (proveedor, id_proveedor) do update set
      modelo = excluded.modelo, modelo_fabricante = excluded.modelo_fabricante, nombre = excluded.nombre,
      marca = excluded.marca, gtins = excluded.gtins, clave_sat = excluded.clave_sat,
      imagenes = case when excluded.imagenes = '{}' then producto.imagenes else excluded.imagenes end,
      link = excluded.link, en_venta = excluded.en_venta, huella = excluded.huella, cambiado_en = now()`.execute(trx);
}

/**
 * Writes the moving facts. A change of a warehouse alone makes no line of history. A row that names no currency leaves a known price as it is. A read
 * never counts as later than the database's own clock.
 */
async function saveMoved(trx: Trx, proveedor: string, filas: readonly Fila[]) {
  const dichos = filas.map(({ mueve: { leida_en: leida, ...mueve } }) => ({ ...mueve, leida }));
  await sql`
    with leido as (
      select p.id as producto_id, r.existencia, r.tope, r.almacenes, r.promociones, r.raw, r.huella,
        coalesce(ya.precio, r.precio) as precio, coalesce(ya.moneda, r.moneda) as moneda,
        case when ya.precio is null then r.sin_precio end as sin_precio,
        least(r.leida, clock_timestamp()) as leida_en,
        case when coalesce(ya.moneda, r.moneda) = 'USD'
          then coalesce(r.tipo_cambio, (select tipo_cambio from catalogo_proveedor where proveedor = ${proveedor}))
          else r.tipo_cambio end as pesos_por_dolar
      from jsonb_to_recordset(${JSON.stringify(dichos)}::jsonb) as r (
        id_proveedor text, precio numeric, moneda text, sin_precio text, tipo_cambio numeric, existencia integer,
        tope boolean, almacenes jsonb, promociones jsonb, raw jsonb, huella text, leida timestamptz,
        calla_moneda boolean)
      cross join lateral ${suyo(proveedor, sql`r.id_proveedor`)} p
      left join lateral (
        select precio, moneda from oferta where producto_id = p.id and precio is not null offset 0
      ) ya on r.calla_moneda),
    antes as (
      select o.* from leido
      cross join lateral (
        select producto_id, precio, moneda, existencia from oferta where producto_id = leido.producto_id offset 0) o),
    puesto as (
      insert into oferta (
        producto_id, precio, moneda, sin_precio, tipo_cambio, existencia,
        tope, almacenes, promociones, raw, huella, leida_en)
      select producto_id, precio, moneda, sin_precio, pesos_por_dolar, existencia,
        tope, almacenes, promociones, raw, huella, leida_en
      from leido
      on conflict (producto_id) do update set
        precio = excluded.precio, moneda = excluded.moneda, sin_precio = excluded.sin_precio,
        tipo_cambio = coalesce(excluded.tipo_cambio, oferta.tipo_cambio),
        existencia = excluded.existencia, tope = excluded.tope, almacenes = excluded.almacenes,
        promociones = case when excluded.huella = '' and excluded.promociones = '[]'
          then oferta.promociones else excluded.promociones end,
        raw = case when excluded.huella = '' then oferta.raw else excluded.raw end,
        huella = excluded.huella, leida_en = excluded.leida_en
      returning producto_id, precio, moneda, existencia, leida_en)
    insert into producto_historia (producto_id, en, precio, moneda, existencia)
    select n.producto_id, n.leida_en, n.precio, n.moneda, n.existencia
    from puesto n
    left join antes a using (producto_id)
    where a.producto_id is null
      or (a.precio, a.moneda, a.existencia) is distinct from (n.precio, n.moneda, n.existencia)`.execute(trx);
}
