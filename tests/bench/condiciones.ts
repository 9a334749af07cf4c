/** What the worker looks at each minute, over the years of orders. */
import { sql } from 'kysely';
import { CONDICIONES } from '~/domain/operacion/mantenimiento/internal/condicionCatalog.server';
import type { Db } from '~db/client.server';
import { measure, type Figure } from './figures';

/** A minute of the worker has some twenty of them, one after the other. */
const AIM_MS = 25;
/** Sales of the eight days that a promise is judged by: 100,000 a year. */
const SALES = 2_200;

class Enough extends Error {}

/** Each condition as it is asked each minute, and the promises with sales in each of the last eight days. `owner` moves those, and moves them back. */
export async function benchCondiciones(db: Db, owner: Db, rounds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { clave, mira } of CONDICIONES)
    figures.push({
      name: `condition ${clave}`,
      ...(await measure(() => mira(db), rounds)),
      unit: 'ms',
      aim: AIM_MS,
    });
  const promesa = CONDICIONES.find(({ clave }) => clave === 'promesa')!;
  await owner
    .transaction()
    .execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql`update orden set fecha_creacion = now() - lugar * interval '310 s', creada_en = now() - lugar * interval '310 s' + interval '2 min'
        from (select id, row_number() over (order by fecha_creacion desc) as lugar from orden order by fecha_creacion desc limit ${SALES}) ultimas
        where ultimas.id = orden.id`.execute(trx);
      figures.push({
        name: 'condition promesa, with sales each day',
        ...(await measure(() => promesa.mira(trx), rounds)),
        unit: 'ms',
        aim: AIM_MS,
        note: `${SALES} sales of eight days`,
      });
      throw new Enough();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Enough)) throw error;
    });
  return figures;
}
