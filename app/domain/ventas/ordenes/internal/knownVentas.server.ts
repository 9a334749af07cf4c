import { sql } from 'kysely';
import type { Market } from '~/core/market';
import type { VentaConocida } from '~/domain/mercados/venta';
import type { Db } from '~db/client.server';
import { isLastReview } from './ordenLeida';

/** Returns what we hold of these sales, for the adapter that reads them again. */
export async function knownVentas(
  db: Db,
  market: Market,
  marketIds: readonly string[],
): Promise<Map<string, VentaConocida>> {
  if (marketIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('orden')
    .leftJoin('envio', 'envio.id', 'orden.envioId')
    .leftJoin('compradorFiscal', (join) =>
      join
        .onRef('compradorFiscal.market', '=', 'orden.market')
        .onRef('compradorFiscal.billingInfoId', '=', 'orden.billingInfoId'),
    )
    .select([
      'orden.marketId',
      'orden.actualizadaEn',
      'orden.revisiones',
      'orden.retencion',
      'orden.cargosEn',
      'orden.liberacionEn',
      'orden.datos',
      'envio.marketId as envioMarketId',
      'envio.actualizadoEn as envioEn',
      'envio.costo',
      sql<boolean>`envio.pagos is not null`.as('envioPagos'),
      'compradorFiscal.billingInfoId as comprador',
    ])
    .where('orden.market', '=', market)
    .where('orden.marketId', 'in', marketIds)
    .execute();
  return new Map(
    rows.map((row) => [
      row.marketId,
      {
        version: row.actualizadaEn,
        retencion: row.retencion,
        cargosEn: row.cargosEn,
        liberacion: row.liberacionEn,
        envio:
          row.envioMarketId === null
            ? null
            : { marketId: row.envioMarketId, actualizadoEn: row.envioEn!, costo: row.costo, pagos: row.envioPagos },
        comprador: row.comprador !== null,
        ultima: isLastReview(row.revisiones),
        documento: row.datos,
      },
    ]),
  );
}

/** Returns the version of the listed row that announced each of these sales last. */
export async function knownVersions(
  db: Db,
  market: Market,
  marketIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('orden')
    .select(['marketId', 'cambioEn'])
    .where('market', '=', market)
    .where('marketId', 'in', marketIds)
    .execute();
  return new Map(rows.flatMap(({ marketId, cambioEn }) => (cambioEn ? [[marketId, cambioEn.getTime()]] : [])));
}
