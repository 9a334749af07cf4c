/** Seeds the demo. The launcher runs this process after the migrations, beside the worker that makes the first sync. */
import { env } from '~/core/env.server';
import { log } from '~/core/log.server';
import { handIn } from '~/domain/operacion/handIn.server';
import { enqueueCatalogos } from '~/domain/compras/catalogo/lecturas.server';
import { openDatabase } from '~db/client.server';
import { linkAmazon, seedDemo, waitForFirstSync } from './seed/demo';
import { seedStock } from './seed/stock';

handIn();

if (!env().SANDBOX_URL) throw new Error('la demostración necesita la sandbox (SANDBOX_URL)');
const database = openDatabase(env().DATABASE_URL, { max: 3, name: 'trastienda-seed' });
try {
  await seedDemo(database.db);
  const ventas = await waitForFirstSync(database.db, 45_000);
  await seedStock(database.db);
  // Amazon and the catalogues come after the first sales: the first page needs neither.
  await linkAmazon(database.db);
  await enqueueCatalogos(database.db);
  log.info('demostración lista', { ventas });
} finally {
  await database.close();
}
