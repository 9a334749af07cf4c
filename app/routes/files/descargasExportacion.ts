import type { LoaderFunctionArgs } from '@remix-run/node';
import { usuarioOf } from '~/access/session.server';
import { findExportFile } from '~/platform/lists/exportRuns.server';
import { db } from '~db/shared.server';
import { download } from '~/http/download.server';

/** Sends an Excel to the person who asked for it, and to sa. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const archivo = await findExportFile(db(), params.id ?? '', usuario.rol === 'sa' ? undefined : usuario.id);
  return download(request, archivo && { archivo, nombre: archivo.nombre });
}
