import { z } from 'zod';
import type { Market } from '~/core/market';
import { record } from '~/platform/bitacora.server';
import { defineEffect, type EffectCall } from '~/platform/effects/definition';
import { acceptEffect } from '~/platform/effects/effects.server';
import { readArchivo } from '~/platform/files/archivos.server';
import { pdfToSend } from '~/domain/facturacion/cfdi/factura.server';
import type { ActoDeEntrega } from '~/domain/mercados/efectos';
import { perMarket } from '~/domain/mercados/registro.server';
import { Refused } from '~/integrations/errors';
import type { Db, Trx } from '~db/client.server';

const Entrega = z.object({ facturaId: z.string(), numOrden: z.string() });
type Entrega = z.output<typeof Entrega>;

/** Hands a stamped CFDI to the buyer at the marketplace of the sale. A factura that was cancelled meanwhile is refused. */
const defineEntrega = (acto: ActoDeEntrega) =>
  defineEffect<Entrega, unknown, string[]>({
    ...acto,
    request: Entrega,
    key: ({ facturaId }) => `factura:${facturaId}`,
    subjects: ({ facturaId }) => [['factura', facturaId]],
    async send(call) {
      const { db, clients, request } = call;
      const { estatus, folio, xmlId } = await readFactura(db, request.facturaId);
      if (estatus !== 'vigente') throw new Refused(acto.noVigente);
      return await acto.send(call, {
        folio,
        pdf: async () => (await pdfToSend(db, clients, request.facturaId)).contenido,
        xml: async () => (await readArchivo(db, xmlId))!.contenido,
      });
    },
    ...(acto.find && {
      find: async (call: EffectCall<Entrega>, known: unknown) =>
        known ?? (await acto.find!(call, (await readFactura(call.db, call.request.facturaId)).folio)),
    }),
    async settle(trx, { request: { facturaId }, usuarioId }, archivos) {
      await record(trx, {
        usuarioId,
        entidad: 'factura',
        entidadId: facturaId,
        accion: acto.accion,
        datos: { archivos },
      });
    },
  });

/** The effects that hand a CFDI to the buyer, by marketplace. */
export const entregas = perMarket(({ entregarCfdi }) => entregarCfdi, defineEntrega);

/** Asks for the delivery of a factura, where the marketplace of the sale delivers any. */
export async function acceptEntrega(
  trx: Trx,
  market: Market,
  entrega: { request: Entrega; usuarioId: string | null },
): Promise<void> {
  const effect = entregas.of(market);
  if (effect) await acceptEffect(trx, effect, entrega);
}

async function readFactura(db: Db, id: string) {
  const { serie, folio, ...factura } = await db
    .selectFrom('factura')
    .select(['serie', 'folio', 'xmlId', 'estatus'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { ...factura, folio: `${serie}-${folio}` };
}
