/** Run by the launcher of the demo, after the migrations and beside the worker, which does the first sync. */
import { env } from '~/core/env.server';
import { log } from '~/core/log.server';
import { handInFarSides } from '~/domain/operacion/farSides.server';
import { enqueueCatalogos } from '~/domain/compras/catalogo/lecturas.server';
import { openDatabase } from '~db/client.server';
import { seedDemo, waitForFirstSync } from './seed/demo';
import { seedStock } from './seed/stock';

handInFarSides();

if (!env().SANDBOX_URL) throw new Error('la demostración necesita la sandbox (SANDBOX_URL)');
const database = openDatabase(env().DATABASE_URL, { max: 3, name: 'trastienda-seed' });
try {
  await seedDemo(database.db);
  const ventas = await waitForFirstSync(database.db, 45_000);
  await seedStock(database.db);
  // Behind the sales: nobody waits for them to see the first page.
  await enqueueCatalogos(database.db);
  log.info('demostración lista', { ventas });
} finally {
  await database.close();
}
