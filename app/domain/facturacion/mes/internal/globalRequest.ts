import { z } from 'zod';
import { MARKETS } from '~/core/market';
import { NewCfdi } from '~/integrations/facturacom/nouns';

const Venta = z.object({
  market: z.enum(MARKETS),
  numOrden: z.string(),
  /** What of the sale's amount belongs to each of its ordenes. */
  ordenes: z.array(z.object({ id: z.string(), importe: z.string() })).min(1),
  /** How many concepts of the CFDI are this sale's: one per rate. */
  conceptos: z.number().int().min(1),
});

/** What is asked of the PAC for one global: the CFDI and the sales it covers. */
export const GlobalRequest = z.object({
  cfdi: NewCfdi,
  mes: z.string(),
  /** Counts the globals of a month from 1; one that was refused keeps its number when it is tried again. */
  numero: z.number().int().min(1),
  /** In the order of the concepts. */
  ventas: z.array(Venta).min(1),
});
export type GlobalRequest = z.infer<typeof GlobalRequest>;
