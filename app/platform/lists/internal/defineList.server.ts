import { sql, type RawBuilder } from 'kysely';
import type { Db, Trx } from '~db/client.server';
import type { Rol } from '~db/columns';
import type { DB } from '~db/types';
import { identificadorOf } from '~/core/identificador';
import {
  hasRango,
  isTodasLasFechas,
  MUCHOS,
  readOrden,
  allDatesAs,
  WINDOW,
  type Direction,
  type ListFilter,
} from '~/core/list';
import { TODAS } from '~/core/periodo';
import { camposOf, vistaFija } from '../vistas.server';
import { chipsOf, CUALES } from './chips';
import { contains } from './contains.server';
import { createLineas, type Linea } from './lineas.server';
import type { Chosen, ConLado, Found, List, Paso, Question, WindowAddress } from './question.server';

/** Most matches that PostgreSQL is made to find by the search index first; with more, a walk of the sort's index meets 100 of them at once. */
const FEW = 2_000;
/**
 * Rows of a list without dates that are looked at in its order before the search index is asked: common words are met by then, and the others are
 * rare.
 */
const SE_MIRAN = 5_000;
/** Rows that a cursor brings at once. */
const BATCH = 500;
const REVERSE = { asc: 'desc', desc: 'asc' } as const satisfies Record<Direction, Direction>;

const idsIn = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

/** Defines a list by its question; every read of it follows from that. Declared with its noun, and listed in `lists.server.ts` of operacion. */
export function defineList<
  F extends ListFilter,
  TB extends keyof DB,
  TBR extends keyof DB,
  Leida,
  Totales,
  Row = Leida,
  Lado = never,
