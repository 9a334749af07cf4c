import type { LoaderFunctionArgs } from '@remix-run/node';
import { isCp } from '~/core/codigoPostal';
import { buscarCp } from '~/domain/catalogo/codigosPostales.server';
import { takeRate } from '~/domain/cuentas/rateLimit.server';
import { db } from '~db/shared.server';

/** Somebody filling in a form tries a few; whoever wants the whole table has SEPOMEX's file. */
const LIMITS = [
  { hits: 20, seconds: 60 },
  { hits: 200, seconds: 86_400 },
];

/** The same look-up for people without a session. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const cp = params.cp ?? '';
  if (!isCp(cp)) return Response.json({ tipo: 'desconocido' });
  for (const limit of LIMITS) {
    const taken = await takeRate(db(), `cp:${limit.seconds}:${context.ip}`, limit);
    if (taken.allowed) continue;
    return Response.json(
      {
        texto:
          'Se buscaron demasiados códigos postales desde esta dirección. Escribe la dirección a mano o inténtalo más tarde.',
      },
      { status: 429, headers: { 'Retry-After': String(taken.retryAfterSeconds) } },
    );
  }
  return Response.json(await buscarCp(db(), cp), { headers: { 'Cache-Control': 'private, max-age=3600' } });
}
