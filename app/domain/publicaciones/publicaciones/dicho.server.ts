import { z } from 'zod';
import type { Db } from '~db/client.server';

const Dicho = z
  .object({
    subtitle: z.string().nullish().catch(null),
    start_time: z.string().nullish().catch(null),
    stop_time: z.string().nullish().catch(null),
    end_time: z.string().nullish().catch(null),
    descriptions: z.array(z.unknown()).nullish().catch(null),
  })
  .catch({});

/** Returns the parts of a listing that only its marketplace knows: subtitle, descriptions, begin and end. */
export function dichoOf(datos: unknown) {
  const { subtitle, start_time, stop_time, end_time, descriptions } = Dicho.parse(datos);
  return {
    subtitulo: subtitle ?? null,
    empieza: start_time ?? null,
    para: stop_time ?? null,
    termina: end_time ?? null,
    descripciones: (descriptions ?? []).flatMap((una) => (typeof una === 'string' ? [una] : [])),
  };
}

/** Reads the same of several listings, by their id. */
export async function dichosOf(db: Db, ids: readonly string[]): Promise<Map<string, ReturnType<typeof dichoOf>>> {
  if (ids.length === 0) return new Map();
  const filas = await db
    .selectFrom('publicacion')
    .select(['id', 'datos'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(filas.map(({ id, datos }) => [id, dichoOf(datos)]));
}
