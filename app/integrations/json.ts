/** Written in JSON, a NUL and half of a surrogate pair are always escapes. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/** JSON of an outside API. The database refuses a document with a NUL or half an emoji in it: they are taken out where answers are read. */
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
