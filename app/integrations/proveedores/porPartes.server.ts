import { apartado } from '../apartado.server';
import { Unavailable, UnexpectedShape } from '../errors';
import { parseStorable } from '../json';
import type { HttpStream } from '../http.server';
import type { Tramo } from './cara';
import { isHtml, textoOf } from './llamar.server';
import { claveEn } from './paginas';

/** Rows of one stretch, out of a list that comes in one answer. */
const POR_TRAMO = 500;
/** Longest row in bytes. No product is that long, so something else is being read. */
const MAX_ELEMENTO = 4 * 1024 * 1024;

const [COMILLA, ESCAPE, COMA, ABRE, CIERRA, ABRE_LISTA, CIERRA_LISTA] = [...'"\\,{}[]'].map((c) => c.charCodeAt(0));

/** Part of an answer that comes in pieces: rows of its list, or, once the list has ended, the text around it. */
type Parte = { elementos: Uint8Array[] } | { alrededor: string };

/**
 * Returns the elements of a document's first list (at its root or directly in its object) as they come, then the text around the list, with the list
 * empty. Only one element and the last chunk are held. Throws `Unavailable` for a document that ends before its last bracket, since it was cut on the
 * way.
 */
export async function* elementosOf(chunks: AsyncIterable<Uint8Array>, label: string): AsyncGenerator<Parte> {
  let held = Buffer.alloc(0);
  let [depth, list, done, inText, escaped] = [0, 0, false, false, false];
  const around: Buffer[] = [];
  for await (const chunk of chunks) {
    const from = held.length;
    const buffer = from > 0 ? Buffer.concat([held, chunk]) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    const elementos: Uint8Array[] = [];
    let start = 0;
    const end = (at: number) => {
      const element = buffer.subarray(start, at);
      if (!isBlank(element)) elementos.push(Buffer.from(element));
      start = at + 1;
    };
    for (let i = from; i < buffer.length; i++) {
      const c = buffer[i];
      if (inText) {
        if (escaped) escaped = false;
        else if (c === ESCAPE) escaped = true;
        else if (c === COMILLA) inText = false;
      } else if (c === COMILLA) inText = true;
      else if (c === COMA) {
        if (list > 0 && depth === list) end(i);
      } else if (c === ABRE || c === ABRE_LISTA) {
        depth++;
        if (c === ABRE_LISTA && list === 0 && !done && depth <= 2) {
          list = depth;
          around.push(Buffer.from(buffer.subarray(start, i + 1)));
          start = i + 1;
        }
      } else if (c === CIERRA || c === CIERRA_LISTA) {
        if (list > 0 && depth === list) {
          end(i);
          [start, list, done] = [i, 0, true];
        }
        depth--;
      }
    }
    if (list === 0) {
      around.push(Buffer.from(buffer.subarray(start)));
      held = Buffer.alloc(0);
    } else held = Buffer.from(buffer.subarray(start));
    if (held.length > MAX_ELEMENTO) throw new UnexpectedShape(`${label}: un renglón de su lista no termina`);
    if (elementos.length > 0) yield { elementos };
  }
  if (depth !== 0 || inText) throw new Unavailable(`La lista de ${label} llegó cortada`);
  yield {
    alrededor: Buffer.concat(around)
      .toString('utf8')
      .replace(/^\ufeff/, ''),
  };
}

const isBlank = (bytes: Uint8Array) => bytes.every((byte) => byte === 32 || (byte >= 9 && byte <= 13));

type Leer = {
  label: string;
  /** Name under which the supplier writes its key. */
  clave: string;
  itemOf: Tramo['itemOf'];
  /** Moment of the question, which is the age of all rows. */
  en: Date;
  /** Looks at the text around the list. Throws when that says that there is no list. */
  alrededor?(json: unknown): void;
};

/**
 * Returns a list that comes in one answer as stretches, however slowly they are taken. A stretch is told when the next one has begun, so the text
 * around the list is known before the last stretch. A read cannot be resumed in the middle, because a second answer may have another order.
 */
export async function* tramosOfLista(
  { headers, chunks }: Pick<HttpStream, 'headers' | 'chunks'>,
  { label, clave, itemOf, en, alrededor }: Leer,
): AsyncGenerator<Tramo> {
  let waiting: Tramo | null = null;
  const vacio = (): Tramo => ({ crudos: [], itemOf, ilegibles: [], rastros: [], sigue: null, total: null });
  let [tramo, rows] = [vacio(), 0];
  for await (const parte of elementosOf(apartado(chunks, label), label)) {
    if ('alrededor' in parte) {
      if (isHtml(parte.alrededor)) throw new Unavailable(`${label} contestó una página de mantenimiento`);
      const json = jsonOr(parte.alrededor, () => new UnexpectedShape(`${label} no contestó JSON`));
      alrededor?.(json);
      if (rows === 0 && !JSON.stringify(json).includes('[]'))
        throw new UnexpectedShape(`${label} no contestó una lista de productos`);
      continue;
    }
    for (const element of parte.elementos) {
      rows += 1;
      const text = textoOf({ headers, body: element });
      const raw = jsonOr(text, () => null);
      if (raw === null) {
        tramo.ilegibles.push(`renglón ${rows}: no es JSON`);
        // A key may still stand in it, between quotes.
        tramo.rastros.push(...comillas(text));
      } else tramo.crudos.push({ raw, clave: claveEn(raw, clave), renglon: rows, leidoEn: en });
      if (tramo.crudos.length + tramo.ilegibles.length < POR_TRAMO) continue;
      if (waiting) yield waiting;
      waiting = { ...tramo, sigue: `renglón ${rows}` };
      tramo = vacio();
    }
  }
  if (waiting) yield waiting;
  yield { ...tramo, sigue: null, total: rows };
}

const comillas = (text: string) => [...text.matchAll(/"([^"\\]{1,80})"/g)].slice(0, 60).map(([, words]) => words!);

/** Null when the text is no JSON and `otherwise` gives no error to throw. */
function jsonOr(text: string, otherwise: () => Error | null): unknown {
  try {
    return parseStorable(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const wrong = otherwise();
    if (wrong) throw wrong;
    return null;
  }
}
