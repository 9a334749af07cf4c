/**
 * `npm run migrate`: brings the database to this version with the account of MIGRACION_URL, and gives the account of
 * DATABASE_URL its rights. With DATABASE_URL alone, that account owns everything, and the account of the application is
 * made beside the owner's.
 */
import { log } from '~/core/log.server';
import { migrateDatabase } from '~db/migrate';

const { DATABASE_URL: url, MIGRACION_URL: owner } = process.env;
if (!url) {
  console.error('Falta DATABASE_URL.');
  process.exit(1);
}
try {
  const { applied, warning } = await migrateDatabase(owner || url, owner ? url : undefined);
  log.info('base al día', { migraciones: applied.length });
  if (warning) log.warn(warning);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
