import { z } from 'zod';
import { isGenericRfc } from '~/core/rfc';
import { MARKETS } from '~/core/market';
import { record } from '~/platform/bitacora.server';
import { defineEffect, each } from '~/platform/effects/definition';
import { laVenta } from '~/domain/ventas/ordenes/laVenta';
import { acceptEffect } from '~/platform/effects/effects.server';
import { Refused } from '~/integrations/errors';
import { NewCfdi } from '~/integrations/facturacom/nouns';
import { hasReceptorChanged } from '~/domain/facturacion/receptores/receptor.server';
import { mailFactura } from '~/domain/facturacion/cfdi/factura.server';
import { believeUnknownNo, keepCfdi, stampCfdi } from '~/domain/facturacion/cfdi/timbrado.server';
import { letGoOfNota, undoNota } from '~/domain/facturacion/cfdi/claims.server';

const Request = z.object({
  cfdi: NewCfdi,
  market: z.enum(MARKETS),
  numOrden: z.string(),
  /** The factura, individual or global, that the note takes back from, and its folio. */
  facturaId: z.string(),
  folio: z.string(),
  ordenIds: z.array(z.string()).min(1),
  motivo: z.enum(['refacturacion', 'devuelta', 'parcial']),
  /** Mark of a note of a part: the end of the orden's id, and the cents that were credited before. Each refund has a note of its own. */
  parte: z.string().optional(),
  clienteFiscalId: z.string().nullable(),
  emails: z.array(z.string()),
});
export type NotaCreditoRequest = z.infer<typeof Request>;

const timbrado = stampCfdi<NotaCreditoRequest>();

/**
 * Stamps the credit note (CFDI of egreso) that takes one sale, or a part of its money, back from one factura. Its key is that pair, whichever
 * list asked for it, with the mark of a part. The amount of each orden is a row of `nota_credito_orden` from the moment the note is accepted.
 */
export const stampNotaCredito = defineEffect({
  ...timbrado,
  type: 'cfdi.notaCredito',
  label: 'Timbrado de nota de crédito',
  request: Request,
  key: ({ facturaId, market, numOrden, parte }) =>
    `nota:${facturaId}:${market}:${numOrden}${parte === undefined ? '' : `:${parte}`}`,
  subjects: ({ cfdi, facturaId, market, numOrden, ordenIds }) => [
    ['factura', facturaId],
    laVenta(market, numOrden),
    ...each('orden', ordenIds),
    ['receptor', cfdi.receptor.rfc],
  ],
  ref: ({ folio, numOrden, parte }, generation) =>
    [`NC-${folio}-${numOrden}`, parte && `P${parte}`, generation > 0 && generation + 1].filter(Boolean).join('-'),
  async ready(call) {
    const { receptor } = call.request.cfdi;
    // A month of notes takes a while, and the PAC would stamp to a record that was corrected meanwhile.
    if (
      !isGenericRfc(receptor.rfc) &&
      (await hasReceptorChanged(call.db, { ...receptor, razonSocial: receptor.nombre, registrado: false }))
    ) {
      throw new Refused(
        'Los datos fiscales del cliente cambiaron después de pedir la nota de crédito, y no se timbró. Reintenta las fallidas: se pide con los datos de ahora.',
      );
    }
    await believeUnknownNo(call);
  },
  async settle(trx, effect, stamped) {
    const { request, usuarioId } = effect;
    const { market, numOrden, clienteFiscalId, emails } = request;
    const conceptoOrdenIds = request.cfdi.conceptos.map(() => request.ordenIds[0]!);
    const id = await keepCfdi(trx, effect, stamped, {
      tipo: 'notaCredito',
      market,
      numOrden,
      clienteFiscalId,
      emails,
      conceptoOrdenIds,
      origenId: request.facturaId,
      motivo: request.motivo,
    });
    await trx.updateTable('notaCreditoOrden').set({ notaId: id }).where('effectId', '=', effect.id).execute();
    await letGoOfNota(trx, id);
    const datos = {
      nota: `${stamped.xml.serie}-${stamped.xml.folio}`,
      uuid: stamped.xml.uuid,
      total: request.cfdi.total,
      numOrden,
    };
    await record(trx, {
      usuarioId,
      entidad: 'factura',
      entidadId: request.facturaId,
      accion: 'nota de crédito',
      datos,
    });
    await record(trx, {
      usuarioId,
      entidad: 'factura',
      entidadId: id,
      accion: 'timbrar',
      datos: { ...datos, factura: request.folio },
    });
    if (emails.length > 0) await acceptEffect(trx, mailFactura, { request: { facturaId: id, emails }, usuarioId });
  },
  async release(trx, effect) {
    await undoNota(
      trx,
      await trx
        .deleteFrom('notaCreditoOrden')
        .where('effectId', '=', effect.id)
        .where('notaId', 'is', null)
        .returning(['facturaId', 'ordenId', 'parcial'])
        .execute(),
    );
  },
});
