import { z } from 'zod';
import { Id, Lista, Texto } from '~/core/fields';

/** How long a token of the API may live, in days: the longest is a year, so that a forgotten one ends. */
export const VIDAS = ['7', '30', '90', '365'] as const;
export const VIDA_LABEL: Record<(typeof VIDAS)[number], string> = {
  7: '7 días',
  30: '30 días',
  90: '90 días',
  365: '1 año',
};

export const NewTokenApi = z.object({
  nombre: Texto(60, 'Escribe un nombre.'),
  vida: z.enum(VIDAS, 'Elige cuánto dura.'),
  alcances: Lista(Texto(60), 100).min(1, 'Elige al menos un permiso.'),
});
export type NewTokenApi = z.infer<typeof NewTokenApi>;

export const UnTokenApi = z.object({ token: Id });
