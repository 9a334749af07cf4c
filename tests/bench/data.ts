/**
 * A year of a reseller, deterministic and made inside PostgreSQL: 100,000 orders, their shipments and articles, 20,000 customers, the
 * facturas of about 60 % of them and their suppliers' invoices; ten such years are a million. October 2026 is the month every figure speaks
 * of: 17,000 orders, all of them invoiced, the last of them still to be sent.
 */
import { sql } from 'kysely';
import { storeArchivo } from '~/platform/files/archivos.server';
import type { Db, Trx } from '~db/client.server';

export type Mes = { mes: string; ordenes: number };

/** Even numbers: carts are pairs of orders and stay within their month. */
export const ANIO: readonly Mes[] = [
  { mes: '2025-11', ordenes: 6_100 },
  { mes: '2025-12', ordenes: 8_900 },
  { mes: '2026-01', ordenes: 8_200 },
  { mes: '2026-02', ordenes: 6_800 },
  { mes: '2026-03', ordenes: 6_600 },
  { mes: '2026-04', ordenes: 7_000 },
  { mes: '2026-05', ordenes: 7_200 },
  { mes: '2026-06', ordenes: 7_100 },
  { mes: '2026-07', ordenes: 7_600 },
  { mes: '2026-08', ordenes: 8_300 },
  { mes: '2026-09', ordenes: 9_200 },
  { mes: '2026-10', ordenes: 17_000 },
];

/** So many years of the same, the last one included. */
export const historyOf = (years: number): Mes[] =>
  Array.from({ length: years }, (_, back) =>
    ANIO.map(({ mes, ordenes }) => ({ mes: `${Number(mes.slice(0, 4)) - back}${mes.slice(4)}`, ordenes })),
  ).flat();

export const BIG_MONTH = {
  mes: '2026-10',
  filas: 17_000,
  query: 'desde=2026-10-01&hasta=2026-10-31',
  to: '2026-11-01T06:00:00Z',
} as const;
export const YEAR = { query: 'desde=2025-11-01&hasta=2026-10-31' } as const;
export const CLIENTES = 20_000;

/** Built again after the load: a trigram index costs more to keep than to make. */
const HEAVY = [
  'orden_search',
  'orden_walk',
  'orden_facturable',
  'orden_sin_factura',
  'factura_search',
  'cliente_fiscal_search',
  'proveedor_factura_search',
  'envio_search',
];

/** `also` adds what else a year has, while `venta` and `facturado` still say what each of its rows was made of. */
export async function seedYear(db: Db, anio: readonly Mes[] = ANIO, also?: (trx: Trx) => Promise<void>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Rows that are right by construction: no foreign key is looked up 800,000 times, nothing waits for the disk.
    await sql`set local session_replication_role = replica`.execute(trx);
    await sql`set local synchronous_commit = off`.execute(trx);
    await sql`set local maintenance_work_mem = '256MB'`.execute(trx);
    const rebuild = await dropHeavyIndices(trx);
    await seedClientes(trx);
    await sketchVentas(trx, anio);
    await sketchFacturado(trx);
    await seedVentas(trx);
    await seedProveedores(trx);
    await seedFacturado(trx);
    await also?.(trx);
    for (const index of rebuild) await sql.raw(index).execute(trx);
    await sql`select libro_of(array(select id from orden))`.execute(trx);
  });
  // The visibility map too: totals of a month are read from an index alone.
  await sql`vacuum analyze`.execute(db);
}

async function dropHeavyIndices(trx: Trx): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
    definition: string;
  }>`select indexname as name, indexdef as definition from pg_indexes where indexname = any(${HEAVY})`.execute(trx);
  for (const { name } of rows) await sql`drop index ${sql.id(name)}`.execute(trx);
  return rows.map(({ definition }) => definition);
}

