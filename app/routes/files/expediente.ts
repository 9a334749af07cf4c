import type { LoaderFunctionArgs } from '@remix-run/node';
import { usuarioOf } from '~/access/session.server';
import { streamExpediente } from '~/domain/operacion/expediente.server';
import { db } from '~db/shared.server';
import { downloadZip } from '~/http/download.server';

/** Sends the expediente of a CFDI, written while it is read. */
export async function loader({ params: { id = '' }, context }: LoaderFunctionArgs) {
  return downloadZip(await streamExpediente(db(), id, usuarioOf(context).id));
}
