import { sql } from 'kysely';
import { z } from 'zod';
import { NotAllowed } from '~/core/errors';
import type { Market } from '~/core/market';
import { CLASES_DE_CAMPO, type Categoria, type Formulario, type Publicador } from '~/domain/mercados/publicador';
import { MERCADOS } from '~/domain/mercados/mercados';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import type { Db, Trx } from '~db/client.server';

/** Patience of a page with a marketplace. */
const PACIENCIA_MS = 8_000;
const VIEJO = sql<Date>`now() - interval '1 day'`;

const Rama = z.object({ id: z.string(), nombre: z.string() });
const Guardado = z.object({
  campos: z.array(
    z.object({
      id: z.string(),
      nombre: z.string(),
      clase: z.enum(CLASES_DE_CAMPO),
      obligatorio: z.enum(['si', 'aVeces', 'no']),
      valores: z.array(Rama),
      unidades: z.array(z.string()),
      unidad: z.string().nullable(),
      maximo: z.number().nullable(),
      ayuda: z.string().nullable(),
    }),
  ),
  sinSoporte: z.array(z.object({ nombre: z.string(), porque: z.string() })),
  maxTitulo: z.number(),
  maxImagenes: z.number(),
  pide: z
    .object({ titulo: z.boolean(), descripcion: z.boolean(), garantia: z.boolean() })
    .default({ titulo: true, descripcion: true, garantia: true }),
});

/** Opens publishing at a marketplace for a person who waits. Throws an Error where nothing is published from here, which is a mistake of the program. */
export function publicadorOf(db: Db, market: Market): Publicador {
  const { publicador } = fuenteOf(market);
  if (!publicador) throw new Error(`en ${market} no se publica desde aquí`);
  return publicador.open(db, { timeoutMs: PACIENCIA_MS });
}

/** Why a marketplace gave no answer, in words. `cuenta`: our account there has to be linked, or linked again, before it can. */
export type SinRespuesta = { falla: string; cuenta: boolean };

/** Asks a marketplace, and returns the answer or why there is none. A programming error flies. */
export async function oFalla<T>(market: Market, work: () => Promise<T>): Promise<{ valor: T } | SinRespuesta> {
  try {
    return { valor: await work() };
  } catch (error) {
    if (error instanceof Unavailable || error instanceof Refused || error instanceof UnexpectedShape)
      return {
        falla: `${MERCADOS[market].label} no contestó: ${error.message}.`,
        cuenta: error instanceof Unavailable && error.details.account === true,
      };
    throw error;
  }
}

/** Asks a marketplace, and returns the answer. Throws NotAllowed under `titulo`, with the reason and that nothing was done, when there is none. */
export async function oRechazo<T>(market: Market, titulo: string, work: () => Promise<T>): Promise<T> {
  const answer = await oFalla(market, work);
  if ('falla' in answer) throw new NotAllowed(titulo, `${answer.falla} No se hizo nada: vuelve a intentarlo.`);
  return answer.valor;
}

/** Reads the form of a category as it was read last; null when it never was. */
export async function formularioGuardado(
  db: Db | Trx,
  market: Market,
  categoriaId: string,
): Promise<Formulario | null> {
  const kept = await db
    .selectFrom('categoriaFormulario')
    .select('formulario')
    .where('market', '=', market)
    .where('categoriaId', '=', categoriaId)
    .executeTakeFirst();
  return Guardado.safeParse(kept?.formulario).data ?? null;
}

/**
 * Reads the form of a category, and asks the marketplace again, and writes its answer, after a day. The old form holds while the marketplace does not
 * answer; without one, its failure is thrown.
 */
export async function readFormulario(
  db: Db,
  market: Market,
  categoriaId: string,
  publicador = publicadorOf(db, market),
): Promise<Formulario> {
  const kept = await db
    .selectFrom('categoriaFormulario')
    .select(['formulario', sql<boolean>`leido_en > ${VIEJO}`.as('fresco')])
    .where('market', '=', market)
    .where('categoriaId', '=', categoriaId)
    .executeTakeFirst();
  const known = kept && Guardado.safeParse(kept.formulario).data;
  if (known && kept.fresco) return known;
  try {
    const formulario = await publicador.formulario(categoriaId);
    await db
      .insertInto('categoriaFormulario')
      .values({ market, categoriaId, formulario: JSON.stringify(formulario) })
      .onConflict((conflict) =>
        conflict.columns(['market', 'categoriaId']).doUpdateSet((eb) => ({
          formulario: eb.ref('excluded.formulario'),
          leidoEn: sql<Date>`now()`,
        })),
      )
      .execute();
    return formulario;
  } catch (error) {
    if (known && (error instanceof Unavailable || error instanceof UnexpectedShape)) return known;
    throw error;
  }
}

