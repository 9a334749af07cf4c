import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { can, requireRight } from '~/access/actions';
import { mayReadList, rolesOfList } from '~/access/lists';
import type { Rol } from '~/access/screens';
import { landingOf, usuarioOf } from '~/access/session.server';
import { withAncho } from '~/core/columnas';
import { withParams } from '~/core/list';
import { direccionOf, estadoOf, SIN_VISTA } from '~/core/vistas';
import type { Usuario } from '~/core/usuario';
import { findList } from '~/domain/operacion/exports/lists.server';
import { columnasOfList, columnasIn, columnasOf, saveColumnas, widenColumna } from '~/platform/lists/columnas.server';
import {
  AncharColumna,
  ElegirColumnas,
  ReponerColumnas,
  RestablecerColumnas,
  ActualizarVista,
  EliminarVista,
  GuardarVista,
  ReponerVista,
} from '~/platform/lists/forms';
import { countInAllDates, countList, readNovedades, readWindow } from '~/platform/lists/list.server';
import { MAX_VISTAS, restoreVista, retireVista, saveVista, updateVista } from '~/platform/lists/vistas.server';
import { defineActions, outcome } from '~/http/actions.server';
import { db } from '~db/shared.server';

/** Returns the list that is meant, where this person may read it. */
function listFor(usuario: Usuario, lista = '') {
  return mayReadList(usuario, lista) ? findList(lista) : undefined;
}

const Asked = z.union([
  z.object({ ventana: z.coerce.number().int().min(0), total: z.coerce.number().int().min(0), corte: z.uuid() }),
  z.object({ novedades: z.coerce.number().int().min(0), total: z.coerce.number().int().min(0), corte: z.uuid() }),
  z.object({ totales: z.literal('1'), corte: z.uuid() }),
  z.object({ enTodas: z.literal('1') }),
  z.object({ fijas: z.literal('1') }),
]);

/** Answers, as JSON, a window of an open list, its totals, its count over all dates, or its news. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const list = listFor(usuario, params.lista);
  const search = new URL(request.url).searchParams;
  const asked = Asked.safeParse(Object.fromEntries(search));
  if (!list || !asked.success) throw new Response('No existe.', { status: 404 });
  if ('enTodas' in asked.data) return Response.json(await countInAllDates(db(), list, search, usuario));
  if ('fijas' in asked.data) return Response.json(await list.countFijas(db(), usuario));
  const { corte } = asked.data;
  if ('totales' in asked.data) return Response.json(await countList(db(), list, search, corte, usuario));
  if ('novedades' in asked.data) {
    const { novedades: indice, total } = asked.data;
    return Response.json(await readNovedades(db(), list, search, { indice, total, corte }, usuario));
  }
  const { ventana: indice, total } = asked.data;
  return Response.json(await readWindow(db(), list, search, { indice, total, corte }, usuario));
}

const addressOf = (path: string) => new URL(path, 'http://nadie.invalid');

/** Returns the address to go back to. An address that names its columns goes on naming them, and nothing is saved. */
function backWith(usuario: Usuario, volver: string, change: (cols: string) => string) {
  const back = addressOf(landingOf(usuario, volver));
  const cols = back.searchParams.get('cols');
  return cols === null ? undefined : outcome({ to: back.pathname + withParams(back.search, { cols: change(cols) }) });
}

const back = ({ volver }: { volver: string }, _at: unknown, usuario: Usuario) => landingOf(usuario, volver);

