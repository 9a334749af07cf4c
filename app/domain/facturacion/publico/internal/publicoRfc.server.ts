import { createHash } from 'node:crypto';
import { LimitReached, NotAllowed } from '~/core/errors';
import { isGenericRfc, isRfc, normalizeRfc } from '~/core/rfc';
import { takeRate } from '~/platform/rateLimit.server';
import type { Db } from '~db/client.server';
import type { Enlace } from '~/domain/facturacion/enlaces/enlaces.server';

/** Limit of distinct RFC that a link may look up; an address has one per day. Enough to correct a slip, useless to list taxpayers. */
export const RFC_POR_ENLACE = 5;
const RFC_POR_DIRECCION = { hits: 20, seconds: 86_400 };

const LIMITE =
  'Ya buscaste varios RFC desde este enlace o esta conexión. Por seguridad no se pueden buscar más por ahora; escríbenos por los mensajes de tu compra.';

/** The RFC in its written form. Throws NotAllowed at its field for a text that is no RFC, and for a generic one. */
export function requireRfcPropio(text: string): string {
  const rfc = normalizeRfc(text);
  if (!isRfc(rfc)) throw new NotAllowed('Error de llenado.', 'RFC No Valido', { campo: 'rfc' });
  if (isGenericRfc(rfc))
    throw new NotAllowed('Error de llenado.', 'Ese RFC es genérico y no sirve para facturar aquí. Escribe el tuyo.', {
      campo: 'rfc',
    });
  return rfc;
}

/**
 * `requireRfcPropio` for a look-up, which is counted: the customer learns of the record. Throws LimitReached when the link or the address
 * has looked up too many.
 */
export async function takeRfc(db: Db, enlace: Enlace, text: string, ip: string): Promise<string> {
  const rfc = requireRfcPropio(text);
  const rfcHash = createHash('sha256').update(rfc).digest();
  await db.transaction().execute(async (trx) => {
    // The link's row is locked, so two look-ups at once cannot both be the fifth.
    await trx.selectFrom('enlace').select('id').where('id', '=', enlace.id).forUpdate().execute();
    const seen = await trx.selectFrom('enlaceRfc').select('rfcHash').where('enlaceId', '=', enlace.id).execute();
    if (seen.some((one) => one.rfcHash.equals(rfcHash))) return;
    const byAddress = await takeRate(trx, `publico:rfc:${ip}`, RFC_POR_DIRECCION);
    // The limit of a link never comes back; another link has its own.
    if (seen.length >= RFC_POR_ENLACE) throw new LimitReached(LIMITE, secondsUntil(enlace.venceEn));
    if (!byAddress.allowed) throw new LimitReached(LIMITE, byAddress.retryAfterSeconds);
    await trx.insertInto('enlaceRfc').values({ enlaceId: enlace.id, rfcHash }).execute();
  });
  return rfc;
}

const secondsUntil = (moment: Date) => Math.max(1, Math.ceil((moment.getTime() - Date.now()) / 1_000));
