import { z } from 'zod';
import { PERIODOS, TODAS } from '~/core/periodo';
import { hasRango, qProblem, rangoProblem, type ListFilter } from '~/core/list';
import { Saturated } from '~/core/errors';
import { createSlots } from '~/core/slots';
import { tableOf } from '~/core/table';
import { createSheet, XLSX } from '~/platform/lists/xlsx.server';
import type { List, Paso } from '~/platform/lists/list.server';
import type { Db, Trx } from '~db/client.server';
import { defineCall, type Acceso, type Call } from './call.server';
import { ApiProblem } from './problem.server';
import { camposOf, projectorOf } from './project';
import { Written, type Crudo } from './wire';

const MAX_LIMITE = 200;
export const NDJSON = 'application/x-ndjson';

/** Slots and patience of whole lists, each of which holds a connection of the database while it is read. */
const STREAM_MS = 120_000;
const slots = createSlots({
  atOnce: 3,
  waiting: 12,
  full: () => new Saturated('Hay demasiadas listas completas en camino.', 10),
});

type Listed<F extends ListFilter, S extends z.ZodObject, Row extends Crudo<z.output<S>>, Totales> = {
  path: string;
  resumen: string;
  alcance: string;
  acceso: Exclude<Acceso, 'abierta'>;
  list: List<F, Row, Totales>;
  /** Schema of a row. */
  fila: S;
  /** Totals beside the number of rows. */
  totales?: Record<string, z.ZodType>;
};

/** Defines the call of a list: filters and sorts, page by page, or whole as NDJSON or Excel. */
export function defineListCall<F extends ListFilter, S extends z.ZodObject, Row extends Crudo<z.output<S>>, Totales>({
  path,
  resumen,
  alcance,
  acceso,
  list: listed,
  fila,
  totales = {},
}: Listed<F, S, Row, Totales>): Call {
  const list = listed as unknown as List;
  const byDefault = list.parse(new URLSearchParams());
  const names = new Set(list.campos);
  const propios = [...new Set([...list.campos, ...Object.keys(byDefault)])].filter(
    (campo) => !HIDDEN.has(campo) && (!Object.hasOwn(KNOWN, campo) || (campo === 'cuales' && list.fijas.length === 0)),
  );
  const query = z.object({
    q: z.string().optional().meta({ description: 'Palabras o un identificador completo.' }),
    ...(hasRango(byDefault) && {
      desde: z.string().optional().meta({ description: 'Primer día, AAAA-MM-DD.' }),
      hasta: z.string().optional().meta({ description: 'Último día, AAAA-MM-DD.' }),
      rango: z
        .enum([...Object.keys(PERIODOS), TODAS])
        .optional()
        .meta({ description: 'Un periodo por su nombre, en vez de desde y hasta.' }),
    }),
    orden: z
      .enum(list.sorts.flatMap((sort) => [sort, `-${sort}`]))
      .optional()
      .meta({ description: 'Con - delante, de mayor a menor.' }),
    ...Object.fromEntries(propios.map((campo) => [campo, requiredOf(campo, byDefault) ?? z.string().optional()])),
    ...(names.has('cuales') &&
      list.fijas.length > 0 && {
        cuales: z
          .enum(list.fijas.map(({ id }) => id))
          .optional()
          .meta({ description: 'Una de las vistas de la lista.' }),
      }),
    limite: z.coerce
      .number()
      .int()
      .min(1)
      .max(MAX_LIMITE)
      .default(100)
      .meta({ description: `Cuántas filas, ${MAX_LIMITE} a lo más.` }),
    cursor: z.string().max(600).optional().meta({ description: 'El «siguiente» de la página anterior.' }),
    totales: z.enum(['0', '1']).default('0').meta({ description: '1 cuenta y suma todo lo que cumple el filtro.' }),
    campos: z.string().max(600).optional().meta({ description: 'Solo estos campos de cada fila, con comas.' }),
    formato: z
      .enum(['json', 'ndjson', 'xlsx'])
      .default('json')
      .meta({ description: 'ndjson y xlsx traen la lista completa.' }),
  });
  const answer = z.object({
    datos: z.array(fila),
    siguiente: z.string().nullable().meta({ description: 'Con qué «cursor» sigue; null al final.' }),
    totales: z.object({ registros: z.int(), ...totales }).optional(),
  });
  const sumar = projectorOf(answer.shape.totales);
  const call = defineCall({
    method: 'GET',
    path,
    resumen,
    alcance,
    acceso,
    query,
    answer,
    async run(db, { query: asked, search, usuario, request }) {
      requireKnown(search, query);
      const filtro = list.parse(search, usuario);
      requireAsAsked(search, filtro, propios);
      const told = pick(fila, asked.campos);
      const formato = wanted(asked.formato, request);
      if (formato === 'xlsx') return streamXlsx(db, list, filtro);
      const read = await readerOf(db, list, told);
      if (formato === 'ndjson') return streamNdjson(db, (trx) => read.stream(trx, filtro));
      const paso = asked.cursor === undefined ? null : readCursor(asked.cursor, filtro.orden);
      const [{ filas, sigue }, sums] = await Promise.all([
        read.after(db, filtro, paso, asked.limite),
        asked.totales === '1' ? list.totals(db, filtro) : undefined,
      ]);
      const rest = {
        siguiente: sigue && writeCursor(sigue, filtro.orden),
        ...(sums && { totales: sumar(sums) }),
      };
      return new Written(`{"datos":[${filas.join(',')}],${JSON.stringify(rest).slice(1)}`);
    },
  });
  return { ...call, fila, lista: list };
}

