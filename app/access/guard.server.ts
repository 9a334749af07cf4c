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
import { files, filesOf, ROLES, screensOf, type Rol } from './screens';
import { cookiesToRenew, findSession } from './session.server';

type Args = LoaderFunctionArgs | ActionFunctionArgs;
export type DataFunction = (args: Args) => unknown;
/**
 * Stands around every loader and action, whoever may pass: what their answers and their failures become (`~/http/answers.server`). Whether
 * there is a page to show them, and the action whose forms it holds, comes with them.
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
 * server.ts hands Remix this build, so a screen cannot forget to ask: every loader and action stands behind its row of the table. A page without
 * a loader gets an empty one; a file without one, and what has no action, refuse, so all answer like the rest of their area.
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

/** Who may pass, read from the table once at start-up. An id that is not in it stops the start. */
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
      const sesion = await admit(args, access.roles);
      if (sesion.debeActivar && !isWhereOneActivates(id, sesion.usuario.rol)) throw leadTo(args, sesion.usuario.rol);
      Object.assign(args.context, { sesion, usuario: sesion.usuario });
    }
    return run(args);
  };
}

/** Who has to have a second factor and has none yet opens nothing but the screen that makes it, in the frame of their area. */
const isWhereOneActivates = (id: string, rol: Rol) => id === rol || id === `${rol}/segundoFactor`;

function leadTo({ request }: Args, rol: Rol): Response {
  return redirect(withVuelta(`/${rol}/segundoFactor`, addressOf(request)));
}

function addressOf(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return pathname.replace(/\.data$/, '') + search;
}

/** The loaders of one request run side by side and share its context: one look at the session serves them all. */
const sessions = new WeakMap<AppLoadContext, Promise<Found | null>>();

async function admit({ request, context }: Args, roles: readonly Rol[]): Promise<Found> {
  const asked = sessions.get(context) ?? lookUp(request, context);
  sessions.set(context, asked);
  const sesion = await asked;
  if (!sesion) throw redirect(withVuelta('/login', addressOf(request)));
  if (!roles.includes(sesion.usuario.rol)) throw data(ROL_EQUIVOCADO, { status: 403 });
  return sesion;
}

async function lookUp(request: Request, context: AppLoadContext) {
  const sesion = await findSession(db(), request);
  if (sesion) for (const cookie of await cookiesToRenew(request, sesion)) context.setCookie(cookie);
  return sesion;
}

const refuse = (texto: string) => () => {
  throw data({ titulo: 'Error.', texto }, { status: 405 });
};
