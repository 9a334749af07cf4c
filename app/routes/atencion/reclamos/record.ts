import { can } from '~/access/actions';
import { toWire } from '~/core/list';
import { destinatariosOfReclamo } from '~/domain/atencion/reclamos/mailReclamo.server';
import { readRetrato } from '~/domain/compras/catalogo/fotos.server';
import { readNegados } from '~/domain/operacion/negados.server';
import { mayDo } from '~/domain/atencion/reclamos/reclamo';
import { fetchMotivosDeObjecion, openReclamo } from '~/domain/atencion/reclamos/reclamoAbierto.server';
import type { Usuario } from '~/core/usuario';
import { db } from '~db/shared.server';

/** Reads a claim for its panel; null when the id is unknown. */
export async function reclamoOf(id: string, search: URLSearchParams, usuario: Usuario) {
  const reclamo = await openReclamo(db(), id);
  if (!reclamo) return null;
  const puede = can(usuario, 'reclamos.atender');
  const objeta = puede && search.get('editar') === 'objetar' && mayDo(reclamo.acciones, 'return_review_fail');
  return {
    ...toWire(reclamo),
    alLado: { foto: await readRetrato(db(), reclamo.productoId) },
    puede,
    /** Null until the form of the objection is opened. */
    objecion: objeta ? await fetchMotivosDeObjecion(db(), reclamo) : null,
    correo: puede ? await destinatariosOfReclamo(db(), id) : [],
    negados: await readNegados(db(), [['reclamo', id]]),
  };
}

export type ReclamoAbierto = NonNullable<Awaited<ReturnType<typeof reclamoOf>>>;
