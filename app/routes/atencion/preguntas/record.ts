import { can } from '~/access/actions';
import { screensOf } from '~/access/screens';
import { toWire } from '~/core/list';
import { readRetrato } from '~/domain/compras/catalogo/fotos.server';
import { openPregunta } from '~/domain/atencion/preguntas/preguntaAbierta.server';
import type { Usuario } from '~/core/usuario';
import { db } from '~db/shared.server';

const read = (todas: boolean) => async (id: string, search: URLSearchParams, usuario: Usuario) => {
  // `editar` names the question whose buyer is looked at.
  const editar = search.get('editar');
  // `sola` asks for this question without the others of its listing.
  const abierta = await openPregunta(db(), id, { todas: todas && !search.has('sola'), cliente: editar });
  return (
    abierta && {
      ...toWire(abierta),
      alLado: { ...toWire(abierta.alLado), foto: await readRetrato(db(), abierta.producto?.id ?? null) },
      editar,
      puede: can(usuario, 'preguntas.responder'),
      puedeVerProducto: screensOf(usuario.rol).some(([key]) => key === 'productos'),
      puedeVerPublicacion: screensOf(usuario.rol).some(([key]) => key === 'publicaciones'),
    }
  );
};

/** Reads one pregunta with all preguntas that wait on its listing; null when the id is unknown. */
export const questionOf = async (...asked: Parameters<ReturnType<typeof read>>) =>
  (await read(false)(...asked)) ?? null;
export const preguntasOfPublicacion = async (...asked: Parameters<ReturnType<typeof read>>) =>
  (await read(true)(...asked)) ?? null;

export type PreguntaAbierta = NonNullable<Awaited<ReturnType<typeof questionOf>>>;
