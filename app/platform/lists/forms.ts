import { z } from 'zod';
import { DENSIDADES } from '~/core/aspecto';
import { ANCHO } from '~/core/columnas';
import { Id, Lista, Mes, Texto, opcional } from '~/core/fields';

/** Address of the page that the form was sent from. */
const volver = Texto(4_000).default('');
const Clave = z.string().regex(/^[a-z0-9]{1,40}$/);
const Ancho = z.coerce.number().int().min(ANCHO.min, `Desde ${ANCHO.min}`).max(ANCHO.max, `Hasta ${ANCHO.max}`);

/** All columns of a list in their order. `mover` is the pressed button: one place up or down. */
export const ElegirColumnas = z.object({
  volver,
  columnas: Lista(z.object({ clave: Clave, ver: z.literal('on').optional(), ancho: opcional(Ancho) }), 40),
  mover: z
    .string()
    .regex(/^(subir|bajar)-[a-z0-9]{1,40}$/)
    .optional(),
});

/** The new width of one column. */
export const AncharColumna = z.object({ volver, clave: Clave, ancho: Ancho });

/** A press that puts the columns back to how everybody has them. */
export const RestablecerColumnas = z.object({ volver });

/** 'Deshacer' after columns were put back: how they were, and whether an address had asked for them. */
export const ReponerColumnas = z.object({
  volver,
  columnas: Texto(2_000),
  direccion: z.literal('1').optional(),
});

/** Address of the page whose state is kept. */
const pagina = Texto(4_000);
/** Roles by their names; the receiver of the form knows which of them may open the list. */
const Roles = Lista(Texto(10), 10);

/** A new view of what the page shows, or (with `id`) another name and other people for an existing view. */
export const GuardarVista = z.object({
  volver: pagina,
  id: opcional(Id),
  nombre: Texto(40, 'Escribe un nombre.'),
  densidad: z.enum(DENSIDADES).optional(),
  roles: Roles,
  iniciales: Roles,
});

/** The view that shows from now on what the page shows. */
export const ActualizarVista = z.object({ volver: pagina, id: Id });

/** The view to be taken away. */
export const EliminarVista = z.object({ volver: pagina, id: Id });

/** 'Deshacer' after a view was taken away. */
export const ReponerVista = z.object({ volver: pagina, id: Id });

const lista = Texto(60);

/** An export of a list as filtered. `search` may be longer than any address of a list that our screens write. */
export const PedirExportacion = z.object({ lista, search: Texto(2_000).default(''), volver });

/** The month whose expediente is prepared. */
export const PedirExpediente = z.object({ mes: Mes('Elige un mes.'), volver });

/** The export to be taken off its person's pages. */
export const QuitarExportacion = z.object({ id: Id, volver });

/** The list whose exports are asked for; absent for all of them. */
export const ExportacionesDe = z.object({ lista: lista.optional() });
