import { z } from 'zod';
import { Id } from '~/core/fields';

/** Whether what a catalogue that shrank did not list is gone. */
export const EncogidoForm = z.object({ id: Id, decision: z.enum(['marcar', 'dejar']) });
export type EncogidoForm = z.infer<typeof EncogidoForm>;
