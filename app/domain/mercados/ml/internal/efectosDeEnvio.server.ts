import { z } from 'zod';
import { toInstant } from '~/core/time';
import { Refused, UnexpectedShape } from '~/integrations/errors';
import type { MercadolibreWriter } from '~/integrations/mercadolibre/write.server';
import type { ActoDeAviso, ActoDeImprimir, Avance } from '../../efectos';
import { MODOS_AVISADOS, sinGuiaMl } from '../rasgos';

/** The tracking of one package of ours, as Mercado Libre is told. */
const Aviso = z.object({
  envioId: z.string(),
  marketId: z.string(),
  modo: z.enum(MODOS_AVISADOS),
  estado: z.enum(['shipped', 'delivered']),
  guia: z.string().nullable(),
  url: z.string().nullable(),
  paqueteria: z.string().nullable(),
  receptorId: z.string().nullable(),
  fecha: z.string(),
});
type Aviso = z.output<typeof Aviso>;

/** Mercado Libre's word for how far a package got. A package that comes back has none: saying so there pays the buyer back. */
const ESTADO: Readonly<Record<Avance, Aviso['estado']>> = { enCamino: 'shipped', entregado: 'delivered' };

/**
 * Tells the tracking of a package that we send ourselves; Mercado Libre tells the buyer. Saying the same twice changes nothing there. A refusal
 * because the marketplace knows already counts as told.
 */
export const avisarEnvio: ActoDeAviso<Aviso, { respuesta: string }> = {
  type: 'ml.shipment',
  label: 'Rastreo en Mercado Libre',
  connection: 'mercadolibre',
  accion: 'avisar a Mercado Libre',
  request: Aviso,
  evidence: z.object({ respuesta: z.string() }),
  byHand: { says: 'done', evidence: { respuesta: 'Una persona lo confirmó.' } },
  unclear: 'find',
  again: true,
  avisoOf({ envioId, marketId, avance, guia, url, paqueteria, receptorId, ...envio }) {
    const modo = MODOS_AVISADOS.find((one) => one === envio.modo);
    if (!modo || !avance) return null;
    const fecha = new Date().toISOString();
    return { envioId, marketId, modo, estado: ESTADO[avance], guia, url, paqueteria, receptorId, fecha };
  },
  // Nothing follows a delivery.
  covers(told, aviso) {
    if (told.estado === 'delivered') return true;
    return (
      told.estado === aviso.estado && (aviso.guia === null || (told.guia === aviso.guia && told.url === aviso.url))
    );
  },
  async send({ request, clients }) {
    const ml = clients.ml();
    try {
      return { respuesta: `Contestó ${await tell(ml, request)}.` };
    } catch (error) {
      if (error instanceof Refused && shows(await ml.shipment(request.marketId), request, { sinGuia: true }))
        return { respuesta: 'Ya lo sabía.' };
      throw error;
    }
  },
  async find({ request, clients }, known) {
    if (known) return known;
    return shows(await clients.ml().shipment(request.marketId), request)
      ? { respuesta: 'No se recibió su respuesta, pero ya lo muestra.' }
      : 'absent';
  },
  // The shipment as it shows afterwards is told and not demanded: nobody promises how soon it shows, nor the number.
  async confirm({ request, clients }, { respuesta }) {
    return { respuesta, estado: request.estado, muestra: await clients.ml().shipment(request.marketId) };
  },
};

function tell(
  ml: MercadolibreWriter,
  { marketId, modo, estado, guia, url, paqueteria, receptorId, fecha }: Aviso,
): Promise<number> {
  if (modo === 'custom') return ml.updateShipment(marketId, { estado, guia, receptorId });
  const comentario =
    estado === 'delivered' ? 'Entregado al comprador' : ['Entregado a', paqueteria ?? 'paquetería'].join(' ');
  return ml.notifyShipment(marketId, {
    estado,
    comentario,
    fecha: toInstant(fecha),
    rastreo: guia !== null && url !== null ? { guia, url } : null,
  });
}

/** Tells whether the shipment shows what Mercado Libre was told. `sinGuia`: a shipment without any number counts too. */
function shows(
  shown: Awaited<ReturnType<MercadolibreWriter['shipment']>>,
  { estado, guia }: Aviso,
  { sinGuia = false } = {},
): boolean {
  if (!shown || (shown.estatus !== estado && shown.estatus !== 'delivered')) return false;
  return guia === null || shown.guia === guia || (sinGuia && shown.guia === null);
}

/** Fetches the label of a shipment. Asking marks the label there as printed; asking again brings the same one. */
export const imprimirGuia: ActoDeImprimir = {
  type: 'ml.guia',
  label: 'Guía de Mercado Libre',
  connection: 'mercadolibre',
  async fetch({ request: { marketId, zpl = false }, clients }) {
    const ml = clients.ml();
    const envio = await ml.shipmentToPrint(marketId);
    if (!envio) throw new Refused('Mercado Libre no conoce este envío.');
    const falta = sinGuiaMl(envio);
    if (falta) throw new Refused(falta.porque);
    return {
      contenido: await ml.shipmentLabel(marketId),
      zpl: zpl ? await zplOf(ml, marketId) : null,
      numero: envio.guia ?? marketId,
      paqueteria: envio.paqueteria ?? 'Mercado Envíos',
    };
  },
};

/** Returns the ZPL of a label; null where it is refused or comes in a shape that nobody knows. Its PDF is there, and no parcel waits for the ZPL. */
async function zplOf(ml: MercadolibreWriter, marketId: string): Promise<Buffer | null> {
  try {
    return await ml.shipmentZpl(marketId);
  } catch (error) {
    if (error instanceof Refused || error instanceof UnexpectedShape) return null;
    throw error;
  }
}
