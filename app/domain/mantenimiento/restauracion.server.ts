import { sql } from 'kysely';
import { addDays, civilDay, instantOf } from '~/core/time';
import { record } from '~/domain/bitacora.server';
import { readCfdiXml, type CfdiXml } from '~/domain/cfdi/cfdiXml.server';
import { pauseConnection } from '~/domain/connections/pause.server';
import { CONNECTIONS } from '~/domain/connections/registry.server';
import { each, laVenta, type EffectCatalog } from '~/domain/effects/definition';
import { adoptEffect, doubtOpenEffects } from '~/domain/effects/restored.server';
import { storeArchivo } from '~/domain/files/archivos.server';
import type { CfdiPac } from '~/integrations/facturacom/nouns';
import type { Db, Trx } from '~db/client.server';
import type { Market } from '~db/columns';

export type Respaldo = { nombre: string; sabeHasta: Date };

/**
 * What a database has to be told before anybody works with it again: it knows nothing of what was done since `sabeHasta`. Every connection is paused. What
 * waited to be sent may have been sent: what can be looked for is looked for first, and what cannot is decided by people.
 */
export async function marcarRestaurada(db: Db, catalog: EffectCatalog, { nombre, sabeHasta }: Respaldo): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('restauracion').values({ respaldo: nombre, sabeHasta }).execute();
    for (const { kind } of CONNECTIONS.all()) if (CONNECTIONS.isKind(kind)) await pauseConnection(trx, kind);
    await sql`update connection set paused_at = now()`.execute(trx);
    await doubtOpenEffects(trx, catalog);
    // Of workers that are gone with the machine.
    await sql`delete from worker_heartbeat`.execute(trx);
    await sql`select graphile_worker.force_unlock_workers(array(select distinct locked_by from graphile_worker._private_jobs where locked_by is not null))`.execute(
      trx,
    );
    await record(trx, {
      usuarioId: null,
      entidad: 'mantenimiento',
      entidadId: 'restauracion',
      accion: 'restaurar',
      datos: { respaldo: nombre, sabeHasta },
    });
  });
}

/** What the reconciliation reads of the PAC. */
export type LectorDeCfdis = {
  cfdisOfMonth(month: string): AsyncIterable<CfdiPac>;
  downloadXml(uid: string): Promise<Buffer>;
};

export type Conciliacion = { conocidas: number; adoptadas: string[]; inexplicadas: string[] };

/**
 * Reads the PAC's months since the backup, with the day before it, and takes what is there and not here: a living CFDI under the number of a sale of ours becomes its
 * factura, and the sale is held by it. Nothing is sent. What cannot be told apart is named, for people.
 */
export async function conciliarPac(db: Db, pac: LectorDeCfdis, now = new Date()): Promise<Conciliacion> {
  const last = await db
    .selectFrom('restauracion')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow(() => new Error('esta base no volvió de un respaldo'));
  const result: Conciliacion = { conocidas: 0, adoptadas: [], inexplicadas: [] };
  for (const month of monthsBetween(addDays(civilDay(last.sabeHasta), -4), civilDay(now))) {
    for await (const cfdi of pac.cfdisOfMonth(month)) {
      const known = await db
        .selectFrom('factura')
        .select('estatus')
        .where('uuid', '=', cfdi.uuid.toUpperCase())
        .executeTakeFirst();
      if (known) {
        result.conocidas += 1;
        if (cfdi.cancelada && known.estatus === 'vigente')
          result.inexplicadas.push(`${nameOf(cfdi)} está cancelado en el PAC y aquí sigue vigente`);
      } else if (!cfdi.cancelada) {
        const contenido = await pac.downloadXml(cfdi.uid);
        const why = await db.transaction().execute((trx) => adopt(trx, cfdi, contenido));
        if (why) result.inexplicadas.push(`${nameOf(cfdi)}: ${why}`);
        else result.adoptadas.push(cfdi.uuid);
      }
    }
  }
  const before = last.adoptadas as string[];
  await db
    .updateTable('restauracion')
    .set({
      conciliadaEn: sql<Date>`now()`,
      adoptadas: JSON.stringify([...new Set([...before, ...result.adoptadas])]),
      inexplicadas: JSON.stringify(result.inexplicadas),
    })
    .where('id', '=', last.id)
    .execute();
  return result;
}

const nameOf = ({ serie, folio, uuid }: CfdiPac) => `${serie}-${folio ?? '?'} (${uuid})`;

function monthsBetween(first: string, last: string): string[] {
  const months = [first.slice(0, 7)];
  while (months.at(-1)! < last.slice(0, 7)) months.push(addDays(`${months.at(-1)!}-01`, 32).slice(0, 7));
  return months;
}

const PENDIENTE = 'su solicitud está pendiente: al reanudar se busca y se reconoce';