>(question: Question<F, TB, TBR, Leida, Totales, Row, Lado>): List<F, Row, Totales, Lado> {
  const { lista, titulo, filtro: schema, excel } = question;
  const id = sql.ref<string>(question.id);
  const parse = (search: URLSearchParams, quien?: { rol?: Rol }): F => {
    const filtro = schema.parse({ ...Object.fromEntries(search), deRol: quien?.rol });
    const word = search.get(CUALES) ?? '';
    if (!question.cuales || !Object.hasOwn(question.cuales, word)) return filtro;
    const ofAllDates = question.cuales[word]!.rango === TODAS && search.get('rango') === TODAS;
    return {
      ...filtro,
      ...(ofAllDates && hasRango(filtro) && { ...allDatesAs(filtro), rango: TODAS }),
      [CUALES]: word,
    };
  };
  const cualDe = (filtro: F) => question.cuales?.[(filtro as { [CUALES]?: string })[CUALES] ?? ''];
  const fijas = Object.entries(question.cuales ?? {}).map(([word, { nombre, rango }]) =>
    vistaFija(word, nombre, { [CUALES]: word, ...(rango && { rango }) }),
  );
  const sortOf = (filtro: F) => {
    const { key, direction } = readOrden(filtro.orden);
    const by = question.sorts[key];
    if (!by) throw new Error(`the list ${lista} has no sort ${key}`);
    return { by, direction };
  };

  /**
   * Returns the identifier that the search may be. Most kinds are nothing else; a folio (`exists`) counts where something has it, and is a word where
   * nothing does.
   */
  function candidate({ q }: F): (Found & { exists: RawBuilder<boolean> | null }) | null {
    const entero = question.enteros && identificadorOf(q);
    const ids = entero ? question.enteros!(entero) : undefined;
    if (!entero || !ids) return null;
    const doubtful = entero.clase === 'documento' || entero.clase === 'folio';
    return { entero, ids, exists: doubtful ? sql<boolean>`exists (select from (${ids}) found)` : null };
  }

  async function findEntero(db: Db | Trx, filtro: F): Promise<Found | null> {
    const found = candidate(filtro);
    if (!found?.exists) return found;
    const { rows } = await sql<{ exists: boolean }>`select ${found.exists} as exists`.execute(db);
    return rows[0]!.exists ? found : null;
  }

  /** Returns the begin of a list that is opened now: the id after which rows are born too late for it, and the identifier that was typed whole. */
  async function begin(db: Db, filtro: F): Promise<{ corte: string; found: Found | null }> {
    const found = candidate(filtro);
    const { rows } = await sql<{ corte: string; exists: boolean }>`
      select uuidv7() as corte, ${found?.exists ?? sql`true`} as exists`.execute(db);
    const { corte, exists } = rows[0]!;
    return { corte, found: exists ? found : null };
  }

  /** Returns the query of the rows that matched when the list was opened. */
  const matchesOf = (db: Db | Trx, filtro: F, found: Found | null, corte: string | null) =>
    question
      .matches(db, filtro, found && found.ids)
      // An identifier that was typed whole is looked for by itself alone.
      .$if(!found && cualDe(filtro) !== undefined, (matches) => matches.where(cualDe(filtro)!.donde))
      .$if(corte !== null && question.idsGrow, (matches) => matches.where(sql<boolean>`${id} <= ${corte}::uuid`));

  /** Returns the queries of a search without dates: without its words, and with all of them shown to the search index, for where few match. */
  function pocas(db: Db | Trx, filtro: F, found: Found | null, corte: string | null) {
    const palabras = filtro.q === '' || found ? null : (question.texto?.palabras(filtro.q) ?? null);
    if (palabras === null) return null;
    const sinBuscar = matchesOf(db, { ...filtro, q: '' }, null, corte);
    return {
      sinBuscar,
      todas: sinBuscar.where(contains(question.texto!.columna, palabras, { todas: true })),
      palabras,
    };
  }

  /** Returns the ids of the first rows that match, so many at most. */
  async function primeras(db: Db, filtro: F, found: Found | null, corte: string | null, most: number) {
    const { by, direction } = sortOf(filtro);
    const inOrder = <T extends Chosen<TB>>(matches: T, limit: number) =>
      matches
        .select([id.as('id'), by.as('sortedBy')])
        .orderBy(by, direction)
        .orderBy(id, direction)
        .limit(limit);
    const pocasDe = pocas(db, filtro, found, corte);
    if (!pocasDe)
      return idsIn((await inOrder(matchesOf(db, filtro, found, corte), most).execute()) as { id: string }[]);
    const { sinBuscar, todas, palabras } = pocasDe;
    const miradas = inOrder(sinBuscar.select(sql.ref<string>(question.texto!.columna).as('texto')), SE_MIRAN);
    const { rows: comunes } = await sql<{ id: string }>`
      select id from (${miradas}) miradas where ${contains('miradas.texto', palabras)} limit ${most}`.execute(db);
    if (comunes.length === most) return idsIn(comunes);
    const fenced = todas.select([id.as('id'), by.as('sortedBy')]).offset(sql<number>`0`);
    const { rows } = await sql<{ id: string }>`
      select id from (${fenced}) found
      order by sorted_by ${sql.raw(direction)}, id ${sql.raw(direction)}
      limit ${most}`.execute(db);
    return idsIn(rows);
  }

  /** Reads the first window. A window that is not full is the whole list, and quickly added up. */
  async function openFirst(db: Db, filtro: F, found: Found | null, corte: string) {
    const chosen = await primeras(db, filtro, found, corte, WINDOW);
    // An id that nothing has stands for an empty list: `in ()` is no SQL.
    const ids = sql<string>`(${chosen.length === 0 ? sql`null` : sql.join(chosen)})`;
    const [filas, totales] = await Promise.all([
      chosen.length === 0 ? [] : rowsOf(db, filtro, ids),
      chosen.length < WINDOW ? addUp(matchesOf(db, filtro, found, corte).where(sql<boolean>`${id} in ${ids}`)) : null,
    ]);
    return { indice: 0, filas, totales };
  }

  /** SQL: the ids of a window. Past the middle the window is read from the end, so the last page costs as much as the first. */
  function idsOf(db: Db | Trx, filtro: F, found: Found | null, { indice, total, corte }: WindowAddress) {
    const { by, direction } = sortOf(filtro);
    const start = indice * WINDOW;
    const size = Math.max(0, Math.min(WINDOW, total - start));
    const fromEnd = start + size > total / 2 && start > 0;
    const [offset, walk] = fromEnd ? [total - start - size, REVERSE[direction]] : [start, direction];
    const few = filtro.q !== '' && total <= FEW;
    const chosen = (few && pocas(db, filtro, found, corte)?.todas) || matchesOf(db, filtro, found, corte);
    if (few) {
      const fenced = chosen.select([id.as('id'), by.as('sortedBy')]).offset(sql<number>`0`);
      return sql<string>`(
        select id from (${fenced}) found
        order by ${sql.id('sorted_by')} ${sql.raw(walk)}, id ${sql.raw(walk)}
        limit ${size} offset ${offset})`;
    }
    return sql<string>`(${chosen.select(id.as('id')).orderBy(by, walk).orderBy(id, walk).limit(size).offset(offset)})`;
  }

  async function rowsOf(db: Db | Trx, filtro: F, ids: RawBuilder<string>): Promise<Row[]> {
    const { by, direction } = sortOf(filtro);
    const reading = question
      .rows(db)
      .where(sql<boolean>`${id} in ${ids}`)
      .orderBy(by, direction)
      .orderBy(id, direction)
      .execute() as Promise<Leida[]>;
    const [leidas, whole] = await Promise.all([reading, question.completa?.(db)]);
    return whole ? leidas.map(whole) : (leidas as unknown as Row[]);
  }

  type Take<T> = (next: Chosen<TB>) => Promise<T[]>;

  /**
   * Returns what `take` makes of the rows after a step. Nulls stand where PostgreSQL puts them: last when the order goes up, first when it goes down.
   */
  async function takeAfter<T>(db: Db | Trx, filtro: F, paso: Paso | null, limite: number, take: Take<T>): Promise<T[]> {
    const { by, direction } = sortOf(filtro);
    const found = await findEntero(db, filtro);
    const steps = (where: RawBuilder<boolean> | null, most: number) =>
      take(
        matchesOf(db, filtro, found, null)
          .$if(where !== null, (matches) => matches.where(where!))
          .orderBy(by, direction)
          .orderBy(id, direction)
          .limit(most),
      );
    if (!paso) return steps(null, limite);
    const isNull = sql<boolean>`(${by}) is null`;
    const beyond = sql.raw(direction === 'asc' ? '>' : '<');
    const here =
      paso.marca === null
        ? sql<boolean>`(${isNull} and ${id} ${beyond} ${paso.id}::uuid)`
        : sql<boolean>`(${by}, ${id}) ${beyond} (${paso.marca}, ${paso.id}::uuid)`;
    const first = await steps(here, limite);
    const left = limite - first.length;
    if (left === 0) return first;
    // The rows on the other side of the border between values and nulls.
    if (direction === 'asc' && paso.marca !== null) return [...first, ...(await steps(isNull, left))];
    if (direction === 'desc' && paso.marca === null)
      return [...first, ...(await steps(sql<boolean>`(${by}) is not null`, left))];
    return first;
  }

  const lineaOf = createLineas((db) => sql`${question.rows(db)}`, question.lineas);
  type Written = { linea: string; id: string; marca: string | null };

  /** Returns the query of rows as lines of JSON, each with its step. */
  function linesOf(db: Db | Trx, filtro: F, wanted: RawBuilder<boolean>, { text, from }: Linea) {
    const { by, direction } = sortOf(filtro);
    const rows = question
      .rows(db)
      .select([id.as('pasoId'), sql<string | null>`(${by})::text`.as('pasoMarca')])
      .where(wanted)
      .orderBy(by, direction)
      .orderBy(id, direction);
    return db
      .selectFrom(
        sql<Written>`(
          select ${text} as linea, fila.paso_id as id, fila.paso_marca as marca
          from (${rows}) fila ${from})`.as('escrita'),
      )
      .select(['escrita.linea', 'escrita.id', 'escrita.marca']);
  }

  async function addUp(matches: Chosen<TB>): Promise<Totales & { registros: number }> {
    return (await question
      .totales(matches)
      .select(sql<number>`count(*)`.as('registros'))
      .executeTakeFirstOrThrow()) as unknown as Totales & { registros: number };
  }

  const addUpAll = (db: Db, filtro: F, matches: Chosen<TB>, corte: string | null) =>
    (filtro.q === '' && cualDe(filtro) === undefined ? question.contadas?.(db, filtro, corte) : undefined) ??
    addUp(matches);

  return {
    lista,
    titulo,
    campos: camposOf({ ...question.propios, ...(question.cuales && { [CUALES]: true }) }),
    sorts: Object.keys(question.sorts),
    fijas,
    todas: question.todas ?? 'Todas',
    async countFijas(db, quien) {
      if (fijas.length === 0) return {};
      const counts = fijas.map(({ id: vista, consulta }) => {
        const shown = matchesOf(db, parse(new URLSearchParams(consulta), quien), null, null);
        return sql`(select count(*)::int from (${shown.select(id.as('id')).limit(MUCHOS + 1)}) found) as ${sql.id(vista)}`;
      });
      const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(db);
      return rows[0]!;
    },
    entero: async (db, filtro) => (await findEntero(db, filtro))?.entero ?? null,
    parse,
    async totals(db, filtro, corte) {
      const counted = question
        .totales(matchesOf(db, filtro, await findEntero(db, filtro), corte ?? null))
        .select([sql<number>`count(*)`.as('registros'), sql<string>`uuidv7()`.as('corte')]);
      return (await counted.executeTakeFirstOrThrow()) as Totales & { registros: number; corte: string };
    },
    async conLado(db, filas) {
      if (!question.alLado || filas.length === 0) return filas as ConLado<Row, Lado>[];
      const lados = await question.alLado(db, filas);
      return filas.map((fila, at) => ({ ...fila, alLado: lados[at]! }));
    },
    async window(db, filtro, at) {
      if (at.indice < 0 || at.indice * WINDOW >= at.total) return [];
      return rowsOf(db, filtro, idsOf(db, filtro, await findEntero(db, filtro), at));
    },
    async whole(db, filtro, pagina) {
      const { corte, found } = await begin(db, filtro);
      const entero = found && found.entero;
      const pageOf = Math.max(1, Number.parseInt(pagina ?? '1', 10) || 1) - 1;
      if (pageOf === 0 && pocas(db, filtro, found, corte)) {
        const opened = await openFirst(db, filtro, found, corte);
        const totales = opened.totales ?? (await addUp(matchesOf(db, filtro, found, corte)));
        return { ...opened, corte, totales, entero };
      }
      const adding = addUpAll(db, filtro, matchesOf(db, filtro, found, corte), corte);
      const windowAt = (indice: number, total: number) =>
        rowsOf(db, filtro, idsOf(db, filtro, found, { indice, total, corte }));
      // Without a search the first window does not depend on the number of rows, so it need not wait for the count.
      if (pageOf === 0 && filtro.q === '') {
        const [filas, totales] = await Promise.all([windowAt(0, Infinity), adding]);
        return { indice: 0, filas, corte, totales, entero };
      }
      const totales = await adding;
      const indice = Math.min(pageOf, Math.max(1, Math.ceil(totales.registros / WINDOW)) - 1);
      const filas = totales.registros === 0 ? [] : await windowAt(indice, totales.registros);
      return { indice, filas, corte, totales, entero };
    },
    async first(db, filtro) {
      const { corte, found } = await begin(db, filtro);
      return { ...(await openFirst(db, filtro, found, corte)), corte, entero: found && found.entero };
    },
    async born(db, filtro, corte) {
      if (!question.idsGrow) return 0;
      const { nacidas } = (await matchesOf(db, filtro, await findEntero(db, filtro), null)
        .where(sql<boolean>`${id} > ${corte}::uuid`)
        .select(sql<number>`count(*)`.as('nacidas'))
        .executeTakeFirstOrThrow()) as { nacidas: number };
      return nacidas;
    },
    async after(db, filtro, paso, limite) {
      const { by } = sortOf(filtro);
      const steps = await takeAfter(
        db,
        filtro,
        paso,
        limite + 1,
        (next) =>
          next.select([id.as('id'), sql<string | null>`(${by})::text`.as('marca')]).execute() as Promise<Paso[]>,
      );
      const shown = steps.slice(0, limite);
      if (shown.length === 0) return { filas: [], sigue: null };
      const filas = await rowsOf(db, filtro, sql<string>`(${sql.join(shown.map((one) => one.id))})`);
      return { filas, sigue: steps.length > limite ? shown.at(-1)! : null };
    },
    async lineas(db, campos) {
      // SQL cannot write a row that code completes.
      const linea = question.completa ? null : await lineaOf(db, campos);
      if (!linea) return null;
      return {
        async after(at, filtro, paso, limite) {
          const lines = await takeAfter(at, filtro, paso, limite + 1, (next) =>
            linesOf(at, filtro, sql<boolean>`${id} in (${next.select(id.as('id'))})`, linea).execute(),
          );
          const shown = lines.slice(0, limite);
          const last = shown.at(-1);
          return {
            filas: shown.map((line) => line.linea),
            sigue: last && lines.length > limite ? { id: last.id, marca: last.marca } : null,
          };
        },
        async *stream(trx, filtro) {
          const matches = matchesOf(trx, filtro, await findEntero(trx, filtro), null).select(id.as('id'));
          const lines = linesOf(trx, filtro, sql<boolean>`${id} in (${matches})`, linea);
          for await (const { linea: line } of lines.stream(BATCH)) yield line;
        },
      };
    },
    async page(db, filtro, { limit, offset }) {
      const { by, direction } = sortOf(filtro);
      const matches = matchesOf(db, filtro, await findEntero(db, filtro), null);
      const chosen = matches
        .select(id.as('id'))
        .orderBy(by, direction)
        .orderBy(id, direction)
        .limit(limit)
        .offset(offset);
      const [filas, { registros }] = await Promise.all([
        rowsOf(db, filtro, sql<string>`(${chosen})`),
        addUpAll(db, filtro, matches, null),
      ]);
      return { filas, registros };
    },
    count: (db, filtro, corte) =>
      db.transaction().execute(async (trx) => {
        // A search within a range walks the range, since the search index might bring the matches of all years. A list without a range would have to walk
        // everything, so there the search index brings the rows that are counted.
        if (filtro.q !== '' && hasRango(filtro) && !isTodasLasFechas(filtro))
          await sql`set local enable_bitmapscan = off`.execute(trx);
        return addUp(matchesOf(trx, filtro, await findEntero(trx, filtro), corte));
      }),
    async inAllDates(db, filtro) {
      if (filtro.q === '' || !hasRango(filtro) || isTodasLasFechas(filtro)) return null;
      const everywhere = matchesOf(db, { ...filtro, ...allDatesAs(filtro) }, null, null);
      const { rows } = await sql<{ found: number }>`
        select count(*)::int as found from (${everywhere.select(id.as('id')).limit(MUCHOS + 1)}) found`.execute(db);
      return rows[0]!.found;
    },
    chips: (filtro, byDefault) =>
      chipsOf(filtro, byDefault, { propios: question.propios, cual: cualDe(filtro)?.nombre }),
    async ids(db, filtro, corte, most) {
      return primeras(db, filtro, await findEntero(db, filtro), corte, most);
    },
    async *stream(trx, filtro, { ids, corte } = {}) {
      const { by, direction } = sortOf(filtro);
      const wanted = ids
        ? sql<boolean>`${id} = any(${ids}::uuid[])`
        : sql<boolean>`${id} in (${matchesOf(trx, filtro, await findEntero(trx, filtro), corte ?? null).select(id.as('id'))})`;
      const rows = question.rows(trx).where(wanted).orderBy(by, direction).orderBy(id, direction);
      // Read before the cursor opens: its connection answers nothing else meanwhile.
      const whole = await question.completa?.(trx);
      for await (const leida of rows.stream(BATCH) as AsyncIterable<Leida>)
        yield whole ? whole(leida) : (leida as unknown as Row);
    },
    excel: {
      hoja: excel.hoja,
      columnas: excel.columnas,
      sumas: excel.sumas,
      nombre: (filtro, entero) =>
        // An identifier is looked for in all dates, so the range is not named; some folios hold characters that no file name may have.
        [titulo, entero ? entero.texto.replace(/[^\p{L}\p{N} ._&-]/gu, '-') : excel.sufijo?.(filtro)]
          .filter(Boolean)
          .join(' '),
    },
  };
}
