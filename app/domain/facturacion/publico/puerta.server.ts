import { sql } from 'kysely';
import { Money } from '~/core/money';
import { LimitReached, NotAllowed } from '~/core/errors';
import { takeRate, type Limit, type Taken } from '~/platform/rateLimit.server';
import { readDocumento } from '~/domain/mercados/registro.server';
import type { Db } from '~db/client.server';
import type { Clase, Market } from '~db/columns';
import { sendEnlaceByMessage } from '~/domain/facturacion/enlaces/enlaceEnvios.server';
import { createEnlace } from '~/domain/facturacion/enlaces/enlaces.server';
import { montosVistos, type OrdenPagada } from './internal/montosVistos';

/** Limits of wrong answers at the public home, by address and by sale. A right answer gives its count back. */
const POR_DIRECCION = { hits: 20, seconds: 3_600 };
const POR_VENTA = { hits: 8, seconds: 3_600 };
const MENSAJES_POR_DIRECCION = { hits: 5, seconds: 3_600 };

/** The one answer to a wrong number and to a wrong amount. */
export const NO_COINCIDE =
  'No encontramos una compra con ese número y ese monto. Revísalos en el detalle de tu compra; las compras nuevas tardan unos minutos en llegar.';
/** The answer after too many tries. */
export const DEMASIADOS =
  'Hubo varios intentos seguidos. Pide que te mandemos el enlace por los mensajes de tu compra, o espera una hora y vuelve a intentarlo.';
/** The one answer to a request for a message, whether a sale has the number or not. */
export const POR_MENSAJE =
  'Si ese número es de una compra nuestra y su marketplace pasa nuestros mensajes, el enlace te llega ahí en unos minutos. Si ya te lo mandamos, búscalo en los mensajes de tu compra.';

type Entrada = { numOrden: string; monto: string; ip: string };
type Venta = { market: Market; numOrden: string; ordenes: OrdenPagada[] };

/**
 * Makes a link for a person who knows the number of a sale and an amount of it, and returns its token. Throws NotAllowed in the same words
 * whether number or amount is wrong, and LimitReached after too many tries, without looking at the amount; the owner still has the messages
 * of the sale (`sendEnlaceToOwner`).
 */
export async function openDoor(db: Db, { numOrden, monto, ip }: Entrada): Promise<string> {
  const ventas = await findVentas(db, numOrden);
  const counts = [
    await take(db, `puerta:${ip}`, POR_DIRECCION),
    await take(db, `puerta:venta:${nameOf(ventas) ?? numOrden}`, POR_VENTA),
  ];
  const paid = Money.of(monto);
  const venta = ventas.find(({ ordenes }) => montosVistos(ordenes).some((visto) => visto.equals(paid)));
  if (!venta) throw new NotAllowed('Aviso', NO_COINCIDE);
  for (const count of counts) await count.giveBack();
  const { market, numOrden: suyo } = venta;
  return (
    await db
      .transaction()
      .execute((trx) => createEnlace(trx, { market, numOrden: suyo, origen: 'portada', usuarioId: null }))
  ).token;
}

/**
 * Sends the link to the messages of the sale, which only the buyer reads, once per sale. The caller learns nothing of the outcome. Throws
 * LimitReached after too many requests.
 */
export async function sendEnlaceToOwner(db: Db, { numOrden, ip }: Omit<Entrada, 'monto'>): Promise<void> {
  await take(db, `puerta:mensaje:${ip}`, MENSAJES_POR_DIRECCION);
  try {
    await sendEnlaceByMessage(db, { numero: numOrden, usuarioId: null });
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
  }
}

async function take(db: Db, key: string, limit: Limit): Promise<Taken> {
  const taken = await takeRate(db, key, limit);
  if (!taken.allowed) throw new LimitReached(DEMASIADOS, taken.retryAfterSeconds);
  return taken;
}

/** The name of a sale for its count: the number of a cart and that of an order in it share it. */
const nameOf = ([venta]: readonly Venta[]) => venta && `${venta.market}:${venta.numOrden}`;

/** Reads the sales of a number, with the same one query whether the number exists or not. */
async function findVentas(db: Db, numero: string): Promise<Venta[]> {
  const { rows } = await sql<{
    market: Market;
    numOrden: string;
    clase: Clase;
    pagadoAbs: Money;
    pagado: Money;
    datos: unknown;
  }>`
    select market, num_orden, clase, pagado_abs, pagado, datos
    from orden where (market, num_orden) in (select market, num_orden from orden where num_orden = ${numero}
      or market_id = ${numero})
    order by market, num_orden`.execute(db);
  const ventas = new Map<string, Venta>();
  for (const { market, numOrden, datos, ...orden } of rows) {
    const name = `${market}:${numOrden}`;
    const venta = ventas.get(name) ?? { market, numOrden, ordenes: [] };
    venta.ordenes.push({ ...orden, pagos: readDocumento(market, datos).pagos });
    ventas.set(name, venta);
  }
  return [...ventas.values()];
}
