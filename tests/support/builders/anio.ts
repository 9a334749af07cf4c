import { sql } from 'kysely';
import type { Db, Trx } from '~db/client.server';
import { ANIO, seedYear } from '../../bench/data';

/** Whose ordenes without a factura went into a global; September's still wait for theirs. */
const CERRADOS = ANIO.map(({ mes }) => mes).filter((mes) => mes < '2026-09');

/**
 * A quarter of the year that the figures of docs are measured over (25,000 sales, the last month invoiced whole), and what happens around it: sales that we
 * send ourselves, months closed with a global, its credit notes, and simple notes. Or a smaller part of it.
 */
export function seedAnio(db: Db, parte = 4): Promise<void> {
  return seedYear(
    db,
    ANIO.map(({ mes, ordenes }) => ({ mes, ordenes: 2 * Math.round(ordenes / (2 * parte)) })),
    async (trx) => {
      await sendOurselves(trx);
      await closeMonths(trx);
      await creditBack(trx);
      await seedNotas(trx);
    },
  );
}

/** One sale in forty, half of them not on their way yet, and now and then a package that still travels. */
async function sendOurselves(trx: Trx) {
  await sql`update orden set envio_propio = true, estatus = case when i % 80 = 0 then 'enPreparacion' else orden.estatus end from venta v where v.id = orden.id and i % 40 = 0`.execute(
    trx,
  );
  await sql`update envio set estatus = case when envio_propio then 'pendiente' else 'shipped' end, costo = 100 + i % 300
    from venta v join orden o on o.id = v.id where o.envio_id = envio.id and (i % 80 = 0 or i % 50 = 7) and not v.carrito`.execute(
    trx,
  );
}

/** One global a month with every sale that nobody asked a factura for; some came to nothing afterwards, some got their factura. */
async function closeMonths(trx: Trx) {
  await sql`create temp table cierre on commit drop as select mes, uuidv7() as id, uuidv7() as effect_id, row_number() over (order by mes) as folio from unnest(${CERRADOS}::text[]) mes`.execute(
    trx,
  );
  await sql`create temp table en_global on commit drop as
    select c.mes, c.id as global_id, c.effect_id as pedido_id, v.id as orden_id, v.num_orden, v.importe, v.en, v.i, v.clase in ('cancelada', 'devuelta') as volvio, v.clase = 'normal' and v.b % 8 = 0 as refacturada
    from venta v join cierre c on c.mes = to_char(v.en at time zone 'America/Mexico_City', 'YYYY-MM') where not v.facturada and v.clase <> 'invalida'`.execute(
    trx,
  );
  await sql`
    insert into effect (id, type, key, ref, connection, request, request_hash, state, sends, created_at, settled_at)
    select effect_id, 'cfdi.global', 'global:' || mes, 'G-' || mes, 'facturacom', '{}', sha256(mes::bytea), 'done', 1, (mes || '-28')::timestamptz, (mes || '-28')::timestamptz from cierre`.execute(
    trx,
  );
  await insertFacturas(
    trx,
    sql`
    select c.id, 'global', c.effect_id, null, 'G', c.folio, (c.mes || '-28')::timestamptz, 'XAXX010101000', 'PUBLICO EN GENERAL', 'S01', sum(importe) from cierre c join en_global using (mes) group by c.id, c.effect_id, c.folio, c.mes`,
  );
  await sql`insert into factura_orden (factura_id, orden_id, importe) select global_id, orden_id, importe from en_global`.execute(
    trx,
  );
  await sql`insert into fiscal_claim (orden_id, kind, effect_id, factura_id) select orden_id, 'global', pedido_id, global_id from en_global`.execute(
    trx,
  );
  await sql`insert into refacturacion (orden_id, global_id, effect_id, factura_id)
    select orden_id, global_id, f.effect_id, f.id from (select *, row_number() over (order by en) as n from en_global where refacturada) g join facturado f on f.folio = g.n`.execute(
    trx,
  );
}

/** Of what the globals owe, one in three was given back, by a batch a month. */
async function creditBack(trx: Trx) {
  await sql`create temp table lote on commit drop as select mes, uuidv7() as id from cierre`.execute(trx);
  await sql`create temp table nota on commit drop as
    select uuidv7() as id, uuidv7() as effect_id, row_number() over (order by en) as folio, * from en_global where (volvio or refacturada) and i % 3 = 0`.execute(
    trx,
  );
  await sql`insert into batch (id, type, label, total, clave) select id, 'notas.devueltas', 'Notas de crédito de ' || mes, (select count(*) from nota n where n.mes = lote.mes), mes from lote`.execute(
    trx,
  );
  await sql`
    insert into effect (id, type, key, ref, connection, request, request_hash, state, sends, batch_id, created_at, settled_at)
    select n.effect_id, 'cfdi.notaCredito', 'nota:' || orden_id, 'NC-' || num_orden || '-' || orden_id, 'facturacom',
      '{}', sha256(num_orden::bytea), 'done', 1, l.id, en, en from nota n join lote l using (mes) order by en`.execute(
    trx,
  );
  await insertFacturas(
    trx,
    sql`select id, 'notaCredito', effect_id, num_orden, 'NC', folio, en + interval '3 days', 'XAXX010101000', 'PUBLICO EN GENERAL', 'G02', importe from nota order by en`,
  );
  await sql`update factura set origen_id = n.global_id, motivo = 'devuelta' from nota n where n.id = factura.id`.execute(
    trx,
  );
  await sql`insert into nota_credito_orden (factura_id, orden_id, effect_id, nota_id, importe) select global_id, orden_id, effect_id, id, importe from nota`.execute(
    trx,
  );
}

/** From rows of (id, tipo, effect_id, num_orden, serie, folio, en, rfc, razon_social, uso_cfdi, total). */
async function insertFacturas(trx: Trx, rows: ReturnType<typeof sql>) {
  await sql`
    insert into factura (id, tipo, estatus, effect_id, market, num_orden, uuid, uid, serie, folio, fecha, fecha_timbrado, rfc, razon_social, cp, regimen, uso_cfdi, forma_pago, subtotal, iva, total, xml_id)
    select id, tipo, 'vigente', effect_id, 'ml', num_orden, upper(id::text), id::text, serie, folio, en, en, rfc, razon_social, '06000', '616', uso_cfdi, '04', round(total / 1.16, 2), total - round(total / 1.16, 2), total,
      (select xml_id from factura limit 1)
    from (${rows}) f(id, tipo, effect_id, num_orden, serie, folio, en, rfc, razon_social, uso_cfdi, total)`.execute(
    trx,
  );
}

async function seedNotas(trx: Trx) {
  await sql`
    insert into nota_sencilla (draft_id, serie, folio, fecha, nombre, apellidos, telefono, email, cp, colonia, calle, numero_exterior, numero_interior, ciudad, municipio, estado, articulos, subtotal, iva, total, pdf_id, usuario_id)
    select uuidv7(), 'N', i, date '2025-11-01' + i / 14, 'Begoña', 'Núñez ' || i, '5512345678', 'nota' || i || '@correo.mx', '06700', 'Roma Norte', 'Orizaba', '101', 'SN', 'Ciudad de México', 'Cuauhtémoc', 'Ciudad de México',
      '[]', i, round(i * 0.16, 2), i + round(i * 0.16, 2), uuidv7(), uuidv7() from generate_series(1, 5000) i`.execute(
    trx,
  );
}
