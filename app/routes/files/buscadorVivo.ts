import type { LoaderFunctionArgs } from '@remix-run/node';
import { toWire } from '~/core/list';
import { askProveedores } from '~/domain/compras/catalogo/buscador.server';
import { Hallar } from '~/domain/compras/catalogo/forms';
import { readQuery } from '~/http/readForm.server';
import { db } from '~db/shared.server';

/** Answers one supplier's live result for the finder's words. The request counts against the supplier's budget, and nothing of the answer is kept. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const { q } = readQuery(request, Hallar);
  const respuesta = q === '' ? null : await askProveedores(db(), params.proveedor ?? '', q);
  return Response.json(toWire(respuesta), { headers: { 'Cache-Control': 'no-store' } });
}
