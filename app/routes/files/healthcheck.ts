import type { LoaderFunctionArgs } from '@remix-run/node';
import { findSession } from '~/access/session.server';
import { env } from '~/core/env.server';
import { isSameSecret } from '~/core/seal.server';
import { readSalud } from '~/domain/operacion/mantenimiento/salud.server';
import { db } from '~db/shared.server';

/** Answers 200, or 503 with the missing part, for a monitor. Faults that stop nothing stand under `detalles`, for people who may see them. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { sana, ...partes } = await readSalud(db(), () => mayLookInside(request, context.ip));
  return Response.json(partes, { status: sana ? 200 : 503, headers: { 'Cache-Control': 'no-store' } });
}

/** The addresses of this machine, as `callerAddress` writes them. */
const OWN = new Set(['127.0.0.1', '0:0:0:0::/64']);

/** True for sa and admin, and for a process of this machine that sends the token of the settings. */
async function mayLookInside(request: Request, ip: string): Promise<boolean> {
  const [scheme, token = ''] = (request.headers.get('Authorization') ?? '').split(' ');
  const { SALUD_TOKEN } = env();
  if (scheme === 'Bearer' && SALUD_TOKEN !== '') return OWN.has(ip) && isSameSecret(token, SALUD_TOKEN);
  const sesion = await findSession(db(), request);
  return sesion?.usuario.rol === 'sa' || sesion?.usuario.rol === 'admin';
}
