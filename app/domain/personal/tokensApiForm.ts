import { z } from 'zod';
import { Id, Lista, Texto } from '~/core/fields';
import { VIDAS } from './vidasDeToken';

export const NewTokenApi = z.object({
  nombre: Texto(60, 'Escribe un nombre.'),
  vida: z.enum(VIDAS, 'Elige cuánto dura.'),
  alcances: Lista(Texto(60), 100).min(1, 'Elige al menos un permiso.'),
});
export type NewTokenApi = z.infer<typeof NewTokenApi>;

export const UnTokenApi = z.object({ token: Id });
