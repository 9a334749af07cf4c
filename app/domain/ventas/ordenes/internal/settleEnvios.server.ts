import { sql } from 'kysely';
import { z } from 'zod';
import { Money } from '~/core/money';
import { groupBy } from '~/core/groupBy';
import type { Trx } from '~db/client.server';
import { envioPagado, type PagoDeEnvio } from './pagado';

/** Payments of a shipment as `saveEnvios` keeps them. */
const Pagos = z.array(
  z
    .object({ situacion: z.enum(['aprobado', 'devuelto', 'sinEfecto']), importe: z.string() })
    .transform(({ situacion, importe }): PagoDeEnvio => ({ situacion, concepto: 'venta', envio: Money.of(importe) })),
);

/**
 * Writes the amount that the buyer paid for these shipments, once every sale and payment of them is written: the amount of the shipment, and the part
 * of it that one orden of a cart carries in its own paid amount. The caller holds the locks of the names that it wrote.
 */
export async function settleEnvios(trx: Trx, envioIds: readonly string[]): Promise<void> {
  if (envioIds.length === 0) return;
  const rows = await trx
    .selectFrom('orden')
    .innerJoin('envio', 'envio.id', 'orden.envioId')
    .select([
      'orden.id',
      'orden.marketId',
      'orden.clase',
      'orden.packId',
      'orden.envioEnPagos',
      'orden.envioAdicional',
      'orden.envioCarrito',
      'envio.id as envioId',
      'envio.cobrado',
      'envio.pagos',
    ])
    .where('envio.id', 'in', envioIds)
    .orderBy('orden.marketId')
    .execute();
  const envios: { id: string; cobrado: Money }[] = [];
  const ordenes: { id: string; carrito: Money }[] = [];
  for (const [id, suyas] of groupBy(rows, ({ envioId }) => envioId)) {
    const { pagos, cobrado: before } = suyas[0]!;
    const { cobrado, carrito, titular } = envioPagado(suyas, pagos === null ? null : Pagos.parse(pagos));
    if (cobrado && !(before && cobrado.equals(before))) envios.push({ id, cobrado });
    for (const orden of suyas) {
      const suyo = orden.marketId === titular ? carrito : Money.zero;
      if (!suyo.equals(orden.envioCarrito)) ordenes.push({ id: orden.id, carrito: suyo });
    }
  }
  if (envios.length > 0)
    await sql`update envio set cobrado = c.cobrado
      from unnest(${envios.map(({ id }) => id)}::uuid[], ${envios.map(({ cobrado }) => cobrado.toString())}::numeric[]) as c(id, cobrado) where envio.id = c.id`.execute(
      trx,
    );
  if (ordenes.length > 0)
    await sql`update orden set pagado_abs = pagado_abs - envio_carrito + c.carrito, envio_carrito = c.carrito, version = version + 1
      from unnest(${ordenes.map(({ id }) => id)}::uuid[], ${ordenes.map(({ carrito }) => carrito.toString())}::numeric[]) as c(id, carrito) where orden.id = c.id`.execute(
      trx,
    );
}
