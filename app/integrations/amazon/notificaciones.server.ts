import { z } from 'zod';
import { Refused } from '../errors';
import { readJson, readShape } from './answer';
import { createLlamada, type LlamadaOptions } from './call.server';
import type { Tokens } from './tokens';

/** The notices of listings that EventBridge carries, with the version of their payload. Sales never come this way. */
export const AVISOS = {
  LISTINGS_ITEM_STATUS_CHANGE: '1.0',
  LISTINGS_ITEM_ISSUES_CHANGE: '2023-12-13',
} as const;
export type Aviso = keyof typeof AVISOS;

/** The notice of a sale that changed. It goes to a queue alone, and asks for a filter. */
const DE_VENTA = 'ORDER_CHANGE';
const DE_VENTA_VERSION = '1.0';

const NOMBRE = 'trastienda-eb';
const NOMBRE_DE_COLA = 'trastienda-sqs';
const Destino = z.object({
  destinationId: z.string().min(1),
  resource: z.object({
    eventBridge: z.object({ name: z.string().min(1), region: z.string(), accountId: z.string() }).nullish(),
    sqs: z.object({ arn: z.string() }).nullish(),
  }),
});
const Destinos = z.object({ payload: z.array(Destino) });
const UnDestino = z.object({ payload: Destino });

/** Our event bridge at Amazon: its id there, and the name of its partner event source. */
export type DestinoDeAvisos = { id: string; nombre: string };
export type CuentaAws = { cuenta: string; region: string };

/** The places where Amazon leaves its notices. A place belongs to the application and to no seller; a subscription belongs to the seller. */
export function createNotificacionesWriter({
  ofApplication,
  ...options
}: LlamadaOptions & {
  ofApplication: Tokens;
}) {
  const call = createLlamada(options);
  const asApplication = createLlamada({ ...options, tokens: ofApplication });
  const operacion = 'notifications';
  const path = '/notifications/v1/destinations';

  return {
    async destino({ cuenta, region }: CuentaAws): Promise<DestinoDeAvisos | null> {
      const answer = await asApplication({ operacion, method: 'GET', path }, 'destinos de avisos');
      const { payload } = readShape(Destinos, readJson(answer, 'destinos de avisos'), 'destinos de avisos');
      const found = payload.find(
        ({ resource: { eventBridge } }) => eventBridge?.accountId === cuenta && eventBridge.region === region,
      );
      return found ? { id: found.destinationId, nombre: found.resource.eventBridge!.name } : null;
    },

    async crea({ cuenta, region }: CuentaAws): Promise<DestinoDeAvisos> {
      const what = 'destino de avisos';
      const resourceSpecification = { eventBridge: { region, accountId: cuenta } };
      const body = { name: NOMBRE, resourceSpecification };
      const answer = await asApplication({ operacion, method: 'POST', path, body }, what);
      const { destinationId, resource } = readShape(UnDestino, readJson(answer, what), what).payload;
      if (!resource.eventBridge) throw new Refused('Amazon creó el destino sin event bridge.');
      return { id: destinationId, nombre: resource.eventBridge.name };
    },

    /** Returns the destination of a queue; null when nobody made it. */
    async destinoDeCola(arn: string): Promise<string | null> {
      const answer = await asApplication({ operacion, method: 'GET', path }, 'destinos de avisos');
      const { payload } = readShape(Destinos, readJson(answer, 'destinos de avisos'), 'destinos de avisos');
      return payload.find(({ resource: { sqs } }) => sqs?.arn === arn)?.destinationId ?? null;
    },

    async creaDestinoDeCola(arn: string): Promise<string> {
      const what = 'destino de avisos';
      const body = { name: NOMBRE_DE_COLA, resourceSpecification: { sqs: { arn } } };
      const answer = await asApplication({ operacion, method: 'POST', path, body }, what);
      return readShape(UnDestino, readJson(answer, what), what).payload.destinationId;
    },

    /** Asks for the notices of sales at a queue. A 409 means that they are asked for already. */
    async suscribeVentas(destinationId: string): Promise<void> {
      const processingDirective = {
        eventFilter: { eventFilterType: DE_VENTA, orderChangeTypes: ['OrderStatusChange', 'BuyerRequestedChange'] },
      };
      const body = { payloadVersion: DE_VENTA_VERSION, destinationId, processingDirective };
      const path = `/notifications/v1/subscriptions/${DE_VENTA}`;
      await call({ operacion, method: 'POST', path, body }, 'suscripción de avisos').catch((error: unknown) => {
        if (!(error instanceof Refused) || error.details.status !== 409) throw error;
      });
    },

    async estaSuscrito(aviso: Aviso): Promise<boolean> {
      try {
        const query = { payloadVersion: AVISOS[aviso] };
        await call(
          { operacion, method: 'GET', path: `/notifications/v1/subscriptions/${aviso}`, query },
          'suscripción de avisos',
        );
        return true;
      } catch (error) {
        if (error instanceof Refused && error.details.status === 404) return false;
        throw error;
      }
    },

    async suscribe(aviso: Aviso, destinationId: string): Promise<void> {
      const body = { payloadVersion: AVISOS[aviso], destinationId };
      await call(
        { operacion, method: 'POST', path: `/notifications/v1/subscriptions/${aviso}`, body },
        'suscripción de avisos',
      );
    },
  };
}
