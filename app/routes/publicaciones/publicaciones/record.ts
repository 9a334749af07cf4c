import { can } from '~/access/actions';
import { toWire } from '~/core/list';
import type { Usuario } from '~/core/usuario';
import { readRetrato } from '~/domain/compras/catalogo/fotos.server';
import { readCompetencia } from '~/domain/publicaciones/publicaciones/competencia.server';
import { readPromociones } from '~/domain/publicaciones/publicaciones/promociones.server';
import { readDatosOfPublicacion, readPublicacion } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import { db } from '~db/shared.server';

/** The parts of the panel that `?editar=` opens. */
const PARTES = ['1', 'datos'] as const;

/** Reads a listing for its panel, within the rights of the person; null when the id is unknown. */
export async function publicacionOf(id: string, search: URLSearchParams, usuario: Usuario) {
  const publicacion = await readPublicacion(db(), id);
  if (!publicacion) return null;
  const puede = { editar: can(usuario, 'publicaciones.editar'), leer: can(usuario, 'publicaciones.leer') };
  const editar = PARTES.find((parte) => parte === search.get('editar')) ?? null;
  return {
    ...toWire(publicacion),
    alLado: { foto: await readRetrato(db(), publicacion.productoId) },
    competencia: toWire(await readCompetencia(db(), publicacion)),
    promociones: toWire(await readPromociones(db(), publicacion)),
    editar: editar === '1' && !puede.editar ? null : editar,
    datos: editar === 'datos' ? JSON.stringify(await readDatosOfPublicacion(db(), id), null, 2) : null,
    puede,
  };
}

export type PublicacionAbierta = NonNullable<Awaited<ReturnType<typeof publicacionOf>>>;
