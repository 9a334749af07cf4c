import { sql, type RawBuilder } from 'kysely';
import type { Db } from '~db/client.server';
import { INSTALACION } from './muestra';

/** Rows of before an upgrade that a job brings up to it, in lots of their own. What is left is in the rows themselves, so a run that was cut goes on there. */
type Acarreo = { tarea: string; nombre: string; quedan: RawBuilder<unknown> };

/** Every backfill, by the task that carries it; what is left is counted by an index of the rows that are left. */
export const ACARREOS: readonly Acarreo[] = [
  {
    tarea: 'libro.asentar',
    nombre: 'Libros de las ventas de antes',
    quedan: sql`select count(*) from libro_venta where comision is null`,
  },
  {
    tarea: 'impuestos.leer',
    nombre: 'Impuestos de las facturas de proveedores de antes',
    quedan: sql`select count(*) from proveedor_cfdi where metodo_pago is null`,
  },
];

/** Name of a backfill for people; an older version's samples may tell of one that is gone. */
export const nombreDeAcarreo = (tarea: string) => ACARREOS.find((one) => one.tarea === tarea)?.nombre ?? tarea;

/** What each backfill has left, as rows of `tarea` and `quedan`. */
export const QUEDAN = sql.join(
  ACARREOS.map(({ tarea, quedan }) => sql`select ${sql.lit(tarea)} as tarea, (${quedan})::float8 as quedan`),
  sql` union all `,
);

/** Minutes in which a backfill with rows left moves: its job begins each five or ten minutes where it was cut. */
export const QUIETO_MINUTES = 30;
/** Samples of so many minutes tell that nothing moved. One is kept each minute, and a deploy takes some of them. */
const DICHAS = 20;

/** A backfill with rows left, and whether it stands: nothing moved since `QUIETO_MINUTES`. Null: too few samples tell. */
type AcarreoAbierto = { tarea: string; quedan: number; quieto: boolean | null };

/** Lists the backfills that have rows left. */
export async function listAcarreosAbiertos(db: Db): Promise<AcarreoAbierto[]> {
  const { rows } = await sql<{ tarea: string; quedan: number }>`
    select tarea, quedan from (${QUEDAN}) q where quedan > 0 order by tarea`.execute(db);
  const abiertos: AcarreoAbierto[] = [];
  for (const { tarea, quedan } of rows) abiertos.push({ tarea, quedan, quieto: await isQuieto(db, tarea, quedan) });
  return abiertos;
}

async function isQuieto(db: Db, tarea: string, quedan: number): Promise<boolean | null> {
  const { rows } = await sql<{ dichas: number; completas: boolean; bajo: boolean }>`
    with dicho as (
      select en, (datos -> 'quedan' ->> ${tarea})::float8 as n from muestra
      where proceso = ${INSTALACION} and en > now() - make_interval(mins => ${QUIETO_MINUTES + 5}) and datos -> 'quedan' ? ${tarea}
      union all select now(), ${quedan}::float8),
    paso as (select en, n, lag(n) over (order by en) as antes from dicho)
    select count(*)::int as dichas, min(en) <= now() - make_interval(mins => ${QUIETO_MINUTES}) as completas,
      bool_or(n < antes or n = 0) as bajo from paso`.execute(db);
  const { dichas, completas, bajo } = rows[0]!;
  return bajo ? false : completas && dichas > DICHAS ? true : null;
}
