import { sql } from 'kysely';
import type { Db } from '~db/client.server';
import { lockPedido, movePedido } from './movePedido.server';
import { isTerminada, nadaQuePedir, TERMINADA, YA_SALIO, type EnvioDeVenta, type VentaParaPedir } from './venta.server';

/** Drafts of one run. The rest wait for the next run. */
const POR_VEZ = 50;

type Comprada = VentaParaPedir & Pick<EnvioDeVenta, 'tipoLogistico'> & { estatusEnvio: string | null };

/**
 * Ends the drafts that nobody can buy any more, with the reason: each of their ordenes was cancelled or came back, has left, or leaves from the
 * marketplace's warehouse. A draft with one orden that may still be bought stays, since only that draft keeps it before people's eyes.
 */
export async function endUselessDrafts(db: Db): Promise<void> {
  const drafts = await db
    .selectFrom('pedido')
    .select('id')
    .where('estado', '=', 'borrador')
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom('pedidoLinea')
            .innerJoin('orden', 'orden.id', 'pedidoLinea.ordenId')
            .leftJoin('envio', 'envio.id', 'orden.envioId')
            .select(sql`1`.as('one'))
            .whereRef('pedidoLinea.pedidoId', '=', 'pedido.id')
            .where('orden.clase', 'not in', ['cancelada', 'devuelta'])
            .where('orden.estatus', '<>', 'cancelado')
            .where('orden.situacion', '<>', 'cancelada')
            .where(sql<boolean>`envio.tipo_logistico is distinct from 'fulfillment'
              and coalesce(envio.estatus, '') <> all(${[...YA_SALIO]})`),
        ),
      ),
    )
    .orderBy('id')
    .limit(POR_VEZ)
    .execute();
  for (const { id } of drafts) await endIfUseless(db, id);
}

async function endIfUseless(db: Db, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Another person or run was faster.
    if ((await lockPedido(trx, id))?.estado !== 'borrador') return;
    const ordenes: Comprada[] = await trx
      .selectFrom('orden')
      .leftJoin('envio', 'envio.id', 'orden.envioId')
      .select(['clase', 'orden.estatus', 'situacion', 'envio.estatus as estatusEnvio', 'tipoLogistico'])
      .where('orden.id', 'in', (lineas) =>
        lineas.selectFrom('pedidoLinea').select('ordenId').where('pedidoId', '=', id),
      )
      .execute();
    const porques = ordenes.map(uselessBecause);
    if (porques.length === 0 || porques.includes(null)) return;
    await movePedido(trx, id, 'cancelado', { detalle: porques[0]!, set: { descartadoEn: sql<Date>`now()` } });
  });
}

const uselessBecause = ({ estatusEnvio, tipoLogistico, ...venta }: Comprada): string | null =>
  isTerminada(venta)
    ? TERMINADA
    : estatusEnvio === null
      ? null
      : nadaQuePedir({ estatus: estatusEnvio, tipoLogistico });
