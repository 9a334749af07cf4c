import { can } from '~/access/actions';
import { toWire } from '~/core/list';
import { openReclamo } from '~/domain/atencion/reclamoAbierto.server';
import type { Usuario } from '~/domain/cuentas/usuario';
import { db } from '~db/shared.server';

/** A claim as its panel shows it; null when there is none by that id. */
export async function reclamoDe(id: string, _search: URLSearchParams, usuario: Usuario) {
  const reclamo = await openReclamo(db(), id);
  return reclamo ? { ...toWire(reclamo), puede: can(usuario, 'reclamos.atender') } : null;
}

export type ReclamoAbierto = NonNullable<Awaited<ReturnType<typeof reclamoDe>>>;
