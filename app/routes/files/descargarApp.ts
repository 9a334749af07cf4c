import { redirect, type LoaderFunctionArgs } from '@remix-run/node';
import { landingOf, usuarioOf } from '~/access/session.server';
import { z } from 'zod';
import { env } from '~/core/env.server';
import { Id } from '~/core/fields';
import { findAplicacion, readTramo } from '~/domain/operacion/aplicacion/aplicaciones.server';
import { flash } from '~/http/flash.server';
import { readQuery } from '~/http/readForm.server';
import { streamFile } from '~/http/streamFile.server';
import { TIPO_DE_APP } from '~/domain/operacion/aplicacion/aplicacion';
import { db } from '~db/shared.server';

const Cual = z.object({ id: Id.optional() });

/** Sends the app that telephones install, or the version that sa asks for. A broken download goes on where it stopped. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const { id } = readQuery(request, Cual);
  const found = id !== undefined && usuario.rol !== 'sa' ? undefined : await findAplicacion(db(), id ?? null);
  if (!found) {
    if (id !== undefined) throw new Response('No existe.', { status: 404 });
    return redirect(landingOf(usuario, null), { headers: { 'Set-Cookie': await flash('Todavía no hay una app.') } });
  }
  return streamFile(request, {
    nombre: `${env().MARCA}.${found.formato}`,
    tipo: TIPO_DE_APP[found.formato],
    bytes: found.bytes,
    etag: `"${found.sha256.toString('hex')}"`,
    lee: (from, to) => readTramo(db(), found.id, from, to),
  });
}
