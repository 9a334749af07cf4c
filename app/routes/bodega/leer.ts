import type { LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { verEscaneado, verVenta } from '~/domain/stock/bodega.server';
import { leerCodigo, leerFolio } from '~/domain/stock/folio';
import { readQuery } from '~/http/readForm.server';
import { db } from '~db/shared.server';

const Leer = z.object({ texto: z.string().trim().min(1).max(200) });

/** What a label or a number names: a piece, a label that hangs on none yet, or a sale. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { texto } = readQuery(request, Leer);
  const found =
    leerFolio(texto) || leerCodigo(texto)
      ? await verEscaneado(db(), texto)
      : await verVenta(db(), texto).then((venta) => venta && { clase: 'venta' as const, venta });
  return Response.json(found ?? { clase: 'nada' }, { headers: { 'Cache-Control': 'no-store' } });
}
