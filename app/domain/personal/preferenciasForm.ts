import { z } from 'zod';
import { APARIENCIAS, DENSIDADES } from '~/core/aspecto';
import { SiNo, Texto } from '~/core/fields';

/** The page it was chosen on. */
const volver = Texto(4_000).default('');

export const ElegirApariencia = z.object({ apariencia: z.enum(APARIENCIAS), volver });
export const ElegirDensidad = z.object({ densidad: z.enum(DENSIDADES), volver });
export const PlegarCajon = z.object({ plegado: SiNo, volver });
export const EnsancharPanel = z.object({
  panel: z.string().regex(/^[a-z0-9]{1,40}$/),
  ancho: SiNo,
  volver,
});
export const UsarTeclas = z.object({ teclas: SiNo, volver });
export const FijarPantalla = z.object({ pantalla: Texto(60), fijada: SiNo, volver });
export const PlegarGrupo = z.object({ grupo: Texto(40), plegado: SiNo, volver });
