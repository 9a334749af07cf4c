import { z } from 'zod';
import { record } from '~/platform/bitacora.server';
import { defineEffect, type Subject } from '~/platform/effects/definition';
import { acceptEffect } from '~/platform/effects/effects.server';
import { lastDone, lockLiving } from '~/platform/effects/subjects.server';
import { estatusLabel } from '~/domain/ventas/ordenes/estatus';
import { Refused } from '~/integrations/errors';
import type { MercadolibreWriter } from '~/integrations/mercadolibre/write.server';
import type { Trx } from '~db/client.server';
import { estadoParaMl, MODOS_AVISADOS, rastreoUrl } from './envio';

/** What Mercado Libre is told of one shipment: how far it got, and under which number one follows it. */
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

/**
 * Tells the marketplace the tracking of a package that we send ourselves; the marketplace tells the buyer. Saying the
 * same twice changes nothing there. A refusal because it knows already counts as told.
 */
export const reportEnvio = defineEffect({
  type: 'ml.shipment',
  label: 'Rastreo en Mercado Libre',
  connection: 'mercadolibre',
  request: Aviso,
  evidence: z.object({ respuesta: z.string() }),
  byHand: { says: 'done', evidence: { respuesta: 'Una persona lo confirmó.' } },
  key: ({ envioId }) => `envio:${envioId}`,
  subjects: ({ envioId }) => [['envio', envioId]],
  unclear: 'find',
  again: true,
  async send({ request, clients }) {
    const ml = clients.ml();
    try {
      return { respuesta: `Contestó ${await report(ml, request)}.` };
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
  // What it shows afterwards is told and not demanded: nobody promises how soon, nor the number.
  async confirm({ request, clients }, { respuesta }) {
    const shown = await clients.ml().shipment(request.marketId);
    return {
      respuesta,
      muestra: shown && [estatusLabel(shown.estatus), shown.guia && `guía ${shown.guia}`].filter(Boolean).join(', '),
    };
  },
  async settle(trx, { request: { envioId, estado, guia, paqueteria }, usuarioId }, { respuesta, muestra }) {
    const dicho = [estatusLabel(estado), [paqueteria, guia].filter(Boolean).join(' ')].filter(Boolean).join(', ');
    await record(trx, {
      usuarioId,
      entidad: 'envio',
      entidadId: envioId,
      accion: 'avisar a Mercado Libre',
      datos: { dicho, respuesta: [respuesta, muestra && `Muestra: ${muestra}.`].filter(Boolean).join(' ') },
    });
    // What changed while this was on its way is told now.
    await tellAvance(trx, envioId, null);
  },
  async release(trx, { request }) {
    const aviso = await avisoOf(trx, request.envioId);
    if (aviso && !covers(request, aviso)) await tellAvance(trx, request.envioId, null);
  },
});

function report(
  ml: MercadolibreWriter,
  { marketId, modo, estado, guia, url, paqueteria, receptorId, fecha }: Aviso,
): Promise<number> {
  if (modo === 'custom') return ml.updateShipment(marketId, { estado, guia, receptorId });
  const comentario =
    estado === 'delivered' ? 'Entregado al comprador' : ['Entregado a', paqueteria ?? 'paquetería'].join(' ');
  return ml.notifyShipment(marketId, {
    estado,
    comentario,
    fecha: new Date(fecha),
    rastreo: guia !== null && url !== null ? { guia, url } : null,
  });
}

/** Whether what the marketplace shows is what it was told; `sinGuia`: also when it shows no number at all. */
function shows(
  shown: Awaited<ReturnType<MercadolibreWriter['shipment']>>,
  { estado, guia }: Aviso,
  { sinGuia = false } = {},
): boolean {
  if (!shown || (shown.estatus !== estado && shown.estatus !== 'delivered')) return false;
  return guia === null || shown.guia === guia || (sinGuia && shown.guia === null);
}

/** Whether `aviso` says nothing that `told` did not. Delivered is the end. */
function covers(told: Aviso, aviso: Aviso): boolean {
  if (told.estado === 'delivered') return true;
  return told.estado === aviso.estado && (aviso.guia === null || (told.guia === aviso.guia && told.url === aviso.url));
}

/** What there is to tell of a shipment as it stands; null where the marketplace takes nothing, or there is nothing to say yet. */
async function avisoOf(trx: Trx, envioId: string): Promise<Aviso | null> {
  const envio = await trx
    .selectFrom('envio')
    .where('id', '=', envioId)
    .select([
      'marketId',
      'modo',
      'estatus',
      'guia',
      'paqueteria',
      'paqueteriaUrl',
      (eb) =>
        eb
          .selectFrom('orden')
          .whereRef('orden.envioId', '=', 'envio.id')
          .select('compradorId')
          .orderBy('orden.marketId')
          .limit(1)
          .as('receptorId'),
    ])
    .executeTakeFirstOrThrow();
  const { marketId, guia, paqueteria, receptorId } = envio;
  const modo = MODOS_AVISADOS.find((one) => one === envio.modo);
  const estado = estadoParaMl(envio.estatus);
  if (!modo || !estado) return null;
  return {
    envioId,
    marketId,
    modo,
    estado,
    guia,
    url: rastreoUrl(envio),
    paqueteria,
    receptorId,
    fecha: new Date().toISOString(),
  };
}

/**
 * Tells the marketplace how a package of ours stands, unless it knows. A message already on its way is held until
 * this transaction ends. When it settles it sees this change, and tells it then.
 */
export async function tellAvance(trx: Trx, envioId: string, usuarioId: string | null): Promise<void> {
  const aviso = await avisoOf(trx, envioId);
  if (!aviso) return;
  const subject: Subject = ['envio', envioId];
  for (let created = false; !created;) {
    if (await lockLiving(trx, subject, reportEnvio)) return;
    const told = await lastDone(trx, subject, reportEnvio);
    if (told && covers(told, aviso)) return;
    ({ created } = await acceptEffect(trx, reportEnvio, { request: aviso, usuarioId }));
  }
}
