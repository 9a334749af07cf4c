import type { LoaderFunctionArgs } from '@remix-run/node';
import { PedidoDeUtilidad, writeUtilidadPor } from '~/domain/cierre/reportes/utilidadPor.server';
import { downloadMade } from '~/http/download.server';
import { XLSX } from '~/platform/lists/xlsx.server';
import { db } from '~db/shared.server';

/** Sends the profit of a range by product, supplier, marketplace or category as Excel. */
export async function loader({ request }: LoaderFunctionArgs) {
  const pedido = PedidoDeUtilidad.parse(Object.fromEntries(new URL(request.url).searchParams));
  const { por, desde, hasta } = pedido;
  return downloadMade({
    nombre: `Utilidad por ${por} ${desde} a ${hasta}.xlsx`,
    tipo: XLSX,
    contenido: await writeUtilidadPor(db(), pedido),
  });
}
