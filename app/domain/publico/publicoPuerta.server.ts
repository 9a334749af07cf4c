import { sql } from 'kysely';
import { leerImporte } from '~/core/importe';
import { Money } from '~/core/money';
import { LimitReached, NotAllowed } from '~/core/errors';
import { takeRate, type Limit, type Taken } from '~/domain/cuentas/rateLimit.server';
import type { Db } from '~db/client.server';
import type { Market } from '~db/columns';
import { createEnlace } from '~/domain/enlaces/enlaces.server';

/** The public home's door: who knows the number of a sale and what was paid for it gets a link, like any other. */
const POR_DIRECCION = { hits: 20, seconds: 3_600 };
const POR_ORDEN = { hits: 8, seconds: 3_600 };

export const NO_COINCIDE =
  'No encontramos una compra con ese número y ese monto. Revísalos en el detalle de tu compra; las compras nuevas tardan unos minutos en llegar.';
export const DEMASIADOS =
  'Hiciste varios intentos seguidos. Espera una hora y vuelve a intentarlo, o escríbenos por los mensajes de tu compra.';

/** The token of a new link. Every failure reads the same, whether the number, the amount or both are wrong. */
export async function openDoor(
  db: Db,
  { numOrden, monto, ip }: { numOrden: string; monto: string; ip: string },
): Promise<string> {
  const numero = numOrden.trim();
  const byAddress = await take(db, `puerta:${ip}`, POR_DIRECCION);
  await take(db, `puerta:orden:${numero}`, POR_ORDEN);
  const lectura = leerImporte(monto);
  const venta = await findVenta(db, numero, lectura.clase === 'importe' ? lectura.importe : null);
  if (!venta) throw new NotAllowed('Aviso', NO_COINCIDE);
  // The count by sale stays: even its owner needs few links an hour.
  await byAddress.giveBack();
  return (await db.transaction().execute((trx) => createEnlace(trx, { ...venta, origen: 'portada', usuarioId: null })))
    .token;
}

async function take(db: Db, key: string, limit: Limit): Promise<Taken> {
  const taken = await takeRate(db, key, limit);
  if (!taken.allowed) throw new LimitReached(DEMASIADOS, taken.retryAfterSeconds);
  return taken;
}

/** One look, the same for a number that exists and for one that does not. What counts as paid is the whole sale, or the part of it that can be invoiced. */
async function findVenta(
  db: Db,
  numero: string,
  monto: string | null,
): Promise<{ market: Market; numOrden: string } | undefined> {
  const { rows } = await sql<{ market: Market; numOrden: string; todo: Money; vigente: Money }>`
    select o.market, o.num_orden, sum(o.pagado_abs)::numeric(14, 2) as todo, sum(o.pagado)::numeric(14, 2) as vigente
    from orden o where (o.market, o.num_orden) in (select market, num_orden from orden where num_orden = ${numero} or market_id = ${numero})
    group by o.market, o.num_orden`.execute(db);
  return rows.find(
    ({ todo, vigente }) =>
      monto !== null && [todo, vigente].some((paid) => !paid.isZero() && paid.equals(Money.of(monto))),
  );
}
