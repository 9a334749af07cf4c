import { z } from 'zod';
import { Refused, Unavailable, Uncertain } from '../errors';
import { exchange, type HttpAnswer } from '../http.server';
import { readJson, readShape } from './answer';
import { type LlaveAws, signAws } from '../firmaAws.server';

export type OpcionesDeCola = { url: string; region: string; llave: LlaveAws; timeoutMs?: number };

/** A message of the queue. `recibo` deletes it. */
export type MensajeDeCola = { recibo: string; cuerpo: string };

/** The most messages that one call brings, and deletes. */
export const POR_LLAMADA = 10;
/** Time in seconds in which nobody else gets a message that was handed over: longer than it takes to be written down. */
const OCULTO_S = 120;

const Recibidos = z.object({
  Messages: z.array(z.object({ ReceiptHandle: z.string().min(1), Body: z.string() })).nullish(),
});
const Borrados = z.object({ Failed: z.array(z.object({ Id: z.string() })).nullish() });
const No = z.object({ __type: z.string().nullish(), message: z.string().nullish(), Message: z.string().nullish() });

/** Opens a queue of AWS (SQS) with keys of ours. Messages come at least once, and in no order. */
export function createColaSqs({ url, region, llave, timeoutMs = 10_000 }: OpcionesDeCola) {
  async function call(accion: string, fields: object): Promise<unknown> {
    const what = `cola ${accion}`;
    const body = JSON.stringify({ QueueUrl: url, ...fields });
    const address = addressOf(url);
    const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${accion}` };
    try {
      const answer = await exchange({
        side: { name: 'sqs', root: address },
        method: 'POST',
        url: address,
        headers: signAws({
          method: 'POST',
          url: address,
          headers,
          body,
          region,
          servicio: 'sqs',
          llave,
          now: new Date(),
        }),
        body,
        timeoutMs,
      });
      if (answer.status !== 200) throw failureOf(answer, what);
      return readJson(answer, what);
    } catch (error) {
      // A message whose answer was lost comes again, and one that is deleted twice is gone.
      if (error instanceof Uncertain) throw new Unavailable(`La cola de AWS ${error.message}`, { cause: error });
      throw error;
    }
  }

  return {
    async recibe(): Promise<MensajeDeCola[]> {
      const fields = { MaxNumberOfMessages: POR_LLAMADA, VisibilityTimeout: OCULTO_S, WaitTimeSeconds: 0 };
      const { Messages } = readShape(Recibidos, await call('ReceiveMessage', fields), 'cola');
      return (Messages ?? []).map(({ ReceiptHandle, Body }) => ({ recibo: ReceiptHandle, cuerpo: Body }));
    },

    /** Deletes messages. One that cannot be deleted comes again. */
    async borra(recibos: readonly string[]): Promise<void> {
      if (recibos.length === 0) return;
      const Entries = recibos.map((ReceiptHandle, at) => ({ Id: String(at), ReceiptHandle }));
      readShape(Borrados, await call('DeleteMessageBatch', { Entries }), 'cola');
    },
  };
}

/** Returns the address of the service in a queue's address, which ends with our account and the queue's name. */
const addressOf = (queue: string): string => `${queue.split('/').slice(0, -2).join('/')}/`;

function failureOf(answer: HttpAnswer, what: string): Refused | Unavailable {
  const { status, body } = answer;
  if (status === 429 || status >= 500)
    return new Unavailable(`La cola de AWS no está disponible (${status})`, { status });
  const raw = body.toString('utf8');
  const said = No.safeParse(safeJson(answer, what)).data;
  const code = said?.__type?.split('#').at(-1);
  const detail = said?.message ?? said?.Message ?? undefined;
  return new Refused(`AWS dijo que no (${status}${code ? ` ${code}` : ''}, ${what})`, { status, code, detail, raw });
}

function safeJson(answer: HttpAnswer, what: string): unknown {
  try {
    return readJson(answer, what);
  } catch {
    return {};
  }
}