const PATERNOS = [
  'MÉNDEZ',
  'GARCÍA',
  'HERNÁNDEZ',
  'LÓPEZ',
  'MUÑOZ',
  'PEÑA',
  'RAMÍREZ',
  'NÚÑEZ',
  'ÁVILA',
  'CASTAÑEDA',
  'SÁNCHEZ',
  'TREVIÑO',
  'GÓMEZ',
  'OCHOA',
  'QUIÑONES',
  'BÁEZ',
];
const MATERNOS = [
  'REYES',
  'CRUZ',
  'FLORES',
  'JIMÉNEZ',
  'MORALES',
  'VÁZQUEZ',
  'ROMERO',
  'GUTIÉRREZ',
  'ORTIZ',
  'CHÁVEZ',
  'RUIZ',
  'AGUILAR',
  'ZÚÑIGA',
  'IBARRA',
];
const NOMBRES = [
  'JOSÉ',
  'MARÍA',
  'JUAN',
  'GUADALUPE',
  'ANA LAURA',
  'ÓSCAR',
  'BEGOÑA',
  'RAÚL',
  'SOFÍA',
  'IGNACIO',
  'XÓCHITL',
  'RENÉ',
  'LUCÍA',
  'ÁNGEL',
  'PATRICIA',
  'HÉCTOR',
  'INÉS',
];
const GIROS = [
  'COMERCIALIZADORA',
  'INSTALACIONES',
  'SEGURIDAD ELECTRÓNICA',
  'CONSULTORÍA',
  'DISTRIBUIDORA',
  'SERVICIOS',
];
const PRODUCTOS = [
  'Cámara IP domo 4 MP visión nocturna',
  'Cámara bala 1080p para exterior',
  'Cámara PTZ 25x con seguimiento',
  'Grabador DVR 8 canales 5 MP',
  'Grabador NVR 16 canales PoE',
  'Batería de respaldo 12 V 7 Ah sellada',
  'Cerradura electromagnética 280 kg',
  'Conector RJ45 categoría 6 (100 piezas)',
  'Bobina de cable UTP categoría 5e 305 m',
  'Sensor de movimiento inalámbrico',
  'Teléfono IP con pantalla a color',
  'Antena parabólica 5 GHz 30 dBi',
  'Fuente de poder 12 V 20 A con respaldo',
  'Disco duro púrpura 4 TB videovigilancia',
  'Videoportero con pantalla táctil 7 pulgadas',
  'Punto de acceso de doble banda para techo',
  'Switch administrable 24 puertos gigabit',
  'Detector de humo fotoeléctrico',
  'Torniquete de acceso con lector de huella',
  'Señalización «Área vigilada» para niños y peatones',
];
const MARCAS = ['Hikvision', 'Dahua', 'Epcom', 'Ubiquiti', 'TP-Link', 'Ezviz', 'Grandstream', 'Syscom Ñandú'];

const PROVEEDORES = ['syscom', 'syscom', 'syscom', 'tvc', 'ct', 'cva', 'ts'];

/** The nth of a list, by a hash that every run computes alike. */
const pick = (list: readonly string[], hash: string) =>
  sql<string>`(${sql.val([...list])}::text[])[1 + ${sql.raw(hash)} % ${list.length}]`;

async function seedClientes(trx: Trx): Promise<void> {
  await sql`
    with shape as (
      select i, abs(hashint4(i)) as a, abs(hashint4(i + 700001)) as b, abs(hashint4(i)) % 5 = 0 as moral, substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', 1 + i / 11 % 36, 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', 1 + i / 396 % 36, 1) || substr('0123456789A', 1 + i % 11, 1) as homoclave
      from generate_series(1, ${CLIENTES}::int) i
    ), people as (
      select *, ${pick(PATERNOS, 'a')} as paterno, ${pick(MATERNOS, 'b')} as materno, ${pick(NOMBRES, '(a / 16)')} as nombre, ${pick(GIROS, 'b')} as giro from shape
    )
    insert into cliente_fiscal (rfc, razon_social, cp, regimen, emails, uso_cfdi, telefono, uid)
    select translate(case when moral then substr(giro, 1, 1) || substr(paterno, 1, 2) else substr(paterno, 1, 2) || substr(materno, 1, 1) || substr(nombre, 1, 1) end, 'ÁÉÍÓÚ ', 'AEIOUX')
        || to_char(date '1955-01-01' + i * 7919 % 17000, 'YYMMDD') || homoclave,
      case when moral then giro || ' ' || paterno || ' Y ' || materno else nombre || ' ' || paterno || ' ' || materno end,
      lpad((b % 99999 + 1)::text, 5, '0'), case when moral then '601' else '612' end, array['cliente' || i || '@ejemplo.mx'], 'G03', lpad((a % 10000000000)::text, 10, '5'), lpad(to_hex(i), 13, '0')
    from people`.execute(trx);
}

