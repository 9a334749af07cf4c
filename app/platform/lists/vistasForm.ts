import { z } from 'zod';
import { DENSIDADES } from '~/core/aspecto';
import { Id, Lista, opcional, Texto } from '~/core/fields';

/** The page whose state is kept. */
const volver = Texto(4_000);
/** Those that may open the list are told by who receives the form. */
const Roles = Lista(Texto(10), 10);

/** A new view of what the page shows, or another name and other people for one that there is. */
export const GuardarVista = z.object({
  volver,
  id: opcional(Id),
  nombre: Texto(40, 'Escribe un nombre.'),
  densidad: z.enum(DENSIDADES).optional(),
  roles: Roles,
  iniciales: Roles,
});

/** What the page shows now, under the name the view has. */
export const ActualizarVista = z.object({ volver, id: Id });

export const EliminarVista = z.object({ volver, id: Id });

/** What 'Deshacer' of a view that was taken away sends. */
export const ReponerVista = z.object({ volver, id: Id });
