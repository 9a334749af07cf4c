import { z } from 'zod';
import { ANCHO } from '~/core/columnas';
import { Lista, opcional, Texto } from '~/core/fields';

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
