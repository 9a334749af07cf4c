import type { Archivo } from '~/domain/files/archivos.server';

/** Stored files never change, so the browser of whoever may see one keeps it for a day, and nobody between does. */
const CACHE = 'private, max-age=86400';

export function download(request: Request, found: { archivo: Archivo; nombre: string } | undefined): Response {
  if (!found) throw new Response('No existe.', { status: 404 });
  const { archivo, nombre } = found;
  const etag = `"${archivo.sha256}"`;
  const headers = {
    'Content-Type': archivo.tipo,
    'Content-Disposition': dispositionOf(nombre),
    'Cache-Control': CACHE,
    ETag: etag,
  };
  if (request.headers.get('If-None-Match') === etag) return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(archivo.contenido), {
    headers: { ...headers, 'Content-Length': String(archivo.bytes) },
  });
}

/** The name as every browser reads it: plain ASCII, and beside it the real one (RFC 6266). */
export function dispositionOf(nombre: string): string {
  const plain = nombre
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/["\\]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(nombre).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}
