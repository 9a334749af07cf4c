import type { LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useLoaderData } from '@remix-run/react';
import { menuOf } from '~/access/menu';
import { usuarioOf } from '~/access/session.server';
import { env } from '~/core/env.server';
import { takeFlash } from '~/core/flash.server';
import { AreaFrame } from './area/AreaFrame';
import { Notice } from '~/ui/Notice';

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const flash = await takeFlash(request);
  if (flash) context.setCookie(flash.forget);
  return { marca: env().MARCA, usuario, menu: menuOf(usuario.rol), aviso: flash?.aviso ?? null };
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
