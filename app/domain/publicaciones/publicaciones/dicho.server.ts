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

/**
 * Returns the parts of a listing that only its marketplace knows: subtitle, descriptions, begin and end. Without a description in the marketplace's
 * document, the text that was read apart stands for it, or the text with which it was published from here.
 */
export function dichoOf(datos: unknown, aparte: string | null) {
  const { subtitle, start_time, stop_time, end_time, descriptions } = Dicho.parse(datos);
  const textos = (descriptions ?? []).flatMap((una) => (typeof una === 'string' && una !== '' ? [una] : []));
  return {
    subtitulo: subtitle ?? null,
    empieza: start_time ?? null,
    para: stop_time ?? null,
    termina: end_time ?? null,
    descripciones: textos.length === 0 && aparte ? [aparte] : textos,
  };
}

/** Reads the same of several listings, by their id. */
export async function dichosOf(db: Db, ids: readonly string[]): Promise<Map<string, ReturnType<typeof dichoOf>>> {
  if (ids.length === 0) return new Map();
  const filas = await db
    .selectFrom('publicacion')
    .select(['id', 'datos', 'descripcion'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(filas.map(({ id, datos, descripcion }) => [id, dichoOf(datos, descripcion)]));
}
