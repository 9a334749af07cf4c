import { can } from '~/access/actions';
import { toWire } from '~/core/list';
import { destinatariosOfReclamo } from '~/domain/atencion/reclamos/mailReclamo.server';
import { readNegados } from '~/domain/operacion/negados.server';
import { openReclamo } from '~/domain/atencion/reclamos/reclamoAbierto.server';
import type { Usuario } from '~/core/usuario';
import { db } from '~db/shared.server';

/** Reads a claim for its panel; null when the id is unknown. */
export async function reclamoOf(id: string, _search: URLSearchParams, usuario: Usuario) {
  const reclamo = await openReclamo(db(), id);
  if (!reclamo) return null;
  const puede = can(usuario, 'reclamos.atender');
  return {
    ...toWire(reclamo),
    puede,
    correo: puede ? await destinatariosOfReclamo(db(), id) : [],
    negados: await readNegados(db(), [['reclamo', id]]),
  };
}

export type ReclamoAbierto = NonNullable<Awaited<ReturnType<typeof reclamoOf>>>;
