import type { LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { landingOf, usuarioOf } from '~/access/session.server';
import { defineActions } from '~/http/actions.server';
import { readQuery } from '~/http/readForm.server';
import { Estoy, listPresent, notePresence, Que } from '~/platform/presencia.server';
import { db } from '~db/shared.server';

const Pedido = z.object({ que: Que.optional().catch(undefined) });

/** Answers who else has a record open: a few bytes, asked by the panel while it is looked at. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { que } = readQuery(request, Pedido);
  const otros = que === undefined ? [] : await listPresent(db(), que, usuarioOf(context).id);
  return Response.json({ otros }, { headers: { 'cache-control': 'no-store' } });
}

/** Takes that a page has a record open. */
export const action = defineActions({
  estoy: {
    schema: Estoy,
    run: (db, estoy, usuario) => notePresence(db, estoy, usuario.id),
    to: (_form, _at, usuario) => landingOf(usuario, ''),
  },
});
