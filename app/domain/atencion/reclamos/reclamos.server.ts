import { sql } from 'kysely';
import type { Market } from '~/core/market';
import type { Atencion, ReclamoLeido } from '~/domain/mercados/atencion';
import type { Db, Trx } from '~db/client.server';

/**
 * Writes a claim as it was read at `leidoEn`. Parts that could not be read stay as we held them. A claim that another process read later is left alone.
 * The version moves with the fields that people decide by.
 */
export async function saveReclamo(db: Db | Trx, market: Market, leido: ReclamoLeido, leidoEn: Date): Promise<void> {
  const json = (value: unknown) => JSON.stringify(value);
  const { marketId, mensajes, devoluciones, cambios, costoDevolucion, ofertas } = leido;
  await db
    .insertInto('reclamo')
    .values({
      market,
      marketId,
      ordenMarketId: leido.ordenMarketId,
      recurso: leido.recurso,
      recursoId: leido.recursoId,
      estatus: leido.estatus,
      tipo: leido.tipo,
      etapa: leido.etapa,
      motivo: leido.motivo,
      titulo: leido.titulo,
      problema: leido.problema,
      responsable: leido.responsable,
      venceEn: leido.venceEn,
      parcial: leido.parcial,
      jugadores: json(leido.jugadores),
      acciones: json(leido.acciones),
      resolucion: leido.resolucion && json(leido.resolucion),
      mensajes: json(mensajes ?? []),
      devoluciones: json(devoluciones ?? []),
      cambios: json(cambios ?? []),
      costoDevolucion: costoDevolucion ?? null,
      ofertas: json(ofertas ?? []),
      sinLeer: leido.sinLeer,
      fecha: leido.fecha,
      actualizadoEn: leido.actualizadoEn,
      leidoEn,
      datos: json(leido.documento),
    })
    .onConflict((on) =>
      on
        .columns(['market', 'marketId'])
        .doUpdateSet({
          ordenMarketId: sql`coalesce(excluded.orden_market_id, reclamo.orden_market_id)`,
          estatus: sql`excluded.estatus`,
          tipo: sql`excluded.tipo`,
          etapa: sql`excluded.etapa`,
          motivo: sql`excluded.motivo`,
          titulo: sql`coalesce(excluded.titulo, reclamo.titulo)`,
          problema: sql`coalesce(excluded.problema, reclamo.problema)`,
          responsable: sql`coalesce(excluded.responsable, reclamo.responsable)`,
          venceEn: sql`excluded.vence_en`,
          parcial: sql`excluded.parcial`,
          jugadores: sql`excluded.jugadores`,
          acciones: sql`excluded.acciones`,
          resolucion: sql`excluded.resolucion`,
          ...(mensajes && { mensajes: sql`excluded.mensajes` }),
          ...(devoluciones && { devoluciones: sql`excluded.devoluciones` }),
          ...(cambios && { cambios: sql`excluded.cambios` }),
          ...(costoDevolucion !== undefined && { costoDevolucion: sql`excluded.costo_devolucion` }),
          ...(ofertas && { ofertas: sql`excluded.ofertas` }),
          sinLeer: sql`excluded.sin_leer`,
          actualizadoEn: sql`excluded.actualizado_en`,
          leidoEn: sql`excluded.leido_en`,
          datos: sql`excluded.datos`,
          version: sql`reclamo.version + (case when (reclamo.estatus, reclamo.etapa, reclamo.acciones, reclamo.ofertas) is distinct from
            (excluded.estatus, excluded.etapa, excluded.acciones, ${ofertas ? sql`excluded.ofertas` : sql`reclamo.ofertas`}) then 1 else 0 end)`,
        })
        .where(
          sql<boolean>`excluded.leido_en >= reclamo.leido_en and excluded.actualizado_en >= reclamo.actualizado_en`,
        ),
    )
    .execute();
}

/** Reads one claim and writes it. */
export async function bringReclamo(db: Db, market: Market, atencion: Atencion, marketId: string): Promise<void> {
  const leidoEn = new Date();
  await saveReclamo(db, market, await atencion.readReclamo(marketId), leidoEn);
}

/** Returns the instant of the last change of each of these claims, for those that were read whole. */
export async function versionesOf(db: Db, market: Market, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('reclamo')
    .select(['marketId', 'actualizadoEn'])
    .where('market', '=', market)
    .where('marketId', 'in', ids)
    .where(sql<boolean>`sin_leer = '{}'`)
    .execute();
  return new Map(rows.map(({ marketId, actualizadoEn }) => [marketId, actualizadoEn.getTime()]));
}

/** Returns a claim as it was read last; undefined when no claim has that id. */
export function readReclamo(db: Db, id: string) {
  return db
    .selectFrom('reclamo')
    .where('id', '=', id)
    .select(['id', 'market', 'marketId', 'ordenMarketId', 'estatus', 'tipo', 'etapa', 'titulo', 'problema'])
    .select(['responsable', 'venceEn', 'fecha', 'actualizadoEn', 'version'])
    .executeTakeFirst();
}