/** One row per order with everything that the tables below are made of. */
async function sketchVentas(trx: Trx, anio: readonly Mes[]): Promise<void> {
  await sql`create temp table venta on commit drop as
    with months as (
      select (mes || '-01')::timestamp at time zone 'America/Mexico_City' as from_at, ((mes || '-01')::timestamp + interval '1 month') at time zone 'America/Mexico_City' as to_at,
        n, mes = ${BIG_MONTH.mes} as big, sum(n) over (order by mes) - n as before
      from unnest(${anio.map(({ mes }) => mes)}::text[], ${anio.map(({ ordenes }) => ordenes)}::int[]) as m(mes, n)
    ), base as (
      select before::int + k as i, big, to_at, from_at + (to_at - from_at) * ((k - 0.5 + abs(hashint4(before::int + k)) % 100 / 250.0) / n) as en
      from months cross join lateral generate_series(1, n) k
    ), hashed as (
      select *, abs(hashint4(i)) as a, abs(hashint4(i + 1000003)) as b, abs(hashint4(i + 2000029)) as c, (i + 1) / 2 as pair,
        not big and abs(hashint4((i + 1) / 2 + 5000011)) % 8 = 0 as carrito
      from base
    ), priced as (
      select *, uuidv7() as id, 2000000000000000 + i::bigint * 7919 + c % 7000 as order_id, case when carrito then 1 else 1 + (b % 10 = 0)::int + (b % 50 = 0)::int end as cantidad,
        (4999 + a % 899900)::numeric / 100 as precio, (case when b % 4 = 0 then 9900 + c % 15000 else 0 end)::numeric / 100 as flete,
        case when carrito then 'normal' when c % 100 < 4 then 'cancelada' when c % 100 < 5 then 'devuelta' when c % 100 < 7 then 'invalida' else 'normal' end as clase
      from hashed
    )
    select *, precio * cantidad as importe, 'ML' || lpad((a % 4000)::text, 4, '0') || '-' || chr(65 + a % 4000 % 26) as modelo, ${pick(PROVEEDORES, '(a % 4000)')} as proveedor,
      clase = 'normal' and en > ${BIG_MONTH.to}::timestamptz - interval '2 days' and b % 3 = 0 as activa,
      -- What triggers keep when rows come one by one: the shipment's cost in its first living sale, the invoices of suppliers added up.
      case when clase in ('cancelada', 'devuelta') or (carrito and i % 2 = 0) then 0 else 85 end as costo_envio,
      case when clase = 'normal' and b % 20 < 13 then round(precio * cantidad * (60 + c % 20) / 100, 2) end as proveedor_monto,
      case when carrito then (2000009000000000 + pair)::text else order_id::text end as num_orden, case when carrito then 900000000000 + pair else 800000000000 + i end as envio_n,
      -- A cart is invoiced as a whole; a sale that came to nothing only where it was invoiced before it did.
      case when big then true when clase <> 'normal' then false else abs(hashint4(case when carrito then pair + 3000017 else i + 4000037 end)) % 1000 < 557 end as facturada
    from priced order by en`.execute(trx);
  await sql`create index on venta (num_orden)`.execute(trx);
  await sql`analyze venta`.execute(trx);
}

