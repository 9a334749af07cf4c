import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Tramo } from '~/integrations/proveedores/cara';
import type { Db, Trx } from '~db/client.server';
import { guardarProductos } from './guardarProductos.server';

/** Hours between two reads of a whole catalogue, and after one that failed. */
const CADA_H = { completa: 6, fallida: 1 };
/** A read that could not end in a day says nothing any more of what it met first. */
const VIEJA_H = 24;
/** Longer than a stretch and its wait may take. */
const DUENO_MIN = 10;
/** Where fewer of what was listed came than this, the catalogue is not believed. */
const CREIBLE = 0.5;
/** Full reads in a row without a product until it counts as gone: where pages move while they are read, one may be missed. */
const AUSENCIAS = 2;
const EJEMPLOS = 5;

export type Lectura = { id: string; proveedor: string; dueno: string; sigue: string | null; tramos: number };

/** The read that is open, to go on with, or a new one when its time has come; null while somebody else has it or nothing is due. */
export async function tomarLectura(db: Db, proveedor: string): Promise<Lectura | null> {
  const dueno = randomUUID();
  return await db.transaction().execute(async (trx) => {
    await sql`update lectura_catalogo set termino_en = now(), error = 'Se interrumpió', dueno = null, dueno_hasta = null
      where proveedor = ${proveedor} and termino_en is null and empezo_en < now() - make_interval(hours => ${VIEJA_H})
        and coalesce(dueno_hasta, '-infinity') < now()`.execute(trx);
    await sql`insert into lectura_catalogo (proveedor) select ${proveedor} where not exists (
        select from lectura_catalogo where proveedor = ${proveedor}
          and (termino_en is null or empezo_en > now() - make_interval(hours => case when completa then ${CADA_H.completa}::int else ${CADA_H.fallida}::int end)))
      on conflict (proveedor) where termino_en is null do nothing`.execute(trx);
    const { rows } = await sql<Lectura>`
      update lectura_catalogo set dueno = ${dueno}, dueno_hasta = now() + make_interval(mins => ${DUENO_MIN}), error = null, espera_hasta = null
      where proveedor = ${proveedor} and termino_en is null and coalesce(dueno_hasta, '-infinity') < now() and coalesce(espera_hasta, '-infinity') <= now()
      returning id, proveedor, dueno, sigue, tramos`.execute(trx);
    return rows[0] ?? null;
  });
}

/** A stretch and where it leads, both or neither. False where somebody else has gone on with this read meanwhile. */
export async function guardarTramo(db: Db, lectura: Lectura, tramo: Tramo): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const held = await trx
      .updateTable('lecturaCatalogo')
      .set({ duenoHasta: sql<Date>`now() + make_interval(mins => ${DUENO_MIN})` })
      .where('id', '=', lectura.id)
      .where('dueno', '=', lectura.dueno)
      .where('tramos', '=', lectura.tramos)
      .executeTakeFirst();
    if (held.numUpdatedRows === 0n) return false;
    const ids = [...new Set(tramo.items.map(({ idProveedor }) => idProveedor))];
    const escritos = await guardarProductos(trx, lectura.proveedor, tramo.items);
    const nuevos = await sql`insert into catalogo_visto (lectura_id, id_proveedor)
      select ${lectura.id}::uuid, unnest(${ids}::text[]) on conflict do nothing`.execute(trx);
    await sql`update lectura_catalogo set sigue = ${tramo.sigue}, tramos = tramos + 1, vistos = vistos + ${Number(nuevos.numAffectedRows ?? 0n)},
      escritos = escritos + ${escritos}, ilegibles = ilegibles + ${tramo.ilegibles.length},
      ejemplos = (ejemplos || ${tramo.ilegibles.slice(0, EJEMPLOS)}::text[])[1:${sql.lit(EJEMPLOS)}] where id = ${lectura.id}`.execute(
      trx,
    );
    if (tramo.sigue === null) await terminarLectura(trx, lectura);
    return true;
  });
}

/** What was not met is counted as missing; what is missing once more is marked, and what came back is as before. */
async function terminarLectura(trx: Trx, { id, proveedor }: Lectura) {
  const { rows } = await sql<{ listados: number; vistos: number; ilegibles: number }>`
    select count(*)::int as listados, count(v.id_proveedor)::int as vistos, (select ilegibles from lectura_catalogo where id = ${id}) as ilegibles
    from producto p left join catalogo_visto v on v.lectura_id = ${id} and v.id_proveedor = p.id_proveedor
    where p.proveedor = ${proveedor} and p.ausente_desde is null`.execute(trx);
  const { listados, vistos, ilegibles } = rows[0]!;
  const duda =
    vistos < listados * CREIBLE
      ? `Llegaron ${vistos} de los ${listados} productos que había: no se marcó ninguno como ausente.`
      : ilegibles > 0
        ? `${ilegibles} renglones no se pudieron leer: no se marcó ningún producto como ausente.`
        : null;
  await sql`update producto p set ausencias = 0, ausente_desde = null from catalogo_visto v
    where v.lectura_id = ${id} and p.proveedor = ${proveedor} and p.id_proveedor = v.id_proveedor and p.ausencias > 0`.execute(
    trx,
  );
  const marcados = duda
    ? null
    : await sql<{ marcado: boolean }>`update producto p set ausencias = p.ausencias + 1,
        ausente_desde = case when p.ausencias + 1 >= ${AUSENCIAS} then now() end
      where p.proveedor = ${proveedor} and p.ausente_desde is null
        and not exists (select from catalogo_visto v where v.lectura_id = ${id} and v.id_proveedor = p.id_proveedor)
      returning p.ausente_desde is not null as marcado`.execute(trx);
  const ausentes = marcados?.rows.filter(({ marcado }) => marcado).length ?? 0;
  await sql`update lectura_catalogo set termino_en = now(), completa = ${vistos >= listados * CREIBLE}, error = ${duda}, ausentes = ${ausentes},
    dueno = null, dueno_hasta = null where id = ${id}`.execute(trx);
  await sql`delete from catalogo_visto where lectura_id = ${id}`.execute(trx);
}

/** Lets go of a read that did not get to its end. With `esperaMs` it stays open and goes on later where it was; without it, it ended. */
export async function soltarLectura(db: Db, { id, dueno }: Lectura, error: string | null, esperaMs: number | null) {
  await db
    .updateTable('lecturaCatalogo')
    .set({
      error,
      dueno: null,
      duenoHasta: null,
      ...(esperaMs === null
        ? { terminoEn: sql<Date>`now()` }
        : { esperaHasta: sql<Date>`now() + make_interval(secs => ${esperaMs / 1000})` }),
    })
    .where('id', '=', id)
    .where('dueno', '=', dueno)
    .execute();
}
