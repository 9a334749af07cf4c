import type { LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useLoaderData, useLocation } from '@remix-run/react';
import { useMemo } from 'react';
import { menuOf, otrasPantallasOf, type MenuEntry } from '~/access/menu';
import { screensOf } from '~/access/screens';
import { sesionOf, usuarioOf } from '~/access/session.server';
import { env } from '~/core/env.server';
import { mirrorApariencia } from '~/http/aspecto.server';
import { takeFlash } from '~/http/flash.server';
import { listPausadas } from '~/domain/cuentas/empresas.server';
import { listCondiciones } from '~/domain/mantenimiento/condiciones.server';
import { countPendientes } from '~/domain/mantenimiento/tablero.server';
import { AreaFrame } from './AreaFrame';
import { Pausadas } from '../parts/conexiones/Pausadas';
import { Condiciones } from '../parts/Condiciones';
import { DensidadProvider } from '~/ui/Densidad';
import { Notice } from '~/ui/Notice';
import { PantallasProvider } from '~/ui/Pantallas';
import { db } from '~db/shared.server';

/** Who can see to what is wrong with the installation. */
const ATIENDEN: ReadonlySet<string> = new Set(['sa', 'admin']);

/** The frame of who has to make a second factor before anything opens. */
const NADA = {
  menu: [] as MenuEntry[],
  otras: [] as MenuEntry[],
  pausadas: [] as Awaited<ReturnType<typeof listPausadas>>,
  condiciones: [] as Awaited<ReturnType<typeof listCondiciones>>,
  puedeActivar: false,
  pantallaDeInicio: '',
};

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const { preferencias, debeActivar } = sesionOf(context);
  const mirror = await mirrorApariencia(request, preferencias.apariencia);
  if (mirror) context.setCookie(mirror);
  const flash = await takeFlash(request);
  if (flash) context.setCookie(flash.forget);
  const aviso = flash?.aviso ?? null;
  if (debeActivar) return { marca: env().MARCA, usuario, preferencias, aviso, ...NADA };
  const menu: MenuEntry[] = menuOf(usuario.rol);
  const pantallas = screensOf(usuario.rol);
  const board = menu.find(({ to }) => to === `/${usuario.rol}/pendientes`);
  const [pendientes, pausadas, condiciones] = await Promise.all([
    board && countPendientes(db()),
    listPausadas(db()),
    ATIENDEN.has(usuario.rol) ? listCondiciones(db()) : [],
  ]);
  if (board) board.pendientes = pendientes;
  return {
    marca: env().MARCA,
    usuario,
    preferencias,
    menu,
    otras: otrasPantallasOf(usuario.rol),
    aviso,
    pausadas,
    condiciones,
    puedeActivar: pantallas.some(([key]) => key === 'empresas'),
    pantallaDeInicio: pantallas.find(([, screen]) => screen.home?.includes(usuario.rol))?.[0] ?? '',
  };
}

/** The frame of a role; its screens are the routes inside. */
export default function Area() {
  const { marca, usuario, preferencias, menu, otras, aviso, pausadas, condiciones, puedeActivar, pantallaDeInicio } =
    useLoaderData<typeof loader>();
  const pantalla = useLocation().pathname.split('/')[2] || pantallaDeInicio;
  const pantallas = useMemo(() => [...menu, ...otras], [menu, otras]);
  return (
    <AreaFrame marca={marca} area={`/${usuario.rol}`} usuario={usuario} preferencias={preferencias} menu={menu}>
      <Notice aviso={aviso} />
      <Condiciones condiciones={condiciones} pantallas={pantallas} />
      <Pausadas
        pausadas={pausadas.filter(({ pantallas }) => pantallas.includes(pantalla))}
        area={`/${usuario.rol}`}
        puedeActivar={puedeActivar}
      />
      <DensidadProvider value={preferencias.densidad}>
        <PantallasProvider value={pantallas}>
          <Outlet />
        </PantallasProvider>
      </DensidadProvider>
    </AreaFrame>
  );
}
