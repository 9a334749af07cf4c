import type { LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useLoaderData } from '@remix-run/react';
import { useMemo } from 'react';
import { menuOf, otrasPantallasOf, type MenuEntry } from '~/access/menu';
import { usuarioOf } from '~/access/session.server';
import { env } from '~/core/env.server';
import { takeFlash } from '~/core/flash.server';
import { countPendientes } from '~/domain/mantenimiento/tablero.server';
import { AreaFrame } from './area/AreaFrame';
import { Notice } from '~/ui/Notice';
import { PantallasProvider } from '~/ui/Pantallas';
import { db } from '~db/shared.server';

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const flash = await takeFlash(request);
  if (flash) context.setCookie(flash.forget);
  const menu: MenuEntry[] = menuOf(usuario.rol);
  const board = menu.find(({ to }) => to === `/${usuario.rol}/pendientes`);
  if (board) board.pendientes = await countPendientes(db());
  return { marca: env().MARCA, usuario, menu, otras: otrasPantallasOf(usuario.rol), aviso: flash?.aviso ?? null };
}

/** The frame of a role; its screens are the routes inside. */
export default function Area() {
  const { marca, usuario, menu, otras, aviso } = useLoaderData<typeof loader>();
  const pantallas = useMemo(() => [...menu, ...otras], [menu, otras]);
  return (
    <AreaFrame marca={marca} area={`/${usuario.rol}`} usuario={usuario} menu={menu}>
      <Notice aviso={aviso} />
      <PantallasProvider value={pantallas}><Outlet /></PantallasProvider>
    </AreaFrame>
  );
}
