import { enqueueLiquidaciones, bringLiquidaciones } from '~/domain/cierre/conciliacion/bringLiquidaciones.server';
import { liquidacionesOf } from '~/domain/mercados/liquidaciones.server';
import { defineTask } from '../task.server';

export default defineTask('liquidacion.traer', async ({ market }, { db, signal }) => {
  if (market === undefined) return await enqueueLiquidaciones(db);
  const fuente = liquidacionesOf(market);
  if (fuente) await bringLiquidaciones(db, fuente, { signal });
});
