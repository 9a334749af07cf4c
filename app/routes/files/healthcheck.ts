import type { LoaderFunctionArgs } from '@remix-run/node';
import { findSession } from '~/access/session.server';
import { env } from '~/core/env.server';
import { isSameSecret } from '~/core/seal.server';
import { readDetalles, readSalud } from '~/domain/operacion/mantenimiento/salud.server';
import { db } from '~db/shared.server';

/** For whoever watches the product: 200, or 503 saying what is missing. What does not stop it stands under `detalles`, for who may see it. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { sana, ...partes } = await readSalud(db());
  const detalles =
    partes.database === 'ok' && (await mayLookInside(request, context.ip)) ? await readDetalles(db()) : undefined;
  return Response.json(
    { ...partes, ...(detalles && { detalles }) },
    { status: sana ? 200 : 503, headers: { 'Cache-Control': 'no-store' } },
  );
}

/** This machine, as `callerAddress` writes it. */
const OWN = new Set(['127.0.0.1', '0:0:0:0::/64']);

/** Who sees to it: sa and admin, and what runs on this machine with the token of its settings. */
async function mayLookInside(request: Request, ip: string): Promise<boolean> {
  const [scheme, token = ''] = (request.headers.get('Authorization') ?? '').split(' ');
  const { SALUD_TOKEN } = env();
  if (scheme === 'Bearer' && SALUD_TOKEN !== '') return OWN.has(ip) && isSameSecret(token, SALUD_TOKEN);
  const sesion = await findSession(db(), request);
  return sesion?.usuario.rol === 'sa' || sesion?.usuario.rol === 'admin';
}
