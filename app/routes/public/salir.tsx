import { redirect, type ActionFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useActionData } from '@remix-run/react';
import { endedCookie, readToken } from '~/access/session.server';
import { askFirst, isConfirmed } from '~/core/confirm';
import { closeSession } from '~/domain/cuentas/sesiones.server';
import { ConfirmStep } from '~/ui/Confirm';
import { db } from '~db/shared.server';

const PREGUNTA = { titulo: 'Cerrar Sessión', texto: '¿Estas seguro de cerrar la sesión?' };

export const meta: MetaFunction = () => [{ title: PREGUNTA.titulo }];

export async function action({ request }: ActionFunctionArgs) {
  const form = await request.formData();
  if (!isConfirmed(form)) return askFirst(form, PREGUNTA);
  const token = await readToken(request);
  if (token) await closeSession(db(), token);
  return redirect('/login', { headers: { 'Set-Cookie': await endedCookie() } });
}

/** The question as a page, for browsers without JavaScript; with it the menu asks in place. */
export default function Salir() {
  const asked = useActionData<typeof action>();
  return <ConfirmStep pending={asked?.confirmar ?? { ...PREGUNTA, campos: [] }} cancelar="/login" action="/salir" />;
}
