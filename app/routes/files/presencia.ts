import type { LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { SCREENS, type Rol } from '~/access/screens';
import { landingOf, usuarioOf } from '~/access/session.server';
import { defineActions } from '~/http/actions.server';
import { readQuery } from '~/http/readForm.server';
import { Estoy, listPresent, notePresence, Que } from '~/platform/presencia.server';
import { db } from '~db/shared.server';

const Pedido = z.object({ que: Que.optional().catch(undefined) });

/** The screens that show the panel of each kind of record. */
const PANTALLAS = new Map<string, readonly (keyof typeof SCREENS)[]>([
  ['pregunta', ['preguntas', 'responderPreguntas']],
  ['reclamo', ['reclamos']],
  ['factura', ['facturasClientes']],
  ['pedido', ['ordenesPorConfirmar', 'ordenesCT']],
  ['venta', ['facturacion', 'ordenes', 'ordenesActivas', 'ordenesCanceladas', 'cotizarEnvios']],
]);

function mayOpen(que: string, rol: Rol): boolean {
  const roles = PANTALLAS.get(que.split(':', 1)[0]!)!.map((pantalla): readonly Rol[] => SCREENS[pantalla].roles);
  return roles.some((suyos) => suyos.includes(rol));
}

/** Answers who else has a record open: a few bytes, asked by the panel while it is looked at. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { id, rol } = usuarioOf(context);
  const { que } = readQuery(request, Pedido);
  const otros = que !== undefined && mayOpen(que, rol) ? await listPresent(db(), que, id) : [];
  return Response.json({ otros }, { headers: { 'cache-control': 'no-store' } });
}

/** Takes that a page has a record open. Nothing is written of a record that the person has no screen for. */
export const action = defineActions({
  estoy: {
    schema: Estoy,
    run: async (db, estoy, { id, rol }) => {
      if (mayOpen(estoy.que, rol)) await notePresence(db, estoy, id);
    },
    to: (_form, _at, usuario) => landingOf(usuario, ''),
  },
});