const KNOWN: Record<string, true> = tableOf({
  q: true,
  desde: true,
  hasta: true,
  rango: true,
  orden: true,
  cuales: true,
});
/** Parameters that only pages of ours use, and what the session says. */
const HIDDEN = new Set(['vista', 'cols', 'densidad', 'pagina', 'ver', 'deRol']);
/** Filters without which a list has no rows: an empty answer would say that nothing is there. */
const ASKED = new Map<string, z.ZodType>([
  ['mes', z.string('Falta mes.').min(1, 'Falta mes.').meta({ description: 'El mes, AAAA-MM.' })],
]);

/** Returns the schema of a filter that has to be said: one whose list is empty without it. */
const requiredOf = (campo: string, byDefault: object): z.ZodType | undefined =>
  (byDefault as Record<string, unknown>)[campo] === '' ? ASKED.get(campo) : undefined;

function requireKnown(search: URLSearchParams, query: z.ZodObject) {
  const strange = [...search.keys()].find((name) => !Object.hasOwn(query.shape, name));
  if (strange === undefined) return;
  const texto = 'Esta lista no conoce ese parámetro.';
  throw new ApiProblem('peticion-invalida', texto, { errores: [{ campo: strange.slice(0, 100), texto }] });
}

/** Refuses parameters that make no sense. A page falls back to its usual rows; a program would take those for the rows it asked for. */
function requireAsAsked(search: URLSearchParams, filtro: ListFilter, propios: string[]) {
  const used = filtro as unknown as Record<string, unknown>;
  const other = propios.find((campo) => search.get(campo) && String(used[campo] ?? '') !== search.get(campo)!.trim());
  const texto =
    qProblem(search) ??
    (hasRango(filtro) ? rangoProblem(search, filtro) : null) ??
    (search.get('rango') === TODAS && used.rango !== TODAS ? 'Todas las fechas se piden junto con q.' : null) ??
    (other === undefined ? null : `El filtro ${other} no admite ese valor.`);
  if (texto) throw new ApiProblem('peticion-invalida', texto.replace(' Se muestra el periodo predeterminado.', ''));
}

function pick(fila: z.ZodObject, campos: string | undefined): z.ZodObject {
  if (campos === undefined) return fila;
  const names = campos.split(',');
  const strange = names.find((name) => !Object.hasOwn(fila.shape, name));
  if (strange !== undefined)
    throw new ApiProblem('peticion-invalida', 'Esta lista no tiene ese campo.', {
      errores: [{ campo: 'campos', texto: `No hay un campo ${JSON.stringify(strange.slice(0, 60))}.` }],
    });
  return fila.pick(Object.fromEntries(names.map((name) => [name, true])) as never);
}

/** Returns the form of the answer, by `formato` of the address or by Accept. */
function wanted(formato: 'json' | 'ndjson' | 'xlsx', request: Request) {
  const accept = request.headers.get('Accept') ?? '';
  if (formato !== 'json') return formato;
  return accept.includes(NDJSON) ? 'ndjson' : accept.includes(XLSX) ? 'xlsx' : 'json';
}

