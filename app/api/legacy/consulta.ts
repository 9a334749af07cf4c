import { z } from 'zod';
import { NotAllowed } from '~/core/errors';
import type { ListFilter } from '~/core/list';
import { readDay } from '~/core/time';
import type { Usuario } from '~/core/usuario';
import type { List } from '~/platform/lists/list.server';
import type { Db } from '~db/client.server';

/** JSON in a parameter, as the old client writes its questions. */
export const EnJson = z
  .string()
  .max(3_000)
  .transform((text, ctx): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      ctx.addIssue({ code: 'custom', message: 'La consulta no es JSON.' });
      return z.NEVER;
    }
  });

/** A day or an instant; `readEnd` and `readDay` read it. */
const Momento = z.string().refine((text) => readDay(text) !== null, 'La fecha no es válida.');
const Fechas = z.object({ $gte: Momento.optional(), $lte: Momento.optional() });

/** The question of a list: which page of it, in which order, and what of it. What it asks beside that is not looked at. */
export const Consulta = EnJson.pipe(
  z.object({
    page: z.number().int().min(1).max(10_000).default(1),
    limit: z.number().int().min(1).max(500).optional(),
    filtro: z.string().max(200).default(''),
    proveedor: z.string().max(40).optional(),
    market: z.union([z.string().max(10), z.array(z.string().max(10)).max(5)]).optional(),
    ordenar: z.record(z.string().max(40), z.union([z.literal(1), z.literal(-1)])).optional(),
    dateCreated: Fechas.optional(),
    search: z.object({ dateCreated: Fechas.optional() }).optional(),
  }),
);
export type Consulta = z.output<typeof Consulta>;

/** The sort of a list by a field of the old client. Throws NotAllowed for a field by which that list is not sorted. */
export function sortOf(
  campos: Readonly<Record<string, string>>,
  ordenar: Consulta['ordenar'],
  sinDecir: string,
): string {
  const [said] = Object.entries(ordenar ?? {});
  if (!said) return sinDecir;
  const [campo, sentido] = said;
  const sort = Object.hasOwn(campos, campo) ? campos[campo] : undefined;
  if (sort === undefined)
    throw new NotAllowed(
      'Error de carga.',
      `No se ordena por «${campo}» (ordenar): se ordena por ${Object.keys(campos).join(', ')}.`,
      { campo: 'ordenar' },
    );
  return sentido === -1 ? `-${sort}` : sort;
}

/** The rows of a page, and where it stands among the others. */
export const paginaOf = <S extends z.ZodType>(doc: S) =>
  z.object({
    docs: z.array(doc),
    totalDocs: z.int(),
    totalPages: z.int(),
    page: z.int(),
    limit: z.int(),
    pagingCounter: z.int().meta({ description: 'El lugar de la primera fila entre todas, desde 1.' }),
    prevPage: z.int().nullable(),
    nextPage: z.int().nullable(),
    hasPrevPage: z.boolean(),
    hasNextPage: z.boolean(),
  });

/** One page of a list by its number. The old client's screens know no other way to go through one. */
export async function pageOf<F extends ListFilter, Row, Totales>(
  db: Db,
  list: List<F, Row, Totales>,
  search: Record<string, string>,
  { page, limit }: { page: number; limit: number },
  usuario: Usuario,
) {
  const filtro = list.parse(new URLSearchParams(search), usuario);
  const { filas, registros } = await list.page(db, filtro, { limit, offset: (page - 1) * limit });
  const totalPages = Math.max(1, Math.ceil(registros / limit));
  return {
    filas,
    pagina: {
      totalDocs: registros,
      totalPages,
      page,
      limit,
      pagingCounter: (page - 1) * limit + 1,
      prevPage: page > 1 ? page - 1 : null,
      nextPage: page < totalPages ? page + 1 : null,
      hasPrevPage: page > 1,
      hasNextPage: page < totalPages,
    },
  };
}
