import { createReadableStreamFromReadable, type LoaderFunctionArgs } from '@remix-run/node';
import { mayReadList } from '~/access/lists';
import { usuarioOf } from '~/access/session.server';
import { streamZip } from '~/domain/facturacion/emision/lotesDeFacturas.server';
import { db } from '~db/shared.server';
import { dispositionOf } from '~/http/download.server';

/** Sends the PDF and XML of rows chosen in a list, written while they are read, to the person who chose them only. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const zip = await streamZip(db(), params.id ?? '', usuario.id);
  if (!zip || !mayReadList(usuario, zip.lista)) throw new Response('No existe.', { status: 404 });
  return new Response(createReadableStreamFromReadable(zip.contenido), {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': dispositionOf(zip.nombre),
      'Cache-Control': 'no-store',
    },
  });
}
