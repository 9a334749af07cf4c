import { z } from 'zod';
import { Money } from '~/core/money';
import { record } from '~/platform/bitacora.server';
import { defineEffect, each } from '~/platform/effects/definition';
import { laVenta } from '~/domain/ventas/ordenes/laVenta';
import { acceptEffect } from '~/platform/effects/effects.server';
import { Refused } from '~/integrations/errors';
import { NewCfdi } from '~/integrations/facturacom/nouns';
import { readAjustesFacturacion } from '~/domain/facturacion/cfdi/ajustes.server';
import { settleClaims, settleRefacturacion, freeClaims } from '~/domain/facturacion/cfdi/claims.server';
import { mailFactura } from '~/domain/facturacion/cfdi/factura.server';
import { hasReceptorChanged } from '~/domain/facturacion/receptores/receptor.server';
import { forgetCodigos, isClaveRechazada, rememberCodigos } from '../codigosSku.server';
import { settleSustitucion } from './sustitucion.server';
import { believeUnknownNo, keepCfdi, stampCfdi } from '~/domain/facturacion/cfdi/timbrado.server';
import { acceptEntrega } from './entregas.server';
import { MARKETS } from '~/core/market';

const Request = z.object({
  cfdi: NewCfdi,
  market: z.enum(MARKETS),
  numOrden: z.string(),
  ordenIds: z.array(z.string()).min(1),
  /** The orden of each concept, in the order of the concepts; null for rows that staff added. */
  conceptoOrdenIds: z.array(z.string().nullable()),
  /** The SAT key of each sku; requests from before keys were kept here lack it. */
  codigos: z.array(z.object({ sku: z.string(), codigoSat: z.string() })).default([]),
  clienteFiscalId: z.string().nullable(),
  emails: z.array(z.string()),
  /** The factura that the new one replaces (TipoRelacion 04); old requests lack it. */
  sustituye: z.object({ facturaId: z.string(), uuid: z.string() }).optional(),
});
export type StampRequest = z.infer<typeof Request>;

const timbrado = stampCfdi<StampRequest>();

/**
 * Stamps the factura of a sale. The reference is the number of the sale, which the PAC keeps as NumOrder and refuses to see twice. Only a factura that was
 * stamped and later cancelled lets the sale use the next reference.
 */
export const stampFactura = defineEffect({
  ...timbrado,
  type: 'cfdi.stamp',
  label: 'Timbrado de factura',
  request: Request,
  key: ({ market, numOrden }) => `orden:${market}:${numOrden}`,
  subjects: ({ cfdi, market, numOrden, ordenIds, sustituye }) => [
    laVenta(market, numOrden),
    ...each('orden', ordenIds),
    ['receptor', cfdi.receptor.rfc],
    ...each('sustituida', sustituye ? [sustituye.facturaId] : []),
  ],
  ref: ({ numOrden }, generation) => (generation === 0 ? numOrden : `${numOrden}-${generation + 1}`),
  async ready(call) {
    const {
      cfdi: { receptor },
      clienteFiscalId,
    } = call.request;
    // A stamp may wait for hours, and the PAC would stamp to a record that was corrected meanwhile.
    if (
      await hasReceptorChanged(call.db, {
        ...receptor,
        razonSocial: receptor.nombre,
        registrado: clienteFiscalId !== null,
      })
    ) {
      throw new Refused(
        'Los datos fiscales del cliente cambiaron después de pedir la factura, y no se timbró. Vuelve a los datos de facturación, búscalos de nuevo por su RFC y revísalos.',
      );
    }
    await believeUnknownNo(call);
  },
  async settle(trx, effect, { uid, xml, contenido }) {
    const { request, usuarioId } = effect;
    const { market, numOrden, clienteFiscalId, emails, conceptoOrdenIds } = request;
    const id = await keepCfdi(
      trx,
      effect,
      { uid, xml, contenido },
      {
        tipo: 'individual',
        market,
        numOrden,
        clienteFiscalId,
        emails,
        conceptoOrdenIds,
        sustituyeId: request.sustituye?.facturaId ?? null,
      },
    );
    if (request.sustituye)
      await settleSustitucion(trx, effect, { ...request.sustituye, nueva: { id, uuid: xml.uuid } });
    await trx
      .insertInto('facturaOrden')
      .values(importesOf(request.cfdi, request).map(({ ordenId, importe }) => ({ facturaId: id, ordenId, importe })))
      .execute();
    await rememberCodigos(trx, request.codigos);
    await settleClaims(trx, { ordenIds: request.ordenIds, effectId: effect.id, facturaId: id });
    await settleRefacturacion(trx, effect.id, id);
    await record(trx, {
      usuarioId,
      entidad: 'factura',
      entidadId: id,
      accion: 'timbrar',
      datos: { numOrden, uuid: xml.uuid, total: request.cfdi.total },
    });
    if (emails.length > 0) await acceptEffect(trx, mailFactura, { request: { facturaId: id, emails }, usuarioId });
    if ((await readAjustesFacturacion(trx)).subirCfdiMl)
      await acceptEntrega(trx, market, { request: { facturaId: id, numOrden }, usuarioId });
  },
  async release(trx, effect, reason) {
    await freeClaims(trx, effect.id);
    if (isClaveRechazada(reason)) await forgetCodigos(trx, effect.request.codigos);
  },
});

/**
 * The part of the total that each orden is charged. Rows that staff added count for the first orden, so the parts add up to the total; an
 * orden without rows has null.
 */
export function importesOf(
  { total, conceptos }: { total: string; conceptos: readonly { importe: string; iva: string }[] },
  { ordenIds, conceptoOrdenIds }: { ordenIds: readonly string[]; conceptoOrdenIds: readonly (string | null)[] },
): { ordenId: string; importe: string | null }[] {
  const sums = new Map(ordenIds.map((ordenId) => [ordenId, Money.zero]));
  for (const [at, { importe, iva }] of conceptos.entries()) {
    const own = conceptoOrdenIds[at];
    const ordenId = own != null && sums.has(own) ? own : ordenIds[0]!;
    sums.set(ordenId, sums.get(ordenId)!.plus(Money.of(importe)).plus(Money.of(iva)));
  }
  const [first, ...others] = ordenIds.map((ordenId) => ({ ordenId, importe: sums.get(ordenId)!.cents() }));
  const rest = Money.of(total).minus(Money.sum(others.map(({ importe }) => importe)));
  return [{ ...first!, importe: rest }, ...others].map(({ ordenId, importe }) => ({
    ordenId,
    importe: importe.isZero() || importe.isNegative() ? null : importe.toFixed(2),
  }));
}
