import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { canonicalJson, hashOf } from '~/platform/effects/effects.server';
import type { Db } from '~db/client.server';
import { Money } from '~/core/money';
import { storeArchivo } from '~/platform/files/archivos.server';
import { vacuumAnalyze } from '../plans';

type Concepto = { descripcion: string; cantidad: string; total: string; noIdentificacion?: string };

export type FacturaSketch = {
  id?: string;
  tipo?: 'individual' | 'global' | 'notaCredito';
  estatus?: 'vigente' | 'cancelando' | 'cancelada';
  serie?: string;
  folio?: number;
  numOrden?: string | null;
  rfc?: string;
  razonSocial?: string;
  fechaTimbrado?: Date;
  emails?: string[];
  conPdf?: boolean;
  conceptos?: Concepto[];
};

let lastFolio = 0;

/** One stamped factura with its effect, files and conceptos, as stamping leaves them. Amounts follow from the conceptos. */
export async function buildFactura(db: Db, sketch: FacturaSketch = {}) {
  const {
    tipo = 'individual',
    estatus = 'vigente',
    serie = 'F',
    folio = ++lastFolio,
    rfc = 'MEGJ800101QX1',
    razonSocial = 'JUANA MÉNDEZ GARCÍA',
    fechaTimbrado = new Date(),
    emails = ['juana@ejemplo.mx'],
    conPdf = true,
    conceptos = [{ descripcion: 'Cámara IP de 2 megapíxeles', cantidad: '1', total: '1298.00' }],
  } = sketch;
  const numOrden = sketch.numOrden === undefined ? `2000${String(folio).padStart(12, '0')}` : sketch.numOrden;
  return db.transaction().execute(async (trx) => {
    const uuid = randomUUID().toUpperCase();
    const effect = await trx
      .insertInto('effect')
      .values({
        type: 'cfdi.stamp',
        key: `orden:ml:${uuid}`,
        ref: uuid,
        connection: 'facturacom',
        request: '{}',
        requestHash: hashOf(canonicalJson({})),
        state: 'done',
        sends: 1,
        sentAt: fechaTimbrado,
        settledAt: fechaTimbrado,
        result: JSON.stringify({ uid: uuid.toLowerCase(), uuid }),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const xmlId = await storeArchivo(trx, {
      nombre: `${serie}${folio}.xml`,
      tipo: 'application/xml',
      contenido: Buffer.from(`<cfdi UUID="${uuid}"/>`),
    });
    const pdfId = conPdf
      ? await storeArchivo(trx, {
          nombre: `${serie}${folio}.pdf`,
          tipo: 'application/pdf',
          contenido: Buffer.from(`%PDF-1.4 ${uuid}`),
        })
      : null;
    const lines = conceptos.map((concepto) => {
      const total = Money.of(concepto.total);
      const importe = total.withoutIva();
      return { ...concepto, importe, iva: total.minus(importe), total };
    });
    const total = Money.sum(lines.map((line) => line.total));
    const iva = Money.sum(lines.map((line) => line.iva)).cents();
    const factura = await trx
      .insertInto('factura')
      .values({
        ...(sketch.id !== undefined && { id: sketch.id }),
        tipo,
        estatus,
        effectId: effect.id,
        market: 'ml',
        numOrden,
        uuid,
        uid: uuid.toLowerCase(),
        serie,
        folio,
        fecha: fechaTimbrado,
        fechaTimbrado,
        rfc,
        razonSocial,
        cp: '06000',
        regimen: '612',
        usoCfdi: 'G03',
        formaPago: '04',
        subtotal: total.minus(iva),
        iva,
        total,
        emails,
        xmlId,
        pdfId,
        canceladaEn: estatus === 'cancelada' ? fechaTimbrado : null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await trx
      .insertInto('facturaConcepto')
      .values(
        lines.map((line, posicion) => ({
          facturaId: factura.id,
          posicion,
          claveProdServ: '46171610',
          noIdentificacion: line.noIdentificacion ?? null,
          cantidad: line.cantidad,
          claveUnidad: 'H87',
          descripcion: line.descripcion,
          valorUnitario: line.importe.dividedBy(Number(line.cantidad)),
          importe: line.importe,
          base: line.importe,
          tasaIva: '0.160000',
          iva: line.iva,
        })),
      )
      .execute();
    return factura;
  });
}

/**
 * Many facturas at once, deterministic, spread evenly from `from` to `to` in the order they would have been stamped.
 * They share one XML and carry one concepto each: enough for lists and exports, not for downloads.
 */
export async function seedFacturas(
  db: Db,
  { count, from, to, serie = 'F' }: { count: number; from: Date; to: Date; serie?: string },
) {
  if (count === 0) return;
  await db.transaction().execute(async (trx) => {
    const xmlId = await storeArchivo(trx, {
      nombre: 'semilla.xml',
      tipo: 'application/xml',
      contenido: Buffer.from('<cfdi/>'),
    });
    const first = await trx
      .selectFrom('factura')
      .where('serie', '=', serie)
      .select(({ fn }) => fn.max('folio').as('folio'))
      .executeTakeFirstOrThrow();
    await sql`
      with sketch as (
        select i, uuidv7() as effect_id, gen_random_uuid()::text as uuid, ${first.folio ?? 0}::int + i as folio,
          ${from}::timestamptz + (${to}::timestamptz - ${from}::timestamptz) * (i - 0.5) / ${count}::int as en,
          abs(hashint4(i)) as a, abs(hashint4(i + 1000003)) as b, abs(hashint4(i + 2000029)) as c
        from generate_series(1, ${count}::int) i
      ), shape as (
        select *, (499 + a % 4999900)::numeric / 100 as total, a % 5 = 0 as moral,
          (array['MÉNDEZ','GARCÍA','HERNÁNDEZ','LÓPEZ','MUÑOZ','PEÑA','RAMÍREZ','NÚÑEZ','ÁVILA','CASTAÑEDA','SÁNCHEZ','TREVIÑO','GÓMEZ','DE LA O','QUIÑONES','BÁEZ'])[1 + b % 16] as paterno,
          (array['REYES','CRUZ','FLORES','JIMÉNEZ','MORALES','VÁZQUEZ','ROMERO','GUTIÉRREZ','ORTIZ','CHÁVEZ','RUIZ','AGUILAR','ZÚÑIGA','IBARRA'])[1 + c % 14] as materno,
          (array['JOSÉ','MARÍA','JUAN','GUADALUPE','ANA LAURA','ÓSCAR','BEGOÑA','RAÚL','SOFÍA','IGNACIO','XÓCHITL','RENÉ','LUCÍA','ÁNGEL','PATRICIA','HÉCTOR','INÉS'])[1 + (a / 7) % 17] as nombre,
          (array['COMERCIALIZADORA','INSTALACIONES','SEGURIDAD ELECTRÓNICA','CONSULTORÍA','DISTRIBUIDORA','SERVICIOS'])[1 + b % 6] as giro
        from sketch
      ), effects as (
        insert into effect (id, type, key, ref, connection, request, request_hash, state, settled_at)
        select effect_id, 'cfdi.stamp', 'orden:ml:' || uuid, uuid, 'facturacom', '{}', '\\x00', 'done', en from shape
      ), facturas as (
        insert into factura (tipo, estatus, effect_id, market, num_orden, uuid, uid, serie, folio, fecha, fecha_timbrado, rfc, razon_social, cp, regimen,
          uso_cfdi, forma_pago, subtotal, iva, total, emails, xml_id, cancelada_en)
        select 'individual', case when c % 40 = 0 then 'cancelada' else 'vigente' end, effect_id, 'ml', '2000' || lpad((1000000000 + i * 7919::bigint + c % 7000)::text, 12, '0'),
          upper(uuid), uuid, ${serie}::text, folio, en, en,
          case when moral then substr(giro, 1, 1) || substr(translate(paterno, 'ÁÉÍÓÚÑ ', 'AEIOUX'), 1, 2) else substr(translate(paterno, 'ÁÉÍÓÚÑ ', 'AEIOUX'), 1, 2) || substr(materno, 1, 1) || substr(translate(nombre, 'ÁÉÍÓÚÑ', 'AEIOUX'), 1, 1) end
            || to_char(date '1955-01-01' + b % 17000, 'YYMMDD') || upper(substr(md5(i::text), 1, 2)) || c % 10,
          case when moral then giro || ' ' || paterno || ' Y ' || materno else nombre || ' ' || paterno || ' ' || materno end,
          lpad((b % 99999 + 1)::text, 5, '0'), case when moral then '601' else '612' end, 'G03', '04',
          total - (total - round(total / 1.16, 2)), total - round(total / 1.16, 2), total, '{cliente@ejemplo.mx}', ${xmlId}::uuid,
          case when c % 40 = 0 then en end
        from shape order by en
        returning id, total, iva
      )
      insert into factura_concepto (factura_id, posicion, clave_prod_serv, cantidad, clave_unidad, descripcion, valor_unitario, importe, base, tasa_iva, iva)
      select id, 0, '46171610', 1, 'H87', 'Cámara IP de 2 megapíxeles', total - iva, total - iva, total - iva, 0.16, iva from facturas`.execute(
      trx,
    );
  });
  await vacuumAnalyze(db, 'factura');
}
