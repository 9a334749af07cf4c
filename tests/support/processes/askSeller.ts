/** One process of several that meet an expired token: waits for the agreed moment, asks who the seller is, prints it. */
import { openMercadolibre } from '~/domain/mercados/ml/cuenta.server';
import { openDatabase } from '~db/client.server';

const { db, close } = openDatabase(process.env.DATABASE_URL!, { max: 2 });
const ml = openMercadolibre(db);
await db.selectFrom('credential').select('version').execute();
process.stdout.write('lista\n');
process.stdin.once('data', () => {
  void ml.usersMe().then(async (me) => {
    await close();
    process.stdout.write(`${me.id}\n`, () => process.exit(0));
  });
});
