import { createHash } from 'node:crypto';
import { Refused, Unavailable } from '../errors';
import { exchange } from '../http.server';
import { readJson, readShape } from './answer';
import { createLlamada, encoded, type LlamadaOptions } from './call.server';
import { createAmazon, MEXICO, readOrder } from './client.server';
import { createNotificacionesWriter } from './notificaciones.server';
import type { Tokens } from './tokens';
import { createGuiasWriter } from './writeGuias.server';
import { createPublicacionesWriter } from './writePublicaciones.server';
import { MessagingActions, type Order, UploadDestination } from './wire';

/** A package of ours, as Amazon is told. Saying it again under the same `referencia` corrects it. */
export type PaqueteNuestro = {
  referencia: string;
  paqueteria: string;
  guia: string;
  fecha: Date;
  piezas: { id: string; cantidad: number }[];
};

export type Adjunto = { nombre: string; tipo: string; contenido: Buffer };

/** Carriers for which Amazon has a code. Nobody confirmed that it takes the codes in México: after a no, a carrier goes by its name. */
const CODIGOS = new Set(['DHL', 'FedEx']);
const OTRA = 'Other';

/** The writes of Amazon, with the looks that the writes need. Only effects get this client. */
export function createAmazonWriter({ ofApplication, ...options }: LlamadaOptions & { ofApplication: Tokens }) {
  const call = createLlamada(options);
  const lector = createAmazon(options);

  async function confirm(orderId: string, paquete: PaqueteNuestro, carrierCode: string): Promise<void> {
    const { referencia, paqueteria, guia, fecha, piezas } = paquete;
    await call(
      {
        operacion: 'confirmShipment',
        method: 'POST',
        path: `/orders/v0/orders/${encoded(orderId)}/shipmentConfirmation`,
        body: {
          marketplaceId: MEXICO,
          packageDetail: {
            packageReferenceId: referencia,
            carrierCode,
            carrierName: paqueteria,
            trackingNumber: guia,
            shipDate: fecha.toISOString(),
            orderItems: piezas.map(({ id, cantidad }) => ({ orderItemId: id, quantity: cantidad })),
          },
        },
      },
      'confirmación de envío',
    );
  }

  return {
    publicaciones: createPublicacionesWriter(options),
    guias: createGuiasWriter(options),
    avisos: createNotificacionesWriter({ ...options, ofApplication }),

    /** Reads a sale as it stands now; null when Amazon does not know it. */
    async sale(orderId: string): Promise<Order | null> {
      try {
        return readOrder(await lector.getOrder(orderId));
      } catch (error) {
        if (error instanceof Refused && error.details.status === 404) return null;
        throw error;
      }
    },

    async confirmShipment(orderId: string, paquete: PaqueteNuestro): Promise<void> {
      if (!CODIGOS.has(paquete.paqueteria)) return confirm(orderId, paquete, OTRA);
      try {
        await confirm(orderId, paquete, paquete.paqueteria);
      } catch (error) {
        if (!(error instanceof Refused) || error.details.status !== 400) throw error;
        await confirm(orderId, paquete, OTRA);
      }
    },

    /** Lists the messages that may be written to the buyer of a sale; empty for an account without that role. */
    async messagingActions(orderId: string): Promise<string[]> {
      try {
        const answer = await call(
          {
            operacion: 'getMessagingActionsForOrder',
            method: 'GET',
            path: `/messaging/v1/orders/${encoded(orderId)}`,
            query: { marketplaceIds: [MEXICO] },
          },
          'mensajes de la venta',
        );
        const { _links: links } = readShape(
          MessagingActions,
          readJson(answer, 'mensajes de la venta'),
          'mensajes de la venta',
        );
        return (links?.actions ?? []).flatMap(({ name }) => name ?? []);
      } catch (error) {
        if (error instanceof Refused && [400, 403, 404].includes(error.details.status ?? 0)) return [];
        throw error;
      }
    },

    /** Uploads a file that a message may name. The buyer does not see it yet, so a failure did nothing. */
    async upload(orderId: string, { tipo, contenido }: Adjunto): Promise<string> {
      const what = 'archivo de la factura';
      const contentMD5 = createHash('md5').update(contenido).digest('base64');
      try {
        const answer = await call(
          {
            operacion: 'createUploadDestination',
            method: 'POST',
            path: `/uploads/2020-11-01/uploadDestinations/messaging/v1/orders/${encoded(orderId)}/messages/invoice`,
            query: { marketplaceIds: [MEXICO], contentMD5, contentType: tipo },
          },
          what,
        );
        const { uploadDestinationId, url, headers } = readShape(
          UploadDestination,
          readJson(answer, what),
          what,
        ).payload;
        const sent = await exchange({
          side: { name: 'amazon-archivos', root: new URL(url).origin },
          method: 'PUT',
          url,
          headers: withTheirs({ 'content-type': tipo, 'content-md5': contentMD5 }, headers),
          body: contenido,
          trace: options.trace,
          timeoutMs: options.timeoutMs,
        });
        if (sent.status < 200 || sent.status > 299)
          throw new Unavailable(`Amazon no recibió el archivo (${sent.status})`, { status: sent.status });
        return uploadDestinationId;
      } catch (error) {
        if (error instanceof Refused || error instanceof Unavailable) throw error;
        throw new Unavailable(
          `Amazon no recibió el archivo (${error instanceof Error ? error.message : String(error)})`,
          {
            cause: error,
          },
        );
      }
    },

    /** Sends the message with the invoice. Amazon shows nobody what was sent, so a message without an answer is for people. */
    async sendInvoice(
      orderId: string,
      { uploadDestinationId, nombre }: { uploadDestinationId: string; nombre: string },
    ) {
      await call(
        {
          operacion: 'sendInvoice',
          method: 'POST',
          path: `/messaging/v1/orders/${encoded(orderId)}/messages/invoice`,
          query: { marketplaceIds: [MEXICO] },
          body: { attachments: [{ uploadDestinationId, fileName: nombre }] },
        },
        'mensaje con la factura',
      );
    },
  };
}

/** Returns the headers of an upload: the place is signed for the headers that it names, in whatever case. */
function withTheirs(ours: Record<string, string>, theirs: Record<string, string>): Record<string, string> {
  const all = new Headers(ours);
  for (const [name, value] of Object.entries(theirs)) all.set(name, value);
  return Object.fromEntries(all);
}

export type AmazonWriter = ReturnType<typeof createAmazonWriter>;
export type { AnuncioMostrado } from './oferta';
export type { ServicioAmz, Shipment } from './writeGuias.server';
