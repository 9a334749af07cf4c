import { Readable } from 'node:stream';
import { createReadableStreamFromReadable, redirect, type LoaderFunctionArgs } from '@remix-run/node';
import { landingOf, usuarioOf } from '~/access/session.server';
import { z } from 'zod';
import { env } from '~/core/env.server';
import { Id } from '~/core/fields';
import { findAplicacion, leerTramo } from '~/domain/aplicacion/aplicaciones.server';
import { flash } from '~/http/flash.server';
import { readQuery } from '~/http/readForm.server';
import { db } from '~db/shared.server';
import { dispositionOf } from './download.server';
import { tramoOf } from './tramo.server';

const Cual = z.object({ id: Id.optional() });

const TIPO = { apk: 'application/vnd.android.package-archive', aab: 'application/octet-stream' } as const;

/** The app as a telephone installs it, or the one that sa asks for. A download that broke off goes on where it was. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const { id } = readQuery(request, Cual);
  const found = id !== undefined && usuario.rol !== 'sa' ? undefined : await findAplicacion(db(), id ?? null);
  if (!found) {
    if (id !== undefined) throw new Response('No existe.', { status: 404 });
    return redirect(landingOf(usuario, null), { headers: { 'Set-Cookie': await flash('Todavía no hay una app.') } });
  }
  const etag = `"${found.sha256.toString('hex')}"`;
  const headers = {
    'Content-Type': TIPO[found.formato],
    'Content-Disposition': dispositionOf(`${env().MARCA}.${found.formato}`),
    'Cache-Control': 'private, no-cache',
    'Accept-Ranges': 'bytes',
    ETag: etag,
  };
  if (request.headers.get('If-None-Match') === etag) return new Response(null, { status: 304, headers });
  const { bytes } = found;
  const tramo = tramoOf(request.headers, { bytes, etag });
  if (tramo === 'fuera')
    return new Response(null, { status: 416, headers: { ...headers, 'Content-Range': `bytes */${bytes}` } });
  const { from, to } = tramo ?? { from: 0, to: bytes };
  return new Response(createReadableStreamFromReadable(Readable.from(leerTramo(db(), found.id, from, to))), {
    status: tramo ? 206 : 200,
    headers: {
      ...headers,
      'Content-Length': String(to - from),
      ...(tramo && { 'Content-Range': `bytes ${from}-${to - 1}/${bytes}` }),
    },
  });
}