/** The actions on a person's own state of a list: views and columns. */
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
        const columnas = columnasOfList(form);
        const back = backWith(usuario, form.volver, () => columnas);
        return back ?? saveColumnas(db, { usuarioId: usuario.id, lista }, columnas);
      },
      to: back,
    },
    ancho: {
      schema: AncharColumna,
      commit: async (trx, { volver, ...wide }, usuario, { opened: { lista } }) => {
        const back = backWith(usuario, volver, (cols) => withAncho(cols, wide.clave, wide.ancho));
        return back ?? widenColumna(trx, { usuarioId: usuario.id, lista }, wide);
      },
      to: back,
    },
    guardarVista: {
      schema: GuardarVista,
      commit: async (trx, { volver, id, nombre, densidad, ...asked }, usuario, { opened: { lista, campos } }) => {
        const back = addressOf(landingOf(usuario, volver));
        if (!id) {
          const own = await columnasIn(trx, { usuarioId: usuario.id, lista }, back.searchParams.get('cols'));
          if (own) back.searchParams.set('cols', own);
        }
        if (densidad) back.searchParams.set('densidad', densidad);
        else back.searchParams.delete('densidad');
        const consulta = estadoOf(back.search, campos);
        const readers = new Set<string>(rolesOfList(lista));
        const [roles, iniciales] = [asked.roles, asked.iniciales].map(
          (one) => one.filter((rol) => readers.has(rol)) as Rol[],
        );
        if (!can(usuario, 'listas.compartir') && [...roles!, ...iniciales!].length > 0)
          requireRight(usuario, 'listas.compartir');
        const compartida = can(usuario, 'listas.compartir') ? { roles: roles!, iniciales: iniciales! } : undefined;
        const saved = await saveVista(trx, usuario, { lista, id, nombre, consulta, compartida });
        return saved === null
          ? outcome({ aviso: `No se guardó la vista: caben ${MAX_VISTAS} por lista.` })
          : outcome({
              to: back.pathname + direccionOf(back.search, campos, { id: saved, consulta }),
              aviso: 'Se guardó la vista.',
            });
      },
      to: back,
    },
    actualizarVista: {
      schema: ActualizarVista,
      run: (db, { volver, id }, usuario, { opened: { lista, campos } }) =>
        updateVista(db, usuario, {
          lista,
          id,
          consulta: estadoOf(addressOf(landingOf(usuario, volver)).search, campos),
        }),
      to: back,
      aviso: 'Se guardó la vista.',
    },
    eliminarVista: {
      schema: EliminarVista,
      commit: async (trx, { id }, usuario, { opened: { lista } }) =>
        (await retireVista(trx, usuario, { lista, id })) &&
        outcome({ aviso: 'Se eliminó la vista.', deshacer: { intent: 'reponerVista', id } }),
      to: ({ volver }, { opened: { campos } }, usuario) => {
        const { pathname, search } = addressOf(landingOf(usuario, volver));
        return pathname + withParams(direccionOf(search, campos, null), { vista: SIN_VISTA });
      },
    },
    reponerVista: {
      schema: ReponerVista,
      commit: async (trx, { volver, id }, usuario, { opened: { lista, campos } }) => {
        const vista = await restoreVista(trx, usuario, { lista, id });
        const { pathname, search } = addressOf(landingOf(usuario, volver));
        return vista && outcome({ to: pathname + direccionOf(search, campos, vista) });
      },
      to: back,
    },
    restablecer: {
      schema: RestablecerColumnas,
      commit: async (trx, { volver }, usuario, { opened: { lista } }) => {
        const de = { usuarioId: usuario.id, lista };
        const columnas = await columnasIn(trx, de, addressOf(volver).searchParams.get('cols'));
        const back = backWith(usuario, volver, () => '');
        if (!back) await saveColumnas(trx, de, '');
        return outcome({
          ...back?.said,
          ...(columnas && {
            aviso: 'Se restablecieron las columnas.',
            deshacer: { intent: 'reponerColumnas', columnas, ...(back && { direccion: '1' }) },
          }),
        });
      },
      to: back,
    },
    reponerColumnas: {
      schema: ReponerColumnas,
      run: async (db, { volver, direccion, ...were }, usuario, { opened: { lista } }) => {
        const columnas = columnasOf(were.columnas) ?? '';
        if (!direccion) return saveColumnas(db, { usuarioId: usuario.id, lista }, columnas);
        const { pathname, search } = addressOf(landingOf(usuario, volver));
        return outcome({ to: pathname + withParams(search, { cols: columnas }) });
      },
      to: back,
    },
  },
);
