/** Bodies of forms that are sent in parts. */
import type { SandboxRequest } from './service';

export interface Part {
  field: string;
  /** Undefined for a plain field. */
  filename: string | undefined;
  type: string;
  bytes: Buffer;
}

/** The parts of a body, in order; none when the request has no boundary. */
export function partsOf({ headers, body }: SandboxRequest): Part[] {
  const boundary = /boundary=(?:"([^"]+)"|([^;]+))/.exec(String(headers['content-type'] ?? ''));
  if (!boundary) return [];
  const mark = Buffer.from(`--${boundary[1] ?? boundary[2]}`);
  const parts: Part[] = [];
  for (let at = body.indexOf(mark); at >= 0;) {
    const next = body.indexOf(mark, at + mark.length);
    if (next < 0) break;
    const part = body.subarray(at + mark.length + 2, next - 2);
    const end = part.indexOf('\r\n\r\n');
    const head = part.subarray(0, end).toString('utf8');
    if (end >= 0)
      parts.push({
        field: /name="([^"]*)"/.exec(head)?.[1] ?? '',
        filename: /filename="([^"]*)"/.exec(head)?.[1],
        type: (/content-type:\s*([^\r\n;]+)/i.exec(head)?.[1] ?? '').trim(),
        bytes: part.subarray(end + 4),
      });
    at = next;
  }
  return parts;
}

/** The parts that are files. */
export const filesOf = (request: SandboxRequest) =>
  partsOf(request).flatMap(({ filename, ...part }) => (filename === undefined ? [] : [{ ...part, filename }]));
