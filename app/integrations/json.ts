/** Escapes in JSON that may stand for a character the database cannot store: NUL, and halves of surrogate pairs. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/**
 * Parses JSON of an outside API, without NUL and half surrogates: the database refuses both in a document. Throws
 * SyntaxError for other text.
 */
export function parseStorable(text: string): unknown {
  const json = JSON.parse(text) as unknown;
  return UNSTORABLE.test(text) ? storable(json) : json;
}

function storable(json: unknown): unknown {
  if (typeof json === 'string') return cleanText(json);
  if (Array.isArray(json)) return json.map(storable);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [cleanText(key), storable(value)]));
}

const cleanText = (text: string) => text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\ufffd');
