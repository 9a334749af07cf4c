import type { Readable } from 'node:stream';
import { createReadableStreamFromReadable } from '@remix-run/node';

/** Stored files never change, so the browser of whoever may see one keeps it for a day, and nobody between does. */
const CACHE = 'private, max-age=86400';
const OPEN_CACHE = 'public, max-age=31536000, immutable';

type Archivo = { tipo: string; bytes: number; sha256: string; contenido: Uint8Array };
type Found = { archivo: Archivo; nombre: string } | undefined;

export const download = (request: Request, found: Found): Response => answer(request, found, 'attachment');

/** What a browser draws itself, inside the sandbox that its address has (`http/headers`). */
const A_LA_VISTA = new Set(['image/jpeg', 'image/png', 'image/webp', 'application/pdf']);

/** A file that people brought, in sight where it is a picture or a PDF; anything else is saved. */
export const show = (request: Request, found: Found): Response =>
  answer(request, found, found && A_LA_VISTA.has(found.archivo.tipo) ? 'inline' : 'attachment');

/** A file that anybody may keep for a year: what lies under its address never changes. */
export const serveOpen = (request: Request, archivo: (Archivo & { nombre: string }) | undefined): Response =>
  answer(request, archivo && { archivo, nombre: archivo.nombre }, 'inline', OPEN_CACHE);

/** A ZIP that is written while it is sent. */
export function downloadZip(zip: { nombre: string; contenido: Readable } | undefined): Response {
  if (!zip) throw new Response('No existe.', { status: 404 });
  return new Response(createReadableStreamFromReadable(zip.contenido), {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': dispositionOf(zip.nombre),
      'Cache-Control': 'no-store',
    },
  });
}

/** A file that is made anew each time, of what stands now. */
export function downloadMade({
  nombre,
  tipo,
  contenido,
}: {
  nombre: string;
  tipo: string;
  contenido: Buffer;
}): Response {
  return new Response(new Uint8Array(contenido), {
    headers: {
      'Content-Type': tipo,
      'Content-Disposition': dispositionOf(nombre),
      'Content-Length': String(contenido.length),
      'Cache-Control': 'no-store',
    },
  });
}

function answer(request: Request, found: Found, como: Como, cache = CACHE): Response {
  if (!found) throw new Response('No existe.', { status: 404 });
  const { archivo, nombre } = found;
  const etag = `"${archivo.sha256}"`;
  const headers = {
    'Content-Type': archivo.tipo,
    'Content-Disposition': dispositionOf(nombre, como),
    'Cache-Control': cache,
    ETag: etag,
  };
  if (request.headers.get('If-None-Match') === etag) return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(archivo.contenido), {
    headers: { ...headers, 'Content-Length': String(archivo.bytes) },
  });
}

type Como = 'attachment' | 'inline';

/** The name as every browser reads it: plain ASCII, and beside it the real one (RFC 6266). */
export function dispositionOf(nombre: string, como: Como = 'attachment'): string {
  const plain = nombre
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/["\\]/g, '_');
  return `${como}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(nombre).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}
