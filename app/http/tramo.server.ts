/** Half-open, in bytes. */
export type Tramo = { from: number; to: number };

/** The one stretch of a file that is asked for (RFC 9110, 14.2). Undefined: all of it. Several at once are answered with all of it. */
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
