import { createHash } from 'node:crypto';
import { z } from 'zod';
import { record } from '~/platform/bitacora.server';
import { defineEffect, type Subject } from '~/platform/effects/definition';
import { acceptEffect } from '~/platform/effects/effects.server';
import { lastDone, lockLiving } from '~/platform/effects/subjects.server';
import { Refused } from '~/integrations/errors';
import type { AmazonWriter } from '~/integrations/amazon/write.server';
import type { Trx } from '~db/client.server';
import { hasSalido, PROPIO } from './envio';
import { isVendida } from './guiaComprada.server';

/** That a package of ours left: with whom, and under which number one follows it. */
const Salida = z.object({
  envioId: z.string(),
  marketId: z.string(),
  paqueteria: z.string(),
  guia: z.string(),
  fecha: z.string(),
  /** It was told before, with another number or carrier. */
  corrige: z.boolean(),
});
type Salida = z.output<typeof Salida>;

/** Amazon's clock may be behind ours, and what left may not leave in its future. */
const ATRAS_MS = 2 * 60_000;
const ENVIADA = ['SHIPPED', 'INVOICE_UNCONFIRMED'];
const TERMINADA = ['CANCELLED', 'UNFULFILLABLE'];

/**
 * Tells Amazon that a package we send ourselves left, and Amazon tells the buyer. The package keeps its reference, so that saying it again corrects it and never makes
 * a second one. What Amazon tells of packages may come minutes later.
 */
export const confirmarEnvio = defineEffect({
  type: 'amz.shipment',
  label: 'Confirmación de envío en Amazon',
  connection: 'amazon',
  request: Salida,
  evidence: z.object({ respuesta: z.string() }),
  byHand: { says: 'done', evidence: { respuesta: 'Una persona lo confirmó.' } },
  key: ({ envioId }) => `envio:${envioId}`,
  subjects: ({ envioId }) => [['envio', envioId]],
  summary: ({ marketId }) => ({ que: `Orden ${marketId}` }),
  unclear: 'find',
  again: true,
  async send({ request, clients }) {
    const amz = clients.amz();
    const { sale, piezas } = await porConfirmar(amz, request);
    if (shows(sale, request)) return { respuesta: 'Ya lo sabía.' };
    if (piezas.length === 0)
      throw new Refused('Amazon ya da la venta por enviada con otra guía: corrígela en Seller Central.');
    const { marketId, paqueteria, guia, fecha } = request;
    const salio = Math.max(sale.createdTime.getTime() + 1_000, Date.parse(fecha) - ATRAS_MS);
    try {
      const referencia = referenciaOf(request);
      await amz.confirmShipment(marketId, { referencia, paqueteria, guia, fecha: new Date(salio), piezas });
      return { respuesta: 'Lo recibió.' };
    } catch (error) {
      if (error instanceof Refused && shows(await amz.sale(marketId), request, { tarde: true }))
        return { respuesta: 'Ya lo sabía.' };
      throw error;
    }
  },
  async find({ request, clients }, known) {
    if (known) return known;
    return shows(await clients.amz().sale(request.marketId), request, { tarde: true })
      ? { respuesta: 'No se recibió su respuesta, pero ya lo muestra.' }
      : 'absent';
  },
  confirm: async (_call, evidence) => evidence,
  async settle(trx, { request: { envioId, paqueteria, guia }, usuarioId }, { respuesta }) {
    await record(trx, {
      usuarioId,
      entidad: 'envio',
      entidadId: envioId,
      accion: 'confirmar en Amazon',
      datos: { dicho: [paqueteria, guia].join(' '), respuesta },
    });
    // What changed while this was on its way is told now.
    await tellSalida(trx, envioId, null);
  },
  async release(trx, { request }) {
    const salida = await salidaOf(trx, request.envioId);
    if (salida && !covers(request, salida)) await tellSalida(trx, request.envioId, null);
  },
});

type Sale = Awaited<ReturnType<AmazonWriter['sale']>>;

/** A positive number that this shipment always has and no other package of the sale is likely to. */
const referenciaOf = ({ envioId }: Salida) =>
  String(1 + (createHash('sha256').update(envioId).digest().readUInt32BE() >>> 2));

/** The pieces to confirm: what our package holds already, else what nobody confirmed yet. */
async function porConfirmar(amz: AmazonWriter, request: Salida) {
  const sale = await amz.sale(request.marketId);
  if (!sale) throw new Refused('Amazon no conoce esta venta.');
  if (TERMINADA.includes(sale.fulfillment?.fulfillmentStatus ?? ''))
    throw new Refused('La venta se canceló en Amazon: su envío ya no se confirma.');
  const nuestro = sale.packages.find(({ packageReferenceId }) => packageReferenceId === referenciaOf(request));
  const faltan = sale.orderItems.map(({ orderItemId, quantityOrdered, fulfillment }) => ({
    id: orderItemId,
    cantidad: request.corrige ? quantityOrdered : quantityOrdered - (fulfillment?.quantityFulfilled ?? 0),
  }));
  const piezas = nuestro
    ? nuestro.packageItems.map(({ orderItemId, quantity }) => ({ id: orderItemId, cantidad: quantity }))
    : faltan;
  return { sale, piezas: piezas.filter(({ cantidad }) => cantidad > 0) };
}

/** Whether Amazon shows the package. `tarde`: also a sale that left whole, while it tells nothing of any package. */
function shows(sale: Sale, { guia, corrige }: Salida, { tarde = false } = {}): boolean {
  if (!sale) return false;
  if (sale.packages.some(({ trackingNumber }) => trackingNumber === guia)) return true;
  return tarde && !corrige && sale.packages.length === 0 && ENVIADA.includes(sale.fulfillment?.fulfillmentStatus ?? '');
}

const covers = (told: Salida, salida: Salida) => told.guia === salida.guia && told.paqueteria === salida.paqueteria;

/** What there is to tell of a shipment as it stands; null while it has not left, or without its number and its carrier, and where Amazon sold us the label. */
async function salidaOf(trx: Trx, envioId: string): Promise<(Omit<Salida, 'corrige'> & { corrige: false }) | null> {
  const { marketId, estatus, guia, paqueteria, propio } = await trx
    .selectFrom('envio')
    .select(['marketId', 'estatus', 'guia', 'paqueteria', 'propio'])
    .where('id', '=', envioId)
    .executeTakeFirstOrThrow();
  if (!propio || marketId.startsWith(PROPIO) || !guia || !paqueteria || !hasSalido(estatus)) return null;
  if (await isVendida(trx, envioId, guia)) return null;
  return { envioId, marketId, paqueteria, guia, fecha: new Date().toISOString(), corrige: false };
}

/** As `tellAvance`: one on its way is held until this transaction ends, and sees this change when it settles. */
export async function tellSalida(trx: Trx, envioId: string, usuarioId: string | null): Promise<void> {
  const salida = await salidaOf(trx, envioId);
  if (!salida) return;
  const subject: Subject = ['envio', envioId];
  for (let created = false; !created;) {
    if (await lockLiving(trx, subject, confirmarEnvio)) return;
    const told = await lastDone(trx, subject, confirmarEnvio);
    if (told && covers(told, salida)) return;
    const request = { ...salida, corrige: told !== undefined && told !== null };
    ({ created } = await acceptEffect(trx, confirmarEnvio, { request, usuarioId }));
  }
}