async function seedVentas(trx: Trx): Promise<void> {
  await sql`
    insert into envio (id, market, market_id, estatus, subestatus, modo, tipo_logistico, cobrado, costo, guia, paqueteria, nombre_receptor, telefono, calle, numero_e, colonia, ciudad, municipio, estado, cp,
      fecha_creacion, actualizado_en, datos)
    select uuidv7(), 'ml', envio_n::text, case when bool_or(activa) then 'ready_to_ship' else 'delivered' end, null, 'me2', 'xd_drop_off', nullif(max(flete), 0), 85, 'MEL' || envio_n, 'Estafeta', min(${pick(NOMBRES, 'a')} || ' ' || ${pick(PATERNOS, 'b')}),
      '55' || lpad((min(b) % 100000000)::text, 8, '0'), 'Calle ' || min(b % 90 + 1), min(a % 900 + 1)::text, 'Centro', 'Ciudad de México', 'Cuauhtémoc', 'Ciudad de México', lpad((min(b) % 99999 + 1)::text, 5, '0'),
      min(en), min(en) + interval '3 days', jsonb_build_object('id', envio_n, 'status', 'delivered', 'logistic_type', 'xd_drop_off', 'tracking_number', 'MEL' || envio_n)
    from venta group by envio_n order by min(en)`.execute(trx);
  await sql`
    insert into orden (id, market, market_id, num_orden, pack_id, fecha_creacion, fecha_cierre, actualizada_en, estatus, market_status, situacion, tags, clase, titulo, total, pagado_abs, comision, retencion,
      envio_id, medio_pago, forma_pago, comprador_id, comprador, billing_info_id, proveedor, costo_envio, facturado, facturas_proveedor, documentos, datos, creada_en)
    select v.id, 'ml', order_id::text, num_orden, case when carrito then num_orden end, en, en + interval '2 minutes', en + interval '4 days',
      case when activa then 'enPreparacion' when clase = 'cancelada' then 'cancelado' when clase = 'devuelta' then 'devuelto' else 'entregado' end, case when clase = 'cancelada' then 'cancelled' else 'paid' end,
      case when clase in ('cancelada', 'devuelta') then clase else 'pagada' end,
      '{delivered,paid}', clase, ${pick(PRODUCTOS, '(a % 4000)')} || ' ' || ${pick(MARCAS, '(a % 4000)')} || ' ' || modelo, importe, importe + case when carrito then 0 else flete end, round(importe * 0.13, 2),
      round(importe * 0.09, 2), e.id, 'credit_card', '04', (100000000 + b % 60000)::text, 'COMPRADOR' || b % 60000, case when c % 10 < 3 then 'BI' || i end,
      case when clase = 'invalida' then null else v.proveedor end, v.costo_envio, coalesce(proveedor_monto, 0), (proveedor_monto is not null)::int,
      concat_ws(' ', case when facturada then 'A-' || f.folio || ' ' || f.rfc end, case when proveedor_monto is not null then upper(left(v.proveedor, 1)) || (500000 + i) end, 'COMPRADOR' || b % 60000, e.nombre_receptor, e.telefono),
      jsonb_build_object('id', order_id, 'status', case when clase = 'cancelada' then 'cancelled' else 'paid' end, 'date_created', en, 'pack_id', null, 'currency_id', 'MXN', 'total_amount', importe,
        'paid_amount', importe + flete, 'tags', jsonb_build_array('delivered', 'paid'), 'context', jsonb_build_object('channel', 'marketplace', 'site', 'MLM', 'flows', '[]'::jsonb),
        'order_items', jsonb_build_array(jsonb_build_object('item', jsonb_build_object('id', 'MLM' || a % 4000, 'title', modelo, 'category_id', 'MLM1234', 'warranty', 'Garantía de fábrica: 12 meses',
          'condition', 'new', 'seller_sku', 'AMS|ML|' || v.proveedor || '|' || modelo), 'quantity', cantidad, 'unit_price', precio, 'full_unit_price', precio, 'sale_fee', round(precio * 0.13, 2))),
        'payments', jsonb_build_array(jsonb_build_object('id', 70000000000 + i, 'status', 'approved', 'operation_type', 'regular_payment', 'payment_type', 'credit_card', 'payment_method_id', 'visa',
          'transaction_amount', importe, 'total_paid_amount', importe + flete, 'date_approved', en, 'date_last_modified', en)),
        'shipping', jsonb_build_object('id', envio_n), 'seller', jsonb_build_object('id', 468123907), 'buyer', jsonb_build_object('id', 100000000 + b % 60000, 'nickname', 'COMPRADOR' || b % 60000)), en
    from venta v join envio e on e.market = 'ml' and e.market_id = envio_n::text 
      left join (select num_orden as numero, folio, rfc from facturado) f on f.numero = num_orden order by en`.execute(
    trx,
  );
  await sql`
    insert into articulo (orden_id, posicion, item_id, nombre, sku, cantidad, importe, precio_unitario, comision)
    select o.id, 0, 'MLM' || a % 4000, o.titulo, case when v.clase = 'invalida' then null else 'AMS|ML|' || v.proveedor || '|' || modelo end, cantidad, importe, precio, round(importe * 0.13, 2)
    from venta v join orden o on o.id = v.id order by en`.execute(trx);
  await sql`
    insert into comprador_fiscal (market, billing_info_id, rfc, razon_social, regimen, uso_cfdi, cp)
    select 'ml', 'BI' || i, f.rfc, f.razon_social, f.regimen, 'G03', f.cp
    from venta join (select *, row_number() over (order by id) - 1 as n from cliente_fiscal) f on f.n = a % ${CLIENTES} where c % 10 < 3`.execute(
    trx,
  );
  await sql`insert into codigo_sat_sku (sku, codigo_sat) select distinct 'AMS|ML|' || proveedor || '|' || modelo, '46171610' from venta on conflict do nothing`.execute(
    trx,
  );
}

