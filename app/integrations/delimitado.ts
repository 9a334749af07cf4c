import { UnexpectedShape } from './errors';

/** Longest accepted line, in characters: a file without line ends would fill the memory. */
const MAX_LINEA = 1_000_000;

/**
 * Yields the lines of a delimited file as lists of fields, while its bytes arrive. The separator is the most frequent
 * candidate of the first line. A quoted field may hold separators and doubled quotes. JSON between quotes is also read
 * when its inner quotes are not doubled: such a field ends with its bracket and a quote. `soloTabs`: tabs alone separate,
 * and quotes are letters. Throws UnexpectedShape for a line without end, and for quotes that open and never close.
 */
export async function* readDelimitado(
  chunks: AsyncIterable<Uint8Array>,
  { charset = 'utf-8', soloTabs = false }: { charset?: string; soloTabs?: boolean } = {},
): AsyncGenerator<string[]> {
  const decoder = new TextDecoder(charset);
  let rest = '';
  let separator = soloTabs ? '\t' : undefined;
  let [linea, width] = [1, 0];
  function* linesOf(ended: boolean): Generator<string[]> {
    for (;;) {
      if (separator === undefined) {
        const end = rest.search(/[\r\n]/);
        if (end < 0 && !ended) return;
        separator = separatorOf(end < 0 ? rest : rest.slice(0, end));
      }
      const line = cut(rest, separator, ended, !soloTabs);
      if (!line) {
        if (rest.length > MAX_LINEA) throw new UnexpectedShape(`el renglón ${linea} no se acaba`);
        if (ended && rest !== '') throw new UnexpectedShape(`el renglón ${linea} abre comillas que no se cierran`);
        return;
      }
      const { fields } = line;
      width ||= fields.length;
      // A quote that was never meant to open a field swallows lines, and what is left of them has another number of fields.
      if (fields.length !== width && fields.some((field) => field.includes('\n')))
        throw new UnexpectedShape(`el renglón ${linea} abre comillas que se cierran en otro renglón`);
      linea += rest.slice(0, line.length).split('\n').length - 1;
      rest = rest.slice(line.length);
      if (fields.length > 1 || fields[0] !== '') yield fields;
    }
  }
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    yield* linesOf(false);
  }
  rest += decoder.decode();
  yield* linesOf(true);
}

const separatorOf = (header: string) =>
  ['\t', ';', ','].reduce((best, one) => (header.split(one).length > header.split(best).length ? one : best), ',');

/** Returns the first line of a text; undefined until its end has arrived. */
function cut(
  text: string,
  separator: string,
  ended: boolean,
  quotes: boolean,
): { fields: string[]; length: number } | undefined {
  if (text === '') return undefined;
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    const read = quotes && text[at] === '"' ? quoted : plain;
    const field = read(text, at, separator, ended);
    if (!field) return undefined;
    fields.push(field.value);
    at = field.end;
    if (text[at] === separator) {
      at++;
      continue;
    }
    if (text[at] === '\r' && text[at + 1] === undefined && !ended) return undefined;
    return { fields, length: at + (text[at] === '\r' && text[at + 1] === '\n' ? 2 : at < text.length ? 1 : 0) };
  }
}

function plain(text: string, from: number, separator: string, ended: boolean) {
  let end = from;
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++;
  return end < text.length || ended ? { value: text.slice(from, end), end } : undefined;
}

function quoted(text: string, from: number, separator: string, ended: boolean) {
  const closing = text[from + 1] === '[' ? ']' : text[from + 1] === '{' ? '}' : undefined;
  for (let end = from + 1; end < text.length; end++) {
    if (text[end] !== '"') continue;
    const next = text[end + 1];
    if (next === undefined && !ended) return undefined;
    const closes = next === undefined || next === separator || next === '\n' || next === '\r';
    if (closes && (closing === undefined || text[end - 1] === closing))
      return { value: text.slice(from + 1, end).replaceAll('""', '"'), end: end + 1 };
    if (next === '"') end++;
  }
  return undefined;
}
