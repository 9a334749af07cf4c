import { can } from '~/access/actions';
import { toWire } from '~/core/list';
import { readConciliada, readDeposito } from '~/domain/cierre/conciliacion/conciliacion.server';
import { busquedaOf } from '~/domain/cierre/conciliacion/suelto';
import { readSuelto } from '~/domain/cierre/conciliacion/sueltos.server';
import type { Usuario } from '~/core/usuario';
import { db } from '~db/shared.server';

/** Reads a deposit for its panel; null when the id is unknown. */
export async function depositoOf(id: string, _search: URLSearchParams, usuario: Usuario) {
  const deposito = await readDeposito(db(), id);
  return deposito && { ...toWire(deposito), puede: can(usuario, 'conciliacion.anotar') };
}

/** Reads a settled sale for its panel; null when the id is unknown. */
export async function conciliadaOf(id: string, _search: URLSearchParams, usuario: Usuario) {
  const venta = await readConciliada(db(), id);
  return venta && { ...toWire(venta), id: venta.ordenId, puede: can(usuario, 'conciliacion.anotar') };
}

/** Reads a loose amount for its panel; null when the id is unknown, or its lines found their sale. */
export async function sueltoOf(id: string, _search: URLSearchParams, usuario: Usuario) {
  const suelto = await readSuelto(db(), id);
  return suelto && { ...toWire(suelto), busqueda: busquedaOf(suelto), puede: can(usuario, 'conciliacion.anotar') };
}

export type SueltoAbierto = NonNullable<Awaited<ReturnType<typeof sueltoOf>>>;
export type DepositoAbierto = NonNullable<Awaited<ReturnType<typeof depositoOf>>>;
export type ConciliadaAbierta = NonNullable<Awaited<ReturnType<typeof conciliadaOf>>>;
