import type { LoaderFunctionArgs } from '@remix-run/node';
import { isMes } from '~/core/text';
import { writeDiot } from '~/domain/compras/pagos/diot.server';
import { downloadMade } from '~/http/download.server';
import { XLSX } from '~/platform/lists/xlsx.server';
import { db } from '~db/shared.server';

/** Sends the DIOT of a month as Excel. */
export async function loader({ params: { mes = '' } }: LoaderFunctionArgs) {
  if (!isMes(mes)) throw new Response('No existe.', { status: 404 });
  return downloadMade({ nombre: `DIOT ${mes}.xlsx`, tipo: XLSX, contenido: await writeDiot(db(), mes) });
}
