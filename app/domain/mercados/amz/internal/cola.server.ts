import { z } from 'zod';
import { env } from '~/core/env.server';
import { isStorable } from '~/core/text';
import { createColaSqs } from '~/integrations/amazon/cola.server';
import type { Db } from '~db/client.server';
import type { ColaDeAvisos } from '../../mercado';
import { findCredential } from '~/platform/connections/credentials.server';
import { AMAZON } from './tokens.server';

/** The queue of this installation at AWS, with its name there; null where the settings name none. */
export function colaAws(): { url: string; region: string; arn: string } | null {
  const { AMAZON_SQS_COLA: url, AMAZON_SQS_REGION: region } = env();
  if (url === '') return null;
  const [cuenta = '', nombre = ''] = new URL(url).pathname.split('/').slice(-2);
  return { url, region, arn: `arn:aws:sqs:${region}:${cuenta}:${nombre}` };
}

const Nombre = z
  .string()
  .min(1)
  .max(100)
  .refine((texto) => isStorable(texto));
/** A notice of a sale that changed. The summary inside is not believed: the sale itself is read. */
const CambioDeVenta = z.object({
  NotificationType: z.literal('ORDER_CHANGE'),
  Payload: z.object({ OrderChangeNotification: z.object({ SellerId: Nombre, AmazonOrderId: Nombre }) }),
  NotificationMetadata: z.object({ NotificationId: Nombre }).nullish().catch(null),
});

function readNoticia(cuerpo: string) {
  let json: unknown;
  try {
    json = JSON.parse(cuerpo);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const { data } = CambioDeVenta.safeParse(json);
  if (!data) return undefined;
  const { SellerId, AmazonOrderId } = data.Payload.OrderChangeNotification;
  return { venta: AmazonOrderId, account: SellerId, id: data.NotificationMetadata?.NotificationId ?? null };
}

/** Opens the queue at which Amazon leaves its notices of sales; null without one in the settings. A message that tells of no sale is handed over without `noticia`. */
export function openCola(): ColaDeAvisos | null {
  const cola = colaAws();
  if (!cola) return null;
  const { AMAZON_SQS_LLAVE: llave, AMAZON_SQS_SECRETO: secreto } = env();
  const sqs = createColaSqs({ ...cola, llave: { llave, secreto } });
  return {
    recibe: async () => (await sqs.recibe()).map(({ recibo, cuerpo }) => ({ recibo, noticia: readNoticia(cuerpo) })),
    borra: (recibos) => sqs.borra(recibos),
    note: noteLectura,
  };
}

/** Keeps how the queue was read last, for the card. `error` is null after a good reading. */
async function noteLectura(db: Db, { avisos, error }: { avisos: number; error: string | null }): Promise<void> {
  const link = await findCredential(db, AMAZON);
  if (!link) return;
  await db
    .insertInto('amazonCola')
    .values({ cuenta: link.account, avisos, error, leidaEn: new Date() })
    .onConflict((on) =>
      on.column('cuenta').doUpdateSet((is) => ({
        avisos: is('amazonCola.avisos', '+', is.ref('excluded.avisos')),
        error: is.ref('excluded.error'),
        // The moment of the last good reading stays while readings fail.
        leidaEn: error === null ? is.ref('excluded.leidaEn') : is.ref('amazonCola.leidaEn'),
      })),
    )
    .execute();
}

/** Reads how the queue of the linked account stands; null before the first reading. */
export async function readCola(db: Db) {
  const link = await findCredential(db, AMAZON);
  if (!link) return null;
  return (
    (await db
      .selectFrom('amazonCola')
      .select(['avisos', 'error', 'leidaEn', 'suscrita'])
      .where('cuenta', '=', link.account)
      .executeTakeFirst()) ?? null
  );
}
