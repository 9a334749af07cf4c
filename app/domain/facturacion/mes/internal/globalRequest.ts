import { z } from 'zod';
import { MARKETS } from '~/core/market';
import { NewCfdi } from '~/integrations/facturacom/nouns';

const Venta = z.object({
  market: z.enum(MARKETS),
  numOrden: z.string(),
  /** The part of the sale's amount of each of its ordenes. */
  ordenes: z.array(z.object({ id: z.string(), importe: z.string() })).min(1),
  /** Number of the CFDI's concepts that are this sale's: one per rate. */
  conceptos: z.number().int().min(1),
});

/** The frozen request of one global: the CFDI and the sales it covers. */
export const GlobalRequest = z.object({
  cfdi: NewCfdi,
  mes: z.string(),
  /** Number of the global in its month, from 1. A refused one keeps its number when it is tried again. */
  numero: z.number().int().min(1),
  /** The sales of the global, in the order of the concepts. */
  ventas: z.array(Venta).min(1),
});
export type GlobalRequest = z.infer<typeof GlobalRequest>;
