import { Readable } from 'node:stream';
import { createReadableStreamFromReadable } from '@remix-run/node';
import { dispositionOf } from './download.server';
import { tramoOf } from './tramo.server';

type Large = {
  nombre: string;
  tipo: string;
  bytes: number;
  etag: string;
  /** Bytes `from` to `to` (past the last). */
  lee(from: number, to: number): AsyncIterable<Uint8Array>;
};

/** Answers with a file part by part, since it is too large to be held. A download that broke off continues by Range. */
export function streamFile(request: Request, { nombre, tipo, bytes, etag, lee }: Large): Response {
  const headers = {
    'Content-Type': tipo,
    'Content-Disposition': dispositionOf(nombre),
    'Cache-Control': 'private, no-cache',
    'Accept-Ranges': 'bytes',
    ETag: etag,
  };
  if (request.headers.get('If-None-Match') === etag) return new Response(null, { status: 304, headers });
  const tramo = tramoOf(request.headers, { bytes, etag });
  if (tramo === 'fuera')
    return new Response(null, { status: 416, headers: { ...headers, 'Content-Range': `bytes */${bytes}` } });
  const { from, to } = tramo ?? { from: 0, to: bytes };
  return new Response(createReadableStreamFromReadable(Readable.from(lee(from, to))), {
    status: tramo ? 206 : 200,
    headers: {
      ...headers,
      'Content-Length': String(to - from),
      ...(tramo && { 'Content-Range': `bytes ${from}-${to - 1}/${bytes}` }),
    },
  });
}
