import { z } from 'zod';

/** A stored record that fits the RFC typed. */
export const ClienteGuardado = z.object({
  id: z.string().nullable(),
  uid: z.string(),
  razonSocial: z.string(),
  cp: z.string(),
  regimen: z.string(),
  emails: z.array(z.string()),
  usoCfdi: z.string().nullable(),
});
export type ClienteGuardado = z.infer<typeof ClienteGuardado>;
