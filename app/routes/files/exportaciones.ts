import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { mayReadList } from '~/access/lists';
import { landingOf, usuarioOf } from '~/access/session.server';
import { findList } from '~/domain/exports/lists.server';
import { dismissExport, exportsOf, requestExport } from '~/domain/lists/exportRuns.server';
import { db } from '~db/shared.server';

/** How far the exports of whoever asks are. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const lista = new URL(request.url).searchParams.get('lista') ?? undefined;
  return Response.json(await exportsOf(db(), usuarioOf(context).id, lista));
}

const Sent = z.object({
  lista: z.string().default(''),
  search: z.string().max(2_000).default(''),
  volver: z.string().default(''),
  quitar: z.uuid().optional(),
});

/** Asks for the Excel of a list, or takes a finished one off the page; either way back to the list. */
export async function action({ request, context }: ActionFunctionArgs) {
  const usuario = usuarioOf(context);
  const { lista, search, volver, quitar } = Sent.parse(Object.fromEntries(await request.formData()));
  if (quitar) await dismissExport(db(), { id: quitar, usuarioId: usuario.id });
  else if (mayReadList(usuario, lista) && findList(lista))
    await db()
      .transaction()
      .execute((trx) => requestExport(trx, { lista, search, usuarioId: usuario.id }));
  else throw new Response('No existe.', { status: 404 });
  return redirect(landingOf(usuario, volver));
}
