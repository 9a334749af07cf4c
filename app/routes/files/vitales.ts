import type { ActionFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { screensOf, type Rol } from '~/access/screens';
import { usuarioOf } from '~/access/session.server';
import { VITALES } from '~/core/vital';
import { noteVital } from '~/http/vitales.server';

/** Longest time that counts: a page that was hidden while it loaded is late for nobody. */
const MAX = 600_000;
/** Most measures of one document: three of each page that its router opened. */
const MUCHOS = 300;

const Medidos = z.object({
  dispositivo: z.enum(['escritorio', 'telefono']),
  medidos: z
    .array(z.object({ pantalla: z.string().max(200), vital: z.string().max(20), valor: z.number().min(0).max(MAX) }))
    .max(MUCHOS),
});

/** Takes what a browser measured of the pages of a document, which it sends when it leaves. It waits for no answer. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { rol } = usuarioOf(context);
  const { data } = Medidos.safeParse(await request.json().catch(() => null));
  if (!data) return new Response(null, { status: 400 });
  for (const { pantalla, vital, valor } of data.medidos) {
    const key = keyOf(pantalla, rol);
    if (key === undefined || VITALES[vital] === undefined) continue;
    noteVital(key, data.dispositivo, vital, valor);
  }
  return new Response(null, { status: 204 });
}

/** Returns the key of the screen of this role at an address; undefined for any other word. */
function keyOf(pathname: string, rol: Rol): string | undefined {
  const [, area, key = ''] = pathname.split('/');
  if (area !== rol) return undefined;
  return screensOf(rol).find(([suya, { home }]) => (key === '' ? home?.includes(rol) : suya === key))?.[0];
}
