import { z } from 'zod';

/** How this account buys at a supplier. Each adapter asks for the options it needs. Empty where nobody filled it in. */
export const Compra = z
  .object({
    /** Preferred warehouses, the first one first. */
    almacenes: z.array(z.string()).catch([]),
    /** Way of payment, carrier and use of the CFDI, in the supplier's own words. */
    opciones: z.record(z.string(), z.string()).catch({}),
    numeroCliente: z.string().nullable().catch(null),
    /** More addresses that get its letters. */
    cc: z.array(z.string()).catch([]),
  })
  .catch({ almacenes: [], opciones: {}, numeroCliente: null, cc: [] });
export type Compra = z.output<typeof Compra>;
