import type { LoaderFunctionArgs } from '@remix-run/node';
import { periodoDeCuenta, writeEstadoDeCuenta } from '~/domain/compras/pagos/estadoDeCuenta.server';
import { downloadMade } from '~/http/download.server';
import { XLSX } from '~/platform/lists/xlsx.server';
import { db } from '~db/shared.server';

/** Sends the account of a supplier in a range of days as Excel. */
export async function loader({ request, params: { proveedor = '' } }: LoaderFunctionArgs) {
  const periodo = periodoDeCuenta(new URL(request.url).searchParams);
  const escrito = await writeEstadoDeCuenta(db(), proveedor, periodo);
  if (!escrito) throw new Response('No existe.', { status: 404 });
  return downloadMade({ ...escrito, tipo: XLSX });
}
