import type { LoaderFunctionArgs } from '@remix-run/node';
import { env } from '~/core/env.server';
import { isSameSecret } from '~/core/seal.server';
import { readMetricas } from '~/domain/operacion/mantenimiento/metricas.server';
import { measurePromesas } from '~/domain/operacion/mantenimiento/promesas.server';
import { writeMetrics } from '~/http/metrics.server';
import { db } from '~db/shared.server';

/** Answers a monitor in Prometheus' text, to whoever sends METRICAS_TOKEN. Without that setting there is nothing here. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { METRICAS_TOKEN } = env();
  if (METRICAS_TOKEN === '') return new Response('No existe.', { status: 404 });
  const [scheme, token = ''] = (request.headers.get('Authorization') ?? '').split(' ');
  if (scheme !== 'Bearer' || !isSameSecret(token, METRICAS_TOKEN))
    return new Response('Falta METRICAS_TOKEN.', { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } });
  const { type, text } = await writeMetrics([...(await readMetricas(db())), ...(await measurePromesas(db()))]);
  return new Response(text, { headers: { 'Content-Type': type, 'Cache-Control': 'no-store' } });
}
