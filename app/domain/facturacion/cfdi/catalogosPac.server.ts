import { findCredential } from '~/platform/connections/credentials.server';
import { refreshCatalogos } from '~/domain/facturacion/sat/catalogos.server';
import { isPaused } from '~/platform/connections/pause.server';
import type { CatalogoSat } from '~db/columns';
import type { Db } from '~db/client.server';
import { connectPacReader } from './emisor.server';

/** The daily reading of the SAT's catalogues at the PAC. Without a link, or while people keep it paused, there is nothing to do. */
export async function refreshCatalogosOfPac(db: Db): Promise<CatalogoSat[]> {
  if ((await findCredential(db, 'facturacom'))?.status !== 'linked' || (await isPaused(db, 'facturacom'))) return [];
  return refreshCatalogos(db, await connectPacReader(db, { timeoutMs: 60_000 }));
}
