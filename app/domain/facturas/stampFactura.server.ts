import { z } from 'zod';
import { instantOf } from '~/core/time';
import { record } from '~/domain/bitacora.server';
import { defineEffect, Mismatch, type AcceptedEffect } from '~/domain/effects/definition';
import { acceptEffect } from '~/domain/effects/effects.server';
import { storeArchivo } from '~/domain/files/archivos.server';
import { NewCfdi } from '~/integrations/facturacom/nouns';
import type { Trx } from '~db/client.server';
import { matchesRequest, readCfdiXml, type CfdiXml } from './cfdiXml.server';
import { mailFactura } from './mailFactura.server';
import { settleRefacturacion, undoRefacturacion } from './refacturacion.server';

const Request = z.object({
  cfdi: NewCfdi,
  market: z.enum(['ml', 'amz']),
  numOrden: z.string(),
  ordenIds: z.array(z.string()).min(1),
  /** The orden each concept comes from; null for lines staff added. Same order as the concepts. */
  conceptoOrdenIds: z.array(z.string().nullable()),
  clienteFiscalId: z.string().nullable(),
  emails: z.array(z.string()),
});
export type StampRequest = z.infer<typeof Request>;

/** What the PAC told us. `uid` is missing only when a person captured the UUID on the board. */
const Evidence = z.object({ uid: z.string().nullable(), uuid: z.string() });

/**
 * Stamps the factura of a sale. The reference is the order number itself, which the PAC keeps as NumOrder and refuses to see twice;
 * only a factura that was stamped and later cancelled lets the same sale use the next one.
 */
export const stampFactura = defineEffect({
  type: 'cfdi.stamp',
  label: 'Timbrado de factura',
  connection: 'facturacom',
  request: Request,
  evidence: Evidence,
  key: ({ market, numOrden }) => `orden:${market}:${numOrden}`,
  ref: ({ numOrden }, generation) => (generation === 0 ? numOrden : `${numOrden}-${generation + 1}`),
  unclear: 'find',
  async send({ request, ref, clients }) {
    const { uid, uuid } = await (await clients.pac()).createCfdi(request.cfdi, ref);
    return { uid, uuid };
  },
  async find({ request, ref, clients }, known) {
    const pac = await clients.pac();
    if (known?.uid) return known;
    if (known) {
      const captured = await pac.findByUuid(known.uuid);
      if (!captured) throw new Mismatch([`El PAC no tiene un CFDI con el UUID ${known.uuid}`]);
      return { uid: captured.uid, uuid: captured.uuid };
    }
    const found = await pac.findByNumOrder(ref, { rfc: request.cfdi.receptor.rfc, fecha: request.cfdi.fecha });
    if (found === 'absent') return 'absent';
    if (found.repetidos > 0) throw new Mismatch([`El PAC tiene ${found.repetidos + 1} CFDI vigentes con la orden ${ref}`]);
    if (found.cancelada) throw new Mismatch([`El CFDI ${found.uuid} de la orden ${ref} está cancelado en el PAC`]);
    return { uid: found.uid, uuid: found.uuid };
  },
  async confirm({ request, clients }, evidence) {
    const contenido = await (await clients.pac()).downloadXml(evidence.uid!);
    const xml = readCfdiXml(contenido);
    const differences = matchesRequest(xml, request.cfdi, evidence.uuid);
    if (differences.length > 0) throw new Mismatch(differences);
    return { uid: evidence.uid!, xml, contenido };
  },
  async settle(trx, effect, { uid, xml, contenido }) {
    const { request, usuarioId } = effect;
    const xmlId = await storeArchivo(trx, { nombre: `${xml.serie}-${xml.folio}.xml`, tipo: 'application/xml', contenido });
    const { id } = await insertFactura(trx, effect, uid, xml, xmlId);
    await trx.insertInto('facturaConcepto').values(request.cfdi.conceptos.map((concepto, posicion) => ({
      facturaId: id, posicion, ordenId: request.conceptoOrdenIds[posicion] ?? null,
      claveProdServ: concepto.claveProdServ, noIdentificacion: concepto.noIdentificacion ?? null, cantidad: String(concepto.cantidad), claveUnidad: concepto.claveUnidad,
      descripcion: concepto.descripcion, valorUnitario: concepto.valorUnitario, importe: concepto.importe, base: concepto.base, tasaIva: concepto.tasaIva, iva: concepto.iva,
    }))).execute();
    await trx.insertInto('facturaOrden').values(request.ordenIds.map((ordenId) => ({ facturaId: id, ordenId }))).execute();
    await trx.updateTable('fiscalClaim').set({ facturaId: id }).where('effectId', '=', effect.id).execute();
    await settleRefacturacion(trx, effect.id, id);
    await record(trx, { usuarioId, entidad: 'factura', entidadId: id, accion: 'timbrar', datos: { numOrden: request.numOrden, uuid: xml.uuid, total: request.cfdi.total } });
    if (request.emails.length > 0) await acceptEffect(trx, mailFactura, { request: { facturaId: id, emails: request.emails }, usuarioId });
  },
  async release(trx, effect) {
    await undoRefacturacion(trx, effect.id);
    await trx.deleteFrom('fiscalClaim').where('effectId', '=', effect.id).where('facturaId', 'is', null).execute();
  },
});

async function insertFactura(trx: Trx, effect: AcceptedEffect<StampRequest>, uid: string, xml: CfdiXml, xmlId: string) {
  const { cfdi, market, numOrden, clienteFiscalId, emails } = effect.request;
  return trx
    .insertInto('factura')
    .values({
      tipo: 'individual', estatus: 'vigente', effectId: effect.id, market, numOrden, uuid: xml.uuid, uid, serie: xml.serie, folio: Number(xml.folio),
      fecha: instantOf(xml.fecha), fechaTimbrado: instantOf(xml.fechaTimbrado),
      rfc: cfdi.receptor.rfc, razonSocial: cfdi.receptor.nombre, cp: cfdi.receptor.cp, regimen: cfdi.receptor.regimen,
      usoCfdi: cfdi.usoCfdi, formaPago: cfdi.formaPago, subtotal: cfdi.subTotal, iva: cfdi.iva, total: cfdi.total,
      clienteFiscalId, emails, usuarioId: effect.usuarioId, xmlId,
    })
    .returning('id').executeTakeFirstOrThrow();
}
