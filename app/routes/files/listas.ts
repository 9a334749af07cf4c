import type { LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { mayReadList } from '~/access/lists';
import { usuarioOf } from '~/access/session.server';
import { findList } from '~/domain/exports/lists.server';
import { countList, readWindow } from '~/domain/lists/list.server';
import { db } from '~db/shared.server';

const Asked = z.union([
  z.object({ ventana: z.coerce.number().int().min(0), total: z.coerce.number().int().min(0), corte: z.uuid() }),
  z.object({ totales: z.literal('1'), corte: z.uuid() }),
]);

/** A window of a list that a table has open, or its totals, as JSON. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const lista = params.lista ?? '';
  const usuario = usuarioOf(context);
  const list = mayReadList(usuario, lista) ? findList(lista) : undefined;
  const search = new URL(request.url).searchParams;
  const asked = Asked.safeParse(Object.fromEntries(search));
  if (!list || !asked.success) throw new Response('No existe.', { status: 404 });
  const { corte } = asked.data;
  if ('totales' in asked.data) return Response.json(await countList(db(), list, search, corte, usuario));
  const { ventana: indice, total } = asked.data;
  return Response.json(await readWindow(db(), list, search, { indice, total, corte }, usuario));
}
