import type { LoaderFunctionArgs } from '@remix-run/node';
import { mayReadList } from '~/access/lists';
import { usuarioOf } from '~/access/session.server';
import { streamLote } from '~/domain/facturacion/emision/lotesDeFacturas.server';
import { db } from '~db/shared.server';
import { downloadZip } from '~/http/download.server';

/** Sends the PDF and XML of rows chosen in a list, written while they are read, to the person who chose them only. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const zip = await streamLote(db(), params.id ?? '', usuario.id);
  return downloadZip(zip && mayReadList(usuario, zip.lista) ? zip : undefined);
}
