import { sql } from 'kysely';
import type { Db } from '~db/client.server';
import type { TipoDeGancho } from '~db/columns';
import { enqueue } from '~db/queue/catalog.server';

/** Reads a thing as the API tells it; undefined when the thing is gone. */
export type ReadCuerpo = (db: Db, tipo: TipoDeGancho, id: string) => Promise<unknown>;

const AT_ONCE = 100;
/** How long after its day a delivery is given up. */
const DEMORA = sql`interval '10 minutes'`;

/**
 * Writes the body of each new event once, and a delivery of it for each receiver that wants it. Each receiver then has a job of its own, so none
 * waits for another.
 */
export async function distribute(db: Db, read: ReadCuerpo): Promise<void> {
  while (await distributeSome(db, read));
}

async function distributeSome(db: Db, read: ReadCuerpo): Promise<boolean> {
  const eventos = await db
    .selectFrom('ganchoEvento')
    .select(['id', 'tipo', 'entidadId', 'ocurridoEn'])
    .where('repartidoEn', 'is', null)
    .orderBy('id')
    .limit(AT_ONCE)
    // A test is written with its delivery, so none waits here.
    .$narrowType<{ tipo: TipoDeGancho }>()
    .execute();
  if (eventos.length === 0) return false;
  const cuerpos: (string | null)[] = [];
  for (const { tipo, entidadId, ocurridoEn } of eventos) {
    const data = await read(db, tipo, entidadId);
    cuerpos.push(data === undefined ? null : JSON.stringify({ type: tipo, timestamp: ocurridoEn, data }));
  }
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ ganchoId: string }>`
      with hechos as (
        update gancho_evento e
        set cuerpo = c.cuerpo, repartido_en = clock_timestamp()
        from unnest(${eventos.map(({ id }) => id)}::uuid[], ${cuerpos}::text[]) c (id, cuerpo)
        where e.id = c.id and e.repartido_en is null
        returning e.id, e.tipo, e.cuerpo),
      entregas as (
        insert into gancho_entrega (gancho_id, evento_id)
        select g.id, h.id
        from hechos h
        join gancho g on h.tipo = any(g.tipos)
        where h.cuerpo is not null
        order by h.id
        returning gancho_id)
      select distinct gancho_id from entregas order by 1`.execute(trx);
    for (const { ganchoId } of rows) await enqueue(trx, 'ganchos.entregar', { ganchoId });
  });
  return eventos.length === AT_ONCE;
}

/**
 * Gives up deliveries whose day has passed, and queues the receivers with deliveries that are due: a stopped process delays them until this runs,
 * each minute.
 */
export async function sweepGanchos(db: Db): Promise<void> {
  await sql`
    update gancho_entrega
    set estado = 'muerta', terminada_en = now(), detalle = coalesce(detalle, 'Nadie contestó en 24 horas.')
    where estado = 'pendiente' and vence_en < now() - ${DEMORA}`.execute(db);
  const { rows } = await sql<{ ganchoId: string }>`
    select id as gancho_id
    from gancho g
    where (espera_hasta is null or espera_hasta <= now())
      and (tomado_hasta is null or tomado_hasta <= now())
      and exists (
        select from gancho_entrega e
        where e.gancho_id = g.id and e.estado = 'pendiente' and e.proximo_en <= now())`.execute(db);
  await db.transaction().execute(async (trx) => {
    for (const { ganchoId } of rows) await enqueue(trx, 'ganchos.entregar', { ganchoId });
  });
}
