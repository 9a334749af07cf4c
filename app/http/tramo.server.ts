/** A stretch of bytes; `to` is past the last. */
export type Tramo = { from: number; to: number };

/** Returns the stretch of a file that Range asks for (RFC 9110, 14.2). Undefined stands for the whole file, which also answers several stretches. */
export function tramoOf(
  headers: Headers,
  { bytes, etag }: { bytes: number; etag: string },
): Tramo | 'fuera' | undefined {
  const asked = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get('Range')?.trim() ?? '');
  const same = headers.get('If-Range');
  if (!asked || (asked[1] === '' && asked[2] === '') || (same !== null && same !== etag)) return undefined;
  const [, first, last] = asked as unknown as [string, string, string];
  if (first === '')
    return last === '' || Number(last) === 0 ? 'fuera' : { from: Math.max(0, bytes - Number(last)), to: bytes };
  const from = Number(first);
  const to = last === '' ? bytes : Math.min(bytes, Number(last) + 1);
  if (last !== '' && Number(last) < from) return undefined;
  return from >= bytes ? 'fuera' : { from, to };
}
