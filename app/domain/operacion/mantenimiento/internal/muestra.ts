import { z } from 'zod';

/** Name under which one process tells what all share. */
export const INSTALACION = 'instalacion';

const Numero = z.number().nullable().catch(null);
/** Numbers by name. Null: they could not be read. */
const PorNombre = z.record(z.string(), z.number()).nullable().catch(null);
export type PorNombre = Record<string, number> | null;

/** What a process tells of its last minute. */
export const MuestraDeProceso = z.object({
  tipo: z.enum(['web', 'worker']),
  construccion: z.string(),
  memoriaMb: Numero,
  atrasoP99Ms: Numero,
  atrasoMaxMs: Numero,
  /** Requests of a web by kind. */
  peticiones: z.record(z.string(), z.object({ duraciones: z.array(z.number()), fallas: z.number() })).optional(),
  /** What browsers measured of the pages of a web, by 'screen device vital': counts by class. */
  vitales: z.record(z.string(), z.array(z.number())).optional(),
  /** Tasks of a worker by lane. */
  carriles: z.record(z.string(), z.array(z.string())).optional(),
});
export type MuestraDeProceso = z.infer<typeof MuestraDeProceso>;

/** What all processes share, in a minute: jobs due and their age by task, writes that are open and their age by state, and how many far sides rest. */
export const MuestraDeTodos = z.object({
  vencidos: PorNombre,
  espera: PorNombre,
  efectos: PorNombre,
  edades: PorNombre,
  pausados: Numero,
  condiciones: Numero,
  /** Rows that each backfill has left. */
  quedan: PorNombre.optional(),
});
export type MuestraDeTodos = z.infer<typeof MuestraDeTodos>;
