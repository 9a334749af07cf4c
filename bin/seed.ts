/** Seeds the demo. The launcher runs this process after the migrations, beside the worker that makes the first sync. */
import { directUrlOf, env } from '~/core/env.server';
import { log } from '~/core/log.server';
import { handIn } from '~/domain/operacion/handIn.server';
import { enqueueLiquidaciones } from '~/domain/cierre/conciliacion/bringLiquidaciones.server';
import { enqueueCatalogos } from '~/domain/compras/catalogo/lecturas.server';
import { openDatabase } from '~db/client.server';
import type { Db } from '~db/client.server';
import { seedComoSeCompra } from './seed/comoSeCompra';
import { seedCompras } from './seed/compras';
import { linkAmazon, seedDemo, waitForFirstSync } from './seed/demo';
import { seedRecorrido } from './seed/recorrido';
import { seedStock } from './seed/stock';

handIn();

if (!env().SANDBOX_URL) throw new Error('la demostración necesita la sandbox (SANDBOX_URL)');
const database = openDatabase(directUrlOf(env()), { max: 3, name: 'trastienda-seed' });
try {
  // What was bought is known once the catalogues were read, and no page waits for that: the launcher asks for it once everything runs.
  if (process.argv[2] === 'compras') {
    await seedComoSeCompra(database.db);
    await seedCompras(database.db);
    await seedRecorrido(database.db);
    // The clock asks for them every twenty minutes, and somebody who looks around has none to look at until then.
    await enqueueLiquidaciones(database.db);
  } else await seed(database.db);
} finally {
  await database.close();
}

async function seed(db: Db) {
  await seedDemo(db);
  const ventas = await waitForFirstSync(db, 45_000);
  await seedStock(db);
  // Amazon and the catalogues come after the first sales: the first page needs neither.
  await linkAmazon(db);
  await enqueueCatalogos(db);
  log.info('demostración lista', { ventas });
}
