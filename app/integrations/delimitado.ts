/** Longest accepted line, in characters: a file without line ends would fill the memory. */
const MAX_LINEA = 1_000_000;

/**
 * Yields the lines of a delimited file as lists of fields, while its bytes arrive. The separator is the most frequent
 * candidate of the first line. A quoted field may hold separators and doubled quotes. JSON between quotes is also read
 * when its inner quotes are not doubled: such a field ends with its bracket and a quote. Throws RangeError for a line
 * without end.
 */
export async function* readDelimitado(
  chunks: AsyncIterable<Uint8Array>,
  { charset = 'utf-8' }: { charset?: string } = {},
): AsyncGenerator<string[]> {
  const decoder = new TextDecoder(charset);
  let rest = '';
  let separator: string | undefined;
  function* linesOf(ended: boolean): Generator<string[]> {
    for (;;) {
      if (separator === undefined) {
        const end = rest.search(/[\r\n]/);
        if (end < 0 && !ended) return;
        separator = separatorOf(end < 0 ? rest : rest.slice(0, end));
      }
      const line = cut(rest, separator, ended);
      if (!line) {
        if (rest.length > MAX_LINEA) throw new RangeError('una línea no se acaba');
        return;
      }
      rest = rest.slice(line.length);
      if (line.fields.length > 1 || line.fields[0] !== '') yield line.fields;
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
function cut(text: string, separator: string, ended: boolean): { fields: string[]; length: number } | undefined {
  if (text === '') return undefined;
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    const field = text[at] === '"' ? quoted(text, at, separator, ended) : plain(text, at, separator, ended);
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
  return ended ? { value: text.slice(from + 1).replaceAll('""', '"'), end: text.length } : undefined;
}
