import type { LoaderFunctionArgs } from '@remix-run/node';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { streamPrepared } from '~/domain/operacion/expediente.server';
import { findExportFile } from '~/platform/lists/exportRuns.server';
import { XLSX } from '~/platform/lists/xlsx.server';
import { db } from '~db/shared.server';
import { download, downloadZip } from '~/http/download.server';

/** Sends the Excel or the expediente of a month to the person who asked for it, and to sa. The second asks for its right once more. */
export async function loader({ request, params: { id = '' }, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const usuarioId = usuario.rol === 'sa' ? undefined : usuario.id;
  const zip = can(usuario, 'facturas.expediente')
    ? await streamPrepared(db(), id, { usuarioId, quien: usuario.id })
    : undefined;
  if (zip) return downloadZip(zip);
  const archivo = await findExportFile(db(), id, usuarioId);
  // What is kept of an expediente is no download by itself.
  return download(request, archivo?.tipo === XLSX ? { archivo, nombre: archivo.nombre } : undefined);
}
