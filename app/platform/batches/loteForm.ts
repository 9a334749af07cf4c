import { z } from 'zod';
import { Id, Texto } from '~/core/fields';
import { MAX_ELEGIDAS } from './lote';

export const PrepararLote = z.object({
  lista: Texto(60),
  hacer: Texto(60),
  fila: z.array(Id).max(MAX_ELEGIDAS, `Se eligen hasta ${MAX_ELEGIDAS} una por una.`),
  /** The list as filtered: all of it when `todos`, and what is gone back to. */
  consulta: z.string().max(2_000).default(''),
  corte: z.uuid().optional(),
  todos: z.literal('1').optional(),
});
export const UnLote = z.object({ lote: Id });
