import { z } from 'zod';

/** How this account buys at a supplier; each adapter asks for what it wants. Empty where nobody said it. */
export const Compra = z
  .object({
    /** The warehouses it prefers, the first one first. */
    almacenes: z.array(z.string()).catch([]),
    /** Way of payment, carrier, use of the CFDI: in the supplier's own words. */
    opciones: z.record(z.string(), z.string()).catch({}),
    numeroCliente: z.string().nullable().catch(null),
    /** Who else gets its letters. */
    cc: z.array(z.string()).catch([]),
  })
  .catch({ almacenes: [], opciones: {}, numeroCliente: null, cc: [] });
export type Compra = z.output<typeof Compra>;
