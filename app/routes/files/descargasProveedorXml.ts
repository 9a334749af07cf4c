import type { LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { readArchivo } from '~/platform/files/archivos.server';
import { findArchivoOf } from '~/domain/compras/facturas/cfdis.server';
import { db } from '~db/shared.server';
import { download } from '~/http/download.server';

export async function loader({ request, params }: LoaderFunctionArgs) {
  const id = z.uuid().safeParse(params.id).data;
  const cfdi = id ? await findArchivoOf(db(), id) : undefined;
  const archivo = cfdi && (await readArchivo(db(), cfdi.archivoId));
  return download(request, archivo && { archivo, nombre: `${cfdi.emisorRfc}_${cfdi.folio}.xml` });
}
