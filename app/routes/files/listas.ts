import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { mayReadList } from '~/access/lists';
import { landingOf, usuarioOf } from '~/access/session.server';
import { conAncho } from '~/core/columnas';
import { withParams } from '~/core/list';
import type { Usuario } from '~/domain/cuentas/usuario';
import { findList } from '~/domain/exports/lists.server';
import { columnasDe, saveColumnas, widenColumna } from '~/domain/lists/columnas.server';
import { AncharColumna, ElegirColumnas, RestablecerColumnas } from '~/domain/lists/columnasForm';
import { countList, readWindow } from '~/domain/lists/list.server';
import { defineActions, outcome } from '~/http/actions.server';
import { db } from '~db/shared.server';

/** Which list is meant, where this person may read it. */
function listFor(usuario: Usuario, lista = '') {
  return mayReadList(usuario, lista) ? findList(lista) : undefined;
}

const Asked = z.union([
  z.object({ ventana: z.coerce.number().int().min(0), total: z.coerce.number().int().min(0), corte: z.uuid() }),
  z.object({ totales: z.literal('1'), corte: z.uuid() }),
]);

/** A window of a list that a table has open, or its totals, as JSON. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const list = listFor(usuario, params.lista);
  const search = new URL(request.url).searchParams;
  const asked = Asked.safeParse(Object.fromEntries(search));
  if (!list || !asked.success) throw new Response('No existe.', { status: 404 });
  const { corte } = asked.data;
  if ('totales' in asked.data) return Response.json(await countList(db(), list, search, corte, usuario));
  const { ventana: indice, total } = asked.data;
  return Response.json(await readWindow(db(), list, search, { indice, total, corte }, usuario));
}

/** Where it goes back to when that address says how the columns come: it goes on saying it, and nothing is kept. */
function backWith(usuario: Usuario, volver: string, change: (cols: string) => string) {
  const back = new URL(landingOf(usuario, volver), 'http://nadie.invalid');
  const cols = back.searchParams.get('cols');
  return cols === null ? undefined : outcome({ to: back.pathname + withParams(back.search, { cols: change(cols) }) });
}

const back = ({ volver }: { volver: string }, _at: unknown, usuario: Usuario) => landingOf(usuario, volver);

/** How a person has a list, whatever screen it is on. */
export const action = defineActions(
  ({ params, context }: ActionFunctionArgs) => {
    const list = listFor(usuarioOf(context), params.lista);
    if (!list) throw new Response('No existe.', { status: 404 });
    return list;
  },
  {
    columnas: {
      schema: ElegirColumnas,
      run: async (db, form, usuario, { opened: { lista } }) => {
        const columnas = columnasDe(form);
        const back = backWith(usuario, form.volver, () => columnas);
        return back ?? saveColumnas(db, { usuarioId: usuario.id, lista }, columnas);
      },
      to: back,
    },
    ancho: {
      schema: AncharColumna,
      commit: async (trx, { volver, ...wide }, usuario, { opened: { lista } }) => {
        const back = backWith(usuario, volver, (cols) => conAncho(cols, wide.clave, wide.ancho));
        return back ?? widenColumna(trx, { usuarioId: usuario.id, lista }, wide);
      },
      to: back,
    },
    restablecer: {
      schema: RestablecerColumnas,
      run: async (db, { volver }, usuario, { opened: { lista } }) => {
        const back = backWith(usuario, volver, () => '');
        return back ?? saveColumnas(db, { usuarioId: usuario.id, lista }, '');
      },
      to: back,
    },
  },
);