/** Which numbers are invoiced, when, to whom and with which folio. */
async function sketchFacturado(trx: Trx): Promise<void> {
  await sql`create temp table facturado on commit drop as
    with numbers as (
      -- Stamped soon after the sale, and in its month.
      select num_orden, least(min(en) + interval '20 minutes', min(to_at) - interval '1 second') as en, sum(importe) + case when bool_or(carrito) then 0 else sum(flete) end as total, min(a) as a, bool_or(clase in ('cancelada', 'devuelta')) as caida,
        min(c) % 60 = 0 as corregida
      from venta where facturada group by num_orden
    ), cliente as (select id, rfc, row_number() over (order by id) - 1 as n from cliente_fiscal)
    select numbers.*, row_number() over (order by en) as folio, uuidv7() as id, uuidv7() as effect_id, upper(gen_random_uuid()::text) as uuid, caida or corregida as cancelada, cliente.id as cliente_id, rfc
    from numbers join cliente on n = a % ${CLIENTES} order by en`.execute(trx);
  await sql`create index on facturado (num_orden)`.execute(trx);
  await sql`analyze facturado`.execute(trx);
}

/** An invoice of the supplier for about two thirds of what was sold. */
async function seedProveedores(trx: Trx): Promise<void> {
  await sql`
    insert into proveedor_factura (orden_id, proveedor, folio, monto, fecha_creacion, venta)
    select v.id, v.proveedor, upper(left(v.proveedor, 1)) || (500000 + i), proveedor_monto, en + interval '1 day', v.num_orden || ' ' || titulo
    from venta v join orden o on o.id = v.id where proveedor_monto is not null order by en`.execute(trx);
}

