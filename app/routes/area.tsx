import type { LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useLoaderData } from '@remix-run/react';
import { menuOf, type MenuEntry } from '~/access/menu';
import { usuarioOf } from '~/access/session.server';
import { env } from '~/core/env.server';
import { takeFlash } from '~/core/flash.server';
import { countUnresolved } from '~/domain/effects/resolve.server';
import { AreaFrame } from './area/AreaFrame';
import { Notice } from '~/ui/Notice';
import { db } from '~db/shared.server';

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const flash = await takeFlash(request);
  if (flash) context.setCookie(flash.forget);
  const menu: MenuEntry[] = menuOf(usuario.rol);
  const board = menu.find(({ to }) => to === `/${usuario.rol}/pendientes`);
  if (board) board.pendientes = await countUnresolved(db());
  return { marca: env().MARCA, usuario, menu, aviso: flash?.aviso ?? null };
}

/** The frame of a role; its screens are the routes inside. */
export default function Area() {
  const { marca, usuario, menu, aviso } = useLoaderData<typeof loader>();
  return (
    <AreaFrame marca={marca} area={`/${usuario.rol}`} usuario={usuario} menu={menu}>
      <Notice aviso={aviso} />
      <Outlet />
    </AreaFrame>
  );
}
