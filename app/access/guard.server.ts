import {
  data,
  redirect,
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  type ServerBuild,
} from '@remix-run/node';
import { withVuelta } from '~/core/vuelta';
import type { Sesion } from '~/domain/personal/sesiones.server';
import { db } from '~db/shared.server';
import { recordNegado } from '~/domain/personal/negados.server';
import { files, filesOf, ROLES, screensOf, type Rol } from './screens';
import { cookiesToRenew, findSession } from './session.server';

type Args = LoaderFunctionArgs | ActionFunctionArgs;
export type DataFunction = (args: Args) => unknown;
/**
 * Wraps a loader or an action, so that its answers and failures become what `~/http/answers.server` says. The wrapper is told whether a page shows them,
 * and which action holds the page's forms.
 */
export type Door = (id: string, run: DataFunction, screen: { page: boolean; action?: unknown }) => DataFunction;
type Access = 'open' | { roles: readonly Rol[] };
type Found = Sesion & { token: string };

const ROL_EQUIVOCADO = {
  titulo: 'Error de autenticación.',
  texto: 'El rol de este usuario no tiene acceso a esta pagina.',
} as const;

const NO_RECIBE = 'Esta pantalla no recibe datos.';
const SOLO_RECIBE = 'Esta dirección solo recibe datos.';

/**
 * Returns the build with every loader and action behind its row of the table; server.ts hands it to Remix, so a screen cannot forget to ask. A page
 * without a loader gets an empty one. A file without a loader, and a route without an action, refuse like the rest of their area.
 */
export function guardBuild(build: ServerBuild, door: Door): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) throw new Error(`the build has no module for the route ${id}`);
    const { loader, action } = route.module;
    const page = route.module.default !== undefined;
    const read = (loader as DataFunction | undefined) ?? (page ? () => null : refuse(SOLO_RECIBE));
    const write = (action as DataFunction | undefined) ?? refuse(NO_RECIBE);
    const module = {
      ...route.module,
      loader: door(id, behindGuard(id, read), { page, action }),
      action: door(id, behindGuard(id, write), { page }),
    };
    return [id, { ...route, module }];
  });
  return { ...build, routes: Object.fromEntries(routes) };
}

/** Returns who may pass a route, read from the table once at start-up. Throws for an id that is not in the table, which stops the start. */
export function accessOf(id: string): Access {
  if (id === 'root' || id === 'public' || id.startsWith('public/')) return 'open';
  const standalone = files.find(([key, row]) => row.at !== 'area' && id === `files/${key}`)?.[1];
  if (standalone) return standalone.at === 'abierta' ? 'open' : { roles: standalone.roles };
  const rol = ROLES.find((one) => id === one || id.startsWith(`${one}/`));
  const rows = rol
    ? [
        rol,
        ...screensOf(rol).flatMap(([key, screen]) =>
          screen.home?.includes(rol) ? [`${rol}/${key}`, `${rol}/home`] : [`${rol}/${key}`],
        ),
        ...filesOf(rol).map(([key]) => `${rol}/${key}`),
      ]
    : [];
  if (!rol || !rows.includes(id)) throw new Error(`the route ${id} is not in the table of screens`);
  return { roles: [rol] };
}

function behindGuard(id: string, run: DataFunction): DataFunction {
  const access = accessOf(id);
  return async (args) => {
    if (access !== 'open') {
      const sesion = await admit(args, access.roles, id);
      if (sesion.debeActivar && !isWhereOneActivates(id, sesion.usuario.rol)) throw leadTo(args, sesion.usuario.rol);
      Object.assign(args.context, { sesion, usuario: sesion.usuario });
    }
    return run(args);
  };
}

/** A person who must have a second factor and has none yet opens only the screen that makes one, in the frame of the area. */
const isWhereOneActivates = (id: string, rol: Rol) => id === rol || id === `${rol}/segundoFactor`;

function leadTo({ request }: Args, rol: Rol): Response {
  return redirect(withVuelta(`/${rol}/segundoFactor`, addressOf(request)));
}

function addressOf(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return pathname.replace(/\.data$/, '') + search;
}

/** The session of a request. Its loaders run side by side and share the context, so one look serves all of them. */
const sessions = new WeakMap<AppLoadContext, Promise<Found | null>>();

async function admit({ request, context }: Args, roles: readonly Rol[], id: string): Promise<Found> {
  const asked = sessions.get(context) ?? lookUp(request, context);
  sessions.set(context, asked);
  const sesion = await asked;
  if (!sesion) throw redirect(withVuelta('/login', addressOf(request)));
  if (!roles.includes(sesion.usuario.rol)) {
    await recordNegado(db(), sesion.usuario, { donde: id, direccion: context.ip });
    throw data(ROL_EQUIVOCADO, { status: 403 });
  }
  return sesion;
}

async function lookUp(request: Request, context: AppLoadContext) {
  const sesion = await findSession(db(), request, context.ip);
  if (sesion) for (const cookie of await cookiesToRenew(request, sesion)) context.setCookie(cookie);
  return sesion;
}

const refuse = (texto: string) => () => {
  throw data({ titulo: 'Error.', texto }, { status: 405 });
};
