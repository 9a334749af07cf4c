import type { LoaderFunctionArgs } from '@remix-run/node';
import { readNotaFile } from '~/domain/facturacion/notaSencilla/listNotas.server';
import { db } from '~db/shared.server';
import { download } from '~/http/download.server';

/** The PDF of a simple note. */
export async function loader({ request, params: { id = '' } }: LoaderFunctionArgs) {
  return download(request, await readNotaFile(db(), id));
}
