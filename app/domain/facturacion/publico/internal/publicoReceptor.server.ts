import { LimitReached } from '~/core/errors';
import { takeRate } from '~/platform/rateLimit.server';
import type { Db } from '~db/client.server';
import type { Enlace } from '~/domain/facturacion/enlaces/enlaces.server';

/** Limit of receivers that customers make at the PAC, where they stay: enough to correct slips of name, postal code and regime. */
export const RECEPTOR_POR_ENLACE = { hits: 15, seconds: 3_600 };
const RECEPTOR_POR_DIRECCION = { hits: 30, seconds: 3_600 };

const LIMITE =
  'Guardaste datos distintos muchas veces seguidas desde este enlace o esta conexión. Espera una hora y vuelve a intentarlo, o escríbenos por los mensajes de tu compra.';

/** Counts a receiver that is about to be made; `giveBack` takes the count back. Throws LimitReached. */
export async function takeReceptor(
  db: Db,
  enlace: Pick<Enlace, 'id'>,
  ip: string,
): Promise<{ giveBack(): Promise<void> }> {
  const taken = [
    await takeRate(db, `publico:receptor:enlace:${enlace.id}`, RECEPTOR_POR_ENLACE),
    await takeRate(db, `publico:receptor:${ip}`, RECEPTOR_POR_DIRECCION),
  ];
  const full = taken.filter(({ allowed }) => !allowed);
  if (full.length > 0)
    throw new LimitReached(LIMITE, Math.max(...full.map(({ retryAfterSeconds }) => retryAfterSeconds)));
  return { giveBack: async () => void (await Promise.all(taken.map((one) => one.giveBack()))) };
}