/** Why it cannot be adopted; undefined when it was. */
async function adopt(trx: Trx, cfdi: CfdiPac, contenido: Buffer): Promise<string | undefined> {
  const xml = readCfdiXml(contenido);
  if (xml.tipo !== 'I') return 'no es una factura de ingreso';
  if (xml.informacionGlobal) return 'es una factura global';
  // The same number of a sale, or of one that was invoiced again after a cancellation.
  const numOrden = cfdi.numOrder.replace(/^(\d{10,})-\d{1,2}$/, '$1');
  const ordenes = await trx
    .selectFrom('orden')
    .select(['id', 'market'])
    .where('numOrden', '=', numOrden)
    .orderBy('id')
    .forUpdate()
    .execute();
  if (numOrden === '' || ordenes.length === 0) return `no hay una venta con el número «${cfdi.numOrder}»`;
  const ids = ordenes.map(({ id }) => id);
  const held = await trx.selectFrom('fiscalClaim').select('facturaId').where('ordenId', 'in', ids).execute();
  if (held.some(({ facturaId }) => facturaId === null)) return PENDIENTE;
  if (held.length > 0) return 'la venta ya está en otro documento';

  const effect = await adoptEffect(trx, {
    type: 'cfdi.stamp',
    connection: 'facturacom',
    key: `orden:${ordenes[0]!.market}:${numOrden}`,
    ref: cfdi.numOrder,
    subjects: [laVenta(ordenes[0]!.market, numOrden), ...each('orden', ids), ['receptor', xml.receptor.rfc]],
    evidence: { uid: cfdi.uid, uuid: cfdi.uuid, existed: true },
    reason: 'Adoptada del PAC al restaurar un respaldo.',
  });
  if ('state' in effect)
    return effect.state === 'done' ? 'esa venta ya tiene otra factura con la misma referencia' : PENDIENTE;
  const effectId = effect.id;
  const facturaId = await keepAdopted(
    trx,
    effectId,
    { uid: cfdi.uid, xml, contenido },
    { market: ordenes[0]!.market, numOrden },
  );
  await trx
    .insertInto('facturaOrden')
    .values(ids.map((ordenId) => ({ facturaId, ordenId })))
    .execute();
  await trx
    .insertInto('fiscalClaim')
    .values(ids.map((ordenId) => ({ ordenId, kind: 'individual', effectId, facturaId })))
    .execute();
  await record(trx, {
    usuarioId: null,
    entidad: 'factura',
    entidadId: facturaId,
    accion: 'adoptar del PAC',
    datos: { numOrden, uuid: xml.uuid, total: xml.total },
  });
  return undefined;
}

async function keepAdopted(
  trx: Trx,
  effectId: string,
  { uid, xml, contenido }: { uid: string; xml: CfdiXml; contenido: Buffer },
  venta: { market: Market; numOrden: string },
): Promise<string> {
  const xmlId = await storeArchivo(trx, {
    nombre: `${xml.serie}-${xml.folio}.xml`,
    tipo: 'application/xml',
    contenido,
  });
  const cliente = await trx
    .selectFrom('clienteFiscal')
    .select(['id', 'uid'])
    .where('rfc', '=', xml.receptor.rfc)
    .where('razonSocial', '=', xml.receptor.nombre)
    .executeTakeFirst();
  const { id } = await trx
    .insertInto('factura')
    .values({
      ...venta,
      tipo: 'individual',
      estatus: 'vigente',
      effectId,
      uuid: xml.uuid,
      uid,
      serie: xml.serie,
      folio: Number(xml.folio),
      fecha: instantOf(xml.fecha),
      fechaTimbrado: instantOf(xml.fechaTimbrado),
      rfc: xml.receptor.rfc,
      razonSocial: xml.receptor.nombre,
      cp: xml.receptor.cp,
      regimen: xml.receptor.regimen,
      usoCfdi: xml.receptor.usoCfdi,
      formaPago: xml.formaPago,
      subtotal: xml.subTotal,
      iva: xml.impuestos.totalTraslados,
      total: xml.total,
      clienteFiscalId: cliente?.id ?? null,
      receptorUid: cliente?.uid ?? null,
      xmlId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('facturaConcepto')
    .values(
      xml.conceptos.map((concepto, posicion) => ({
        facturaId: id,
        posicion,
        claveProdServ: concepto.claveProdServ,
        noIdentificacion: concepto.noIdentificacion || null,
        cantidad: concepto.cantidad,
        claveUnidad: concepto.claveUnidad,
        descripcion: concepto.descripcion,
        valorUnitario: concepto.valorUnitario,
        importe: concepto.importe,
        base: concepto.traslados[0]?.base ?? concepto.importe,
        tasaIva: concepto.traslados[0]?.tasa || '0',
        iva: concepto.traslados[0]?.importe ?? '0',
      })),
    )
    .execute();
  return id;
}
