import type { LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { findArchivoOfPago } from '~/domain/compras/pagos/pagos.server';
import { db } from '~db/shared.server';
import { download, show } from '~/http/download.server';

/** A paper of a payment: shown where it is a picture or a PDF, else saved. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const [pago, archivo] = [params.pago, params.archivo].map((id) => z.uuid().safeParse(id).data);
  const found = pago && archivo ? await findArchivoOfPago(db(), pago, archivo) : undefined;
  const guardar = new URL(request.url).searchParams.has('descargar');
  return guardar ? download(request, found) : show(request, found);
}
