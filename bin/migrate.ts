/** `npm run migrate`: brings the database of DATABASE_URL to this version. */
import { log } from '~/core/log.server';
import { migrateDatabase } from '~db/migrate';

const url = process.env.DATABASE_URL;
if (!url) {
  console.error('Falta DATABASE_URL.');
  process.exit(1);
}
try {
  const { applied } = await migrateDatabase(url);
  log.info('base al día', { migraciones: applied.length });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