/** A factura per number, with its done effect; it covers every order of the number. They share one XML. */
async function seedFacturado(trx: Trx): Promise<void> {
  const xmlId = await storeArchivo(trx, {
    nombre: 'semilla.xml',
    tipo: 'application/xml',
    contenido: Buffer.from('<cfdi/>'),
  });
  await sql`
    insert into effect (id, type, key, ref, connection, request, request_hash, state, sends, result, created_at, settled_at)
    select effect_id, 'cfdi.stamp', 'orden:ml:' || num_orden, num_orden, 'facturacom', jsonb_build_object('numOrden', num_orden, 'market', 'ml', 'cfdi', jsonb_build_object('total', total)), sha256(num_orden::bytea), 'done', 1,
      jsonb_build_object('uid', lower(substr(uuid, 1, 13)), 'uuid', uuid), en, en from facturado order by en`.execute(
    trx,
  );
  await sql`
    insert into factura (id, tipo, estatus, effect_id, market, num_orden, uuid, uid, serie, folio, fecha, fecha_timbrado, rfc, razon_social, cp, regimen, uso_cfdi, forma_pago, subtotal, iva, total,
      cliente_fiscal_id, emails, xml_id, creada_en, cancelada_en)
    select f.id, 'individual', case when cancelada then 'cancelada' else 'vigente' end, effect_id, 'ml', num_orden, uuid, lower(uuid), 'A', folio, en, en, c.rfc, c.razon_social, c.cp, c.regimen, 'G03', '04',
      round(total / 1.16, 2), total - round(total / 1.16, 2), total, c.id, c.emails, ${xmlId}::uuid, en, case when cancelada then en + interval '1 day' end
    from facturado f join cliente_fiscal c on c.id = f.cliente_id order by en`.execute(trx);
  await sql`
    insert into factura_concepto (factura_id, posicion, orden_id, clave_prod_serv, no_identificacion, cantidad, clave_unidad, descripcion, valor_unitario, importe, base, tasa_iva, iva)
    select f.id, row_number() over (partition by f.id order by v.i) - 1, v.id, '46171610', 'AMS|ML|' || v.proveedor || '|' || modelo, cantidad, 'H87', o.titulo, round(precio / 1.16, 6), round(v.importe / 1.16, 6),
      round(v.importe / 1.16, 6), 0.16, v.importe - round(v.importe / 1.16, 6)
    from facturado f join venta v using (num_orden) join orden o on o.id = v.id where v.facturada`.execute(trx);
  await sql`insert into factura_orden (factura_id, orden_id) select f.id, v.id from facturado f join venta v using (num_orden) where v.facturada`.execute(
    trx,
  );
  await sql`
    insert into fiscal_claim (orden_id, kind, effect_id, factura_id, claimed_at)
    select v.id, 'individual', f.effect_id, f.id, f.en from facturado f join venta v using (num_orden) where v.facturada and not f.cancelada`.execute(
    trx,
  );
}

export type Samples = Record<'numOrden' | 'modelo' | 'rfc' | 'folio' | 'facturaId' | 'telefono' | 'receptor', string>;

/** Things to look for that exist, each once or a few times: of the last months, where people look. */
export async function samplesOf(db: Db): Promise<Samples> {
  const factura = await db
    .selectFrom('factura')
    .innerJoin('facturaConcepto', 'facturaConcepto.facturaId', 'factura.id')
    .select([
      'factura.id',
      'factura.numOrden',
      'factura.rfc',
      'factura.serie',
      'factura.folio',
      'facturaConcepto.noIdentificacion',
    ])
    .where('factura.fechaTimbrado', '>=', new Date('2026-10-10T12:00:00Z'))
    .orderBy('factura.fechaTimbrado')
    .executeTakeFirstOrThrow();
  const envio = await db
    .selectFrom('envio')
    .innerJoin('orden', 'orden.envioId', 'envio.id')
    .select(['envio.telefono', 'envio.nombreReceptor'])
    .where('orden.numOrden', '=', factura.numOrden)
    .where('envio.telefono', 'is not', null)
    .executeTakeFirstOrThrow();
  return {
    telefono: envio.telefono!,
    receptor: envio.nombreReceptor!,
    numOrden: factura.numOrden!,
    modelo: factura.noIdentificacion!.split('|')[3]!,
    rfc: factura.rfc,
    folio: `${factura.serie}-${factura.folio}`,
    facturaId: factura.id,
  };
}

/** Numbers that can be invoiced now: paid, whole and claimed by nobody. */
export async function invoiceableNumbers(db: Db, count: number): Promise<string[]> {
  const { rows } = await sql<{ numOrden: string }>`
    select num_orden from orden o where clase = 'normal' and market_status = 'paid' and not exists (select from fiscal_claim c where c.orden_id = o.id)
    and not exists (select from factura_draft d where d.num_orden = o.num_orden) group by num_orden order by max(fecha_creacion) desc limit ${count}`.execute(
    db,
  );
  return rows.map(({ numOrden }) => numOrden);
}
