import { createHash } from 'node:crypto';
import { LimitReached, NotAllowed } from '~/core/errors';
import { isGenericRfc, isRfc, normalizeRfc } from '~/core/rfc';
import { takeRate } from '~/platform/rateLimit.server';
import type { Db } from '~db/client.server';
import type { Enlace } from '~/domain/facturacion/enlaces/enlaces.server';

/** How many distinct RFC a link may ask about, and an address in a day: enough to correct a slip, useless to list taxpayers. */
export const RFC_POR_ENLACE = 5;
const RFC_POR_DIRECCION = { hits: 20, seconds: 86_400 };

const LIMITE =
  'Ya buscaste varios RFC desde este enlace o esta conexión. Por seguridad no se pueden buscar más por ahora; escríbenos por los mensajes de tu compra.';

/** The RFC as a customer may use it. Throws with the field's text. */
export function requireRfcPropio(text: string): string {
  const rfc = normalizeRfc(text);
  if (!isRfc(rfc)) throw new NotAllowed('Error de llenado.', 'RFC No Valido', { campo: 'rfc' });
  if (isGenericRfc(rfc))
    throw new NotAllowed('Error de llenado.', 'Ese RFC es genérico y no sirve para facturar aquí. Escribe el tuyo.', {
      campo: 'rfc',
    });
  return rfc;
}

/** The same of an RFC that is asked about, counted: whoever asks learns what is on record. Throws with the limit's text. */
export async function takeRfc(db: Db, enlace: Enlace, text: string, ip: string): Promise<string> {
  const rfc = requireRfcPropio(text);
  const rfcHash = createHash('sha256').update(rfc).digest();
  await db.transaction().execute(async (trx) => {
    // Two at once cannot both be the fifth.
    await trx.selectFrom('enlace').select('id').where('id', '=', enlace.id).forUpdate().execute();
    const seen = await trx.selectFrom('enlaceRfc').select('rfcHash').where('enlaceId', '=', enlace.id).execute();
    if (seen.some((one) => one.rfcHash.equals(rfcHash))) return;
    const byAddress = await takeRate(trx, `publico:rfc:${ip}`, RFC_POR_DIRECCION);
    // What a link used up comes back with another link: this one's never does.
    if (seen.length >= RFC_POR_ENLACE) throw new LimitReached(LIMITE, secondsUntil(enlace.venceEn));
    if (!byAddress.allowed) throw new LimitReached(LIMITE, byAddress.retryAfterSeconds);
    await trx.insertInto('enlaceRfc').values({ enlaceId: enlace.id, rfcHash }).execute();
  });
  return rfc;
}

const secondsUntil = (moment: Date) => Math.max(1, Math.ceil((moment.getTime() - Date.now()) / 1_000));
