import { z } from 'zod';
import { DENSIDADES } from '~/core/aspecto';
import { ANCHO } from '~/core/columnas';
import { Id, Lista, Texto, opcional } from '~/core/fields';

/** The page it was chosen on. */
const volver = Texto(4_000).default('');
const Clave = z.string().regex(/^[a-z0-9]{1,40}$/);
const Ancho = z.coerce.number().int().min(ANCHO.min, `Desde ${ANCHO.min}`).max(ANCHO.max, `Hasta ${ANCHO.max}`);

/** All columns of a list in their order. `mover` is the button that was pressed: one place up or down. */
export const ElegirColumnas = z.object({
  volver,
  columnas: Lista(z.object({ clave: Clave, ver: z.literal('on').optional(), ancho: opcional(Ancho) }), 40),
  mover: z
    .string()
    .regex(/^(subir|bajar)-[a-z0-9]{1,40}$/)
    .optional(),
});

export const AncharColumna = z.object({ volver, clave: Clave, ancho: Ancho });

export const RestablecerColumnas = z.object({ volver });

/** What 'Deshacer' of columns that were put back to how everybody has them sends: how they were, and whether an address said so. */
export const ReponerColumnas = z.object({
  volver,
  columnas: Texto(2_000),
  direccion: z.literal('1').optional(),
});

/** Address of the page whose state is kept. */
const pagina = Texto(4_000);
/** Those that may open the list are told by who receives the form. */
const Roles = Lista(Texto(10), 10);

/** A new view of what the page shows, or another name and other people for one that there is. */
export const GuardarVista = z.object({
  volver: pagina,
  id: opcional(Id),
  nombre: Texto(40, 'Escribe un nombre.'),
  densidad: z.enum(DENSIDADES).optional(),
  roles: Roles,
  iniciales: Roles,
});

/** What the page shows now, under the name the view has. */
export const ActualizarVista = z.object({ volver: pagina, id: Id });

export const EliminarVista = z.object({ volver: pagina, id: Id });

/** What 'Deshacer' of a view that was taken away sends. */
export const ReponerVista = z.object({ volver: pagina, id: Id });

const lista = Texto(60);

/** Longer than any address of a list that a screen of ours writes. */
export const PedirExportacion = z.object({ lista, search: Texto(2_000).default(''), volver });

export const QuitarExportacion = z.object({ id: Id, volver });

export const ExportacionesDe = z.object({ lista: lista.optional() });
