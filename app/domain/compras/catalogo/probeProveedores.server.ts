import { listCredentials } from '~/platform/connections/credentials.server';
import { checkConnection } from '~/platform/connections/list.server';
import { isPaused } from '~/platform/connections/pause.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import type { Db } from '~db/client.server';

/** One harmless read at each linked supplier: a key that stopped serving is told before somebody needs it. Nobody asked, so people go before it. */
export async function probeProveedores(db: Db): Promise<void> {
  const linked = new Set((await listCredentials(db)).map(({ connection }) => connection));
  await Promise.all(
    CONNECTIONS.all().map(async ({ kind, proveedor }) => {
      if (!proveedor || !linked.has(kind) || !CONNECTIONS.isKind(kind) || (await isPaused(db, kind))) return;
      await checkConnection(db, kind, () => proveedor.leer(db, 'maquina').comprobar());
    }),
  );
}
