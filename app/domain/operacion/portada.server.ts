import { createHash } from 'node:crypto';
import { listPausadas } from '~/domain/personal/empresas.server';
import { listUltimasVentas } from '~/domain/ventas/ordenes/ultimasVentas.server';
import { readOrLast } from '~/platform/hoy/leida.server';
import type { Db } from '~db/client.server';
import { listFreshness } from '~/domain/sync/freshness.server';

const VENTAS = 8;

/**
 * Returns the newest sales and their sources, as 'Hoy' shows them, each told by its last reading where it cannot be read. `marca` changes with any of them, and
 * every minute, since the page tells ages.
 */
export async function readPortada(db: Db, now = new Date()) {
  const [ventas, fuentes, pausadas] = await Promise.all([
    readOrLast(db, 'ultimasVentas', () => listUltimasVentas(db, VENTAS)),
    readOrLast(db, 'fuentes', () => listFreshness(db, now)),
    readOrLast(db, 'pausadas', () => listPausadas(db)),
  ]);
  const marca = createHash('sha256')
    .update(JSON.stringify([ventas, fuentes, pausadas, Math.floor(now.getTime() / 60_000)]))
    .digest('base64url')
    .slice(0, 20);
  return { ventas, fuentes, pausadas, marca, ahora: now };
}
