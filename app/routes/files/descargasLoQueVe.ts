import type { LoaderFunctionArgs } from '@remix-run/node';
import { isMes } from '~/core/text';
import { writeLoQueVe } from '~/domain/facturacion/plataformas/loQueVe.server';
import { downloadMade } from '~/http/download.server';
import { XLSX } from '~/platform/lists/xlsx.server';
import { db } from '~db/shared.server';

/** Sends a year of 'Lo que el SAT ve' as Excel. */
export async function loader({ params: { anio = '' } }: LoaderFunctionArgs) {
  if (!isMes(`${anio}-01`)) throw new Response('No existe.', { status: 404 });
  return downloadMade({
    nombre: `Lo que el SAT ve ${anio}.xlsx`,
    tipo: XLSX,
    contenido: await writeLoQueVe(db(), anio),
  });
}