/** Reads a category with its path, and remembers the path for the lists that show it; null when there is none. */
export async function readCategoria(
  db: Db,
  market: Market,
  id: string,
  publicador = publicadorOf(db, market),
): Promise<Categoria | null> {
  const categoria = await publicador.categoria(id);
  if (categoria)
    await db
      .insertInto('categoria')
      .values({
        market,
        categoriaId: categoria.id,
        nombre: categoria.nombre,
        ruta: categoria.ruta.map(({ nombre }) => nombre),
        rutaIds: categoria.ruta.map((rama) => rama.id),
      })
      .onConflict((conflict) =>
        conflict.columns(['market', 'categoriaId']).doUpdateSet((eb) => ({
          nombre: eb.ref('excluded.nombre'),
          ruta: eb.ref('excluded.ruta'),
          rutaIds: eb.ref('excluded.rutaIds'),
          leidaEn: sql<Date>`now()`,
        })),
      )
      .execute();
  return categoria;
}

/** Categories that one run asks the name of. */
const NOMBRES_POR_VEZ = 20;

/**
 * Names the categories of listings that nobody opened yet, a few at a time, so that lists show names and no codes. A category that its marketplace does
 * not know keeps its code for a name. A marketplace that does not answer is asked by the next run.
 */
export async function nameCategorias(db: Db, market: Market): Promise<number> {
  if (!fuenteOf(market).publicador) return 0;
  const sinNombre = await db
    .selectFrom('publicacion')
    .leftJoin('categoria', (join) =>
      join
        .onRef('categoria.market', '=', 'publicacion.market')
        .onRef('categoria.categoriaId', '=', 'publicacion.categoriaId'),
    )
    .select('publicacion.categoriaId as id')
    .distinct()
    .where('publicacion.market', '=', market)
    .where('publicacion.categoriaId', 'is not', null)
    .where('categoria.categoriaId', 'is', null)
    .limit(NOMBRES_POR_VEZ)
    .execute();
  let named = 0;
  for (const { id } of sinNombre) {
    const answer = await oFalla(market, () => readCategoria(db, market, id!));
    if ('falla' in answer) return named;
    if (answer.valor?.id !== id)
      await db
        .insertInto('categoria')
        .values({ market, categoriaId: id!, nombre: id!, ruta: [id!], rutaIds: [id!] })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    named += 1;
  }
  return named;
}

export type Eleccion = {
  q: string;
  /** Suggestions, with their path. */
  sugeridas: Categoria[];
  nodo: Categoria | null;
  raices: { id: string; nombre: string }[];
  /** Why nothing was suggested; the tree may be there all the same. */
  falla: string | null;
  /** Nothing was suggested because of our account there. */
  cuenta: boolean;
  /** Why there is no tree. */
  fallaArbol: string | null;
};

/** Reads the picker of categories: the suggestions for a text, and a branch of the tree. Each serves without the other. */
export async function readEleccion(
  db: Db,
  market: Market,
  { q, nodo, codigos = [] }: { q: string; nodo: string | null; codigos?: readonly string[] },
): Promise<Eleccion> {
  const publicador = publicadorOf(db, market);
  const [sugeridas, rama, raices] = await Promise.all([
    oFalla(market, () => sugeridasCon(db, market, publicador, q, codigos)),
    oFalla(market, async () => (nodo === null ? null : readCategoria(db, market, nodo, publicador))),
    oFalla(market, async () => (nodo === null ? publicador.raices() : [])),
  ]);
  return {
    q,
    sugeridas: 'valor' in sugeridas ? sugeridas.valor : [],
    nodo: 'valor' in rama ? rama.valor : null,
    raices: 'valor' in raices ? raices.valor : [],
    falla: 'falla' in sugeridas ? sugeridas.falla : null,
    cuenta: 'falla' in sugeridas && sugeridas.cuenta,
    fallaArbol: 'falla' in rama ? rama.falla : 'falla' in raices ? raices.falla : null,
  };
}

/** Returns suggestions with their path, or without it where the path does not come: a choice is checked again anyway. */
async function sugeridasCon(
  db: Db,
  market: Market,
  publicador: Publicador,
  q: string,
  codigos: readonly string[],
): Promise<Categoria[]> {
  const sugeridas = q === '' ? [] : await publicador.sugerir(q, codigos);
  const conRuta = await Promise.all(
    sugeridas.map(async (rama) => {
      const leida = await oFalla(market, () => readCategoria(db, market, rama.id, publicador));
      const una = 'valor' in leida ? leida.valor : { ...rama, ruta: [rama], hijas: [], publicable: true };
      return una && { ...una, ...(rama.parecida && { parecida: rama.parecida }) };
    }),
  );
  return conRuta.filter((one) => one !== null);
}
