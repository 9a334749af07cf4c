import type { LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { usuarioOf } from '~/access/session.server';
import { viewEscaneado, viewVenta } from '~/domain/compras/stock/bodega.server';
import { listPorRecibir } from '~/domain/compras/stock/devoluciones.server';
import { parseCodigo, parseFolio } from '~/domain/compras/stock/pieza';
import { readQuery } from '~/http/readForm.server';
import { db } from '~db/shared.server';

const Leer = z.object({ texto: z.string().trim().min(1).max(200).optional() });

/** Looks up a scanned label or a number: a piece, a blank label, or a sale. Without a code it answers the returns that wait to be received. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { texto } = readQuery(request, Leer);
  const found = !texto
    ? { clase: 'porRecibir' as const, ...(await listPorRecibir(db(), usuarioOf(context))) }
    : parseFolio(texto) || parseCodigo(texto)
      ? await viewEscaneado(db(), texto)
      : await viewVenta(db(), texto).then((venta) => venta && { clase: 'venta' as const, venta });
  return Response.json(found ?? { clase: 'nada' }, { headers: { 'Cache-Control': 'no-store' } });
}
