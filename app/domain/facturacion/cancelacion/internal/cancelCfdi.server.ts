import { z } from 'zod';
import { defineEffect, type EffectDefinition } from '~/platform/effects/definition';
import { Refused } from '~/integrations/errors';
import { parseEstadoSat, MOTIVO_KEYS, type EstadoSat } from '../cancelacion';
import { lockCancelacion, noteEnProceso, settleCancelada, settleRechazada } from './settleCancelacion.server';
import { believeUnknownNo } from '~/domain/facturacion/cfdi/timbrado.server';

const Request = z.object({
  facturaId: z.string(),
  folio: z.string(),
  uid: z.string(),
  uuid: z.string(),
  motivo: z.enum(MOTIVO_KEYS),
  folioSustituto: z.string().nullable(),
});

/** The answer of the PAC: its message, and the SAT's receipt when it came at once. */
const Evidence = z.object({ mensaje: z.string().default(''), acuse: z.string().nullable().default(null) });

/** The part of a request that the PAC gets. */
type Pedido = { uid: string; motivo: (typeof MOTIVO_KEYS)[number]; folioSustituto: string | null };

type Evidence = z.infer<typeof Evidence>;
type Calls<Req> = Pick<
  EffectDefinition<Req, Evidence, Evidence & { estado: EstadoSat; respuesta: string }>,
  'connection' | 'evidence' | 'byHand' | 'unclear' | 'ready' | 'send' | 'find' | 'confirm'
>;

/**
 * The calls that ask the SAT to cancel a CFDI, for `defineEffect`. The PAC's yes may only mean that the request was sent, so the SAT's
 * status alone is believed: it is read here once, and a job follows it while it is in process.
 */
export function cancelacionEnSat<Req extends Pedido>(): Calls<Req> {
  return {
    connection: 'facturacom',
    evidence: Evidence,
    byHand: { says: 'done', evidence: { mensaje: 'Una persona lo confirmó.', acuse: null } },
    unclear: 'find',
    ready: believeUnknownNo,
    async send(call) {
      const { request, clients } = call;
      const pac = await clients.pac();
      try {
        return await pac.cancelCfdi(request.uid, {
          motivo: request.motivo,
          ...(request.folioSustituto !== null && { folioSustituto: request.folioSustituto }),
        });
      } catch (error) {
        // A refusal may say that the CFDI is cancelled already, or that a request is in process: the SAT's status tells which.
        if (!(error instanceof Refused) || error.details.account) throw error;
        if (!isAsked(await pac.cancelStatus(request.uid))) throw error;
        return { mensaje: error.message, acuse: null };
      }
    },
    async find({ request, clients }, known) {
      if (known) return known;
      const estado = await (await clients.pac()).cancelStatus(request.uid);
      return isAsked(estado)
        ? { mensaje: `Estado en el SAT: ${estado.estatusCancelacion || estado.estado}`, acuse: null }
        : 'absent';
    },
    async confirm({ request, clients }, evidence) {
      const estado = await (await clients.pac()).cancelStatus(request.uid);
      return {
        ...evidence,
        estado: parseEstadoSat(estado),
        respuesta: estado.estatusCancelacion || evidence.mensaje || estado.estado,
      };
    },
  };
}

/** The cancellation of a factura, a global or a credit note that is kept here. */
export const cancelCfdi = defineEffect({
  ...cancelacionEnSat<z.infer<typeof Request>>(),
  type: 'cfdi.cancel',
  label: 'Cancelación de CFDI',
  request: Request,
  key: ({ facturaId }) => `cancelar:${facturaId}`,
  subjects: ({ facturaId }) => [['factura', facturaId]],
  async settle(trx, effect, { estado, respuesta, acuse }) {
    const cancelacion = await lockCancelacion(trx, { effectId: effect.id });
    if (!cancelacion) return;
    if (estado === 'cancelada') await settleCancelada(trx, cancelacion, { respuesta, acuse });
    else await noteEnProceso(trx, cancelacion, { respuesta, acuse, enProceso: estado === 'enProceso' });
  },
  async release(trx, effect, reason) {
    const cancelacion = await lockCancelacion(trx, { effectId: effect.id });
    if (cancelacion) await settleRechazada(trx, cancelacion, reason);
  },
});

const isAsked = (estado: { estado: string; estatusCancelacion: string }) =>
  ['cancelada', 'enProceso'].includes(parseEstadoSat(estado));