const Cursor = z.tuple([z.string().max(30), z.string().max(400).nullable(), z.uuid()]);

function writeCursor({ marca, id }: { marca: string | null; id: string }, orden: string): string {
  return Buffer.from(JSON.stringify([orden, marca, id])).toString('base64url');
}

function readCursor(text: string, orden: string) {
  const read = Cursor.safeParse(parseJson(Buffer.from(text, 'base64url').toString('utf8')));
  if (!read.success || read.data[0] !== orden)
    throw new ApiProblem('peticion-invalida', 'El cursor no es de esta lista con este orden.');
  const [, marca, id] = read.data;
  return { marca, id };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Write = (chunk: Uint8Array | string) => Promise<void>;

/** Returns a streamed body. A slow reader slows its making, and a reader who leaves ends it. */
async function bodyOf(produce: (write: Write) => Promise<void>): Promise<ReadableStream<Uint8Array>> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  const late = AbortSignal.timeout(STREAM_MS);
  const over = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () => reject(new Error('the list was read too slowly')), { once: true });
  });
  over.catch(() => undefined);
  const write: Write = async (chunk) => {
    await Promise.race([writer.ready, over]);
    // A failed write is told by the next `ready`.
    writer.write(typeof chunk === 'string' ? encoder.encode(chunk) : chunk).catch(() => undefined);
  };
  const made = slots.run(() => produce(write));
  made.then(() => writer.close()).catch((error: unknown) => writer.abort(error).catch(() => undefined));
  // Too many waiting readers are refused at once. A reader that waits for a slot gets its headers meanwhile.
  await Promise.race([made, new Promise((resolve) => setImmediate(resolve))]);
  return readable;
}

const CHUNK = 64 * 1024;

type Reader = {
  after(
    db: Db,
    filtro: ListFilter,
    paso: Paso | null,
    limite: number,
  ): Promise<{ filas: string[]; sigue: Paso | null }>;
  stream(trx: Trx, filtro: ListFilter): AsyncIterable<string>;
};

/** Yields rows as JSON, written by PostgreSQL, or by us where a list or a field needs that. */
async function readerOf(db: Db, list: List, fila: z.ZodObject): Promise<Reader> {
  const campos = camposOf(fila);
  const theirs = campos && (await list.lineas(db, campos));
  if (theirs) return theirs;
  const project = projectorOf(fila);
  const write = (row: unknown) => JSON.stringify(project(row));
  return {
    async after(at, filtro, paso, limite) {
      const { filas, sigue } = await list.after(at, filtro, paso, limite);
      return { filas: filas.map(write), sigue };
    },
    async *stream(trx, filtro) {
      for await (const row of list.stream(trx, filtro)) yield write(row);
    },
  };
}

async function streamNdjson(db: Db, lines: (trx: Trx) => AsyncIterable<string>): Promise<Response> {
  const body = await bodyOf(async (write) => {
    let pending = '';
    await snapshot(db, lines, async (line) => {
      pending += `${line}\n`;
      if (pending.length < CHUNK) return;
      const text = pending;
      pending = '';
      await write(text);
    });
    if (pending !== '') await write(pending);
  });
  return new Response(body, { headers: { 'Content-Type': NDJSON } });
}

async function streamXlsx(db: Db, list: List, filtro: ListFilter): Promise<Response> {
  const body = await bodyOf(async (write) => {
    const sheet = await createSheet(list.excel, write);
    await snapshot(
      db,
      (trx) => list.stream(trx, filtro),
      (row) => sheet.write(row),
    );
    await sheet.finish();
  });
  const nombre = encodeURIComponent(`${list.excel.nombre(filtro)}.xlsx`);
  return new Response(body, {
    headers: { 'Content-Type': XLSX, 'Content-Disposition': `attachment; filename*=UTF-8''${nombre}` },
  });
}

/** Yields every row of a list as of one moment. */
async function snapshot<T>(db: Db, rows: (trx: Trx) => AsyncIterable<T>, take: (row: T) => Promise<void>) {
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      for await (const row of rows(trx)) await take(row);
    });
}
