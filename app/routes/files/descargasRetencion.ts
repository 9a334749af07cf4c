import type { LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { findArchivoOfRetencion } from '~/domain/facturacion/plataformas/retenciones.server';
import { download } from '~/http/download.server';
import { readArchivo } from '~/platform/files/archivos.server';
import { db } from '~db/shared.server';

export async function loader({ request, params }: LoaderFunctionArgs) {
  const id = z.uuid().safeParse(params.id).data;
  const cfdi = id ? await findArchivoOfRetencion(db(), id) : undefined;
  const archivo = cfdi && (await readArchivo(db(), cfdi.archivoId));
  return download(request, archivo && { archivo, nombre: `retenciones_${cfdi.market}_${cfdi.mes}_${cfdi.uuid}.xml` });
}
