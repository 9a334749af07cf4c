import { z } from 'zod';
import { Id, Texto } from '~/core/fields';
import { MAX_ELEGIDAS } from './batch';

/** The choice that a list sends to the page of the question. */
export const PrepareBatch = z.object({
  lista: Texto(60),
  hacer: Texto(60),
  fila: z.array(Id).max(MAX_ELEGIDAS, `Se eligen hasta ${MAX_ELEGIDAS} una por una.`),
  /** The address of the list as filtered: the rows of `todos`, and the page to go back to. */
  consulta: z.string().max(2_000).default(''),
  /** The moment at which the list was opened; rows that came later are not among `todos`. */
  corte: z.uuid().optional(),
  todos: z.literal('1').optional(),
});

/** The things of a queue of 'Hoy' that are late by weeks, and what is to be done to all of them. */
export const PrepareAtrasadas = z.object({ cola: Texto(60), hacer: Texto(60) });

/** The prepared batch that a press is about. */
export const PreparedBatchId = z.object({ lote: Id });
