import type { ActionFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { usuarioOf } from '~/access/session.server';
import { Id } from '~/core/fields';
import { NotAllowed, diskFullOf } from '~/core/errors';
import { MAX_BYTES, SUBIDA } from '~/domain/operacion/aplicacion/aplicacion';
import {
  startAplicacion,
  receiveAplicacion,
  finishAplicacion,
} from '~/domain/operacion/aplicacion/aplicaciones.server';
import { flash } from '~/http/flash.server';
import { readQuery } from '~/http/readForm.server';
import { receiveFile } from '~/http/upload.server';
import { db } from '~db/shared.server';

const Cuenta = z.coerce.number().int().min(0).max(MAX_BYTES);
const Parte = z.object({ de: Id.optional(), desde: Cuenta, total: Cuenta });

/** Takes a part of an app, from byte `desde` on; without `de` it is the first part. Answers the number of bytes kept, and `lista` once the app is complete. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { id: usuarioId } = usuarioOf(context);
  const { de, desde, total } = readQuery(request, Parte);
  try {
    const id = de ?? (await startAplicacion(db(), usuarioId));
    const bytes = await receiveFile(request, 'archivo', (datos) =>
      receiveAplicacion(db(), { id, desde, usuarioId }, datos),
    );
    if (bytes === undefined || bytes < total) return Response.json({ id, bytes: bytes ?? desde });
    await finishAplicacion(db(), id, usuarioId);
    return Response.json({ id, bytes, lista: true }, { headers: { 'Set-Cookie': await flash(SUBIDA) } });
  } catch (error) {
    const said = error instanceof NotAllowed ? error : diskFullOf(error);
    if (!said) throw error;
    return Response.json({ titulo: said.titulo, texto: said.message }, { status: 422 });
  }
}
