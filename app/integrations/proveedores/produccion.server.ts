import { env } from '~/core/env.server';
import { Refused } from '../errors';

const LOCAL = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Throws `Refused` unless the host is local or the installation may buy from real suppliers. The gate looks at the host, so no other setting opens
 * it.
 */
export function requireProduccion(baseUrl: string): void {
  if (LOCAL.has(new URL(baseUrl).hostname) || env().PROVEEDORES_PRODUCCION === 'si') return;
  throw new Refused(
    'Este servidor no compra en proveedores reales: PROVEEDORES_PRODUCCION no dice si en su configuración.',
    { code: 'produccion' },
  );
}
