import { record } from '~/platform/bitacora.server';
import type { Trx } from '~db/client.server';
import type { EstadoDeStock } from './estado';

/** One state a place earlier, wherever people choose from them. The first one stays where it is. */
export async function advanceEstado(trx: Trx, estado: EstadoDeStock, usuarioId: string): Promise<void> {
  const estados = await trx
    .selectFrom('stockEstado')
    .select('value')
    .orderBy('posicion')
    .orderBy('value')
    .forUpdate()
    .execute();
  const orden = estados.map(({ value }) => value);
  const at = orden.indexOf(estado);
  if (at < 1) return;
  [orden[at - 1], orden[at]] = [orden[at]!, orden[at - 1]!];
  for (const [posicion, value] of orden.entries())
    await trx
      .updateTable('stockEstado')
      .set({ posicion: posicion + 1 })
      .where('value', '=', value)
      .execute();
  await record(trx, {
    usuarioId,
    entidad: 'stockEstado',
    entidadId: estado,
    accion: 'ordenar estatus',
    datos: { orden: orden.join(', ') },
  });
}
