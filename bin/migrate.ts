/**
 * `npm run migrate`: brings the database to this version with the account of MIGRACION_URL, and gives the account of
 * DATABASE_URL its rights. With DATABASE_URL alone, that account owns everything, and the account of the application is
 * made beside the owner's. Behind a PgBouncer, DATABASE_URL_DIRECTA takes the place of DATABASE_URL here. Each pending migration is told in a line before the first one runs: what it does and what it
 * holds up. With `--revisar` that is all, and nothing is changed.
 */
import { log } from '~/core/log.server';
import { migrateDatabase } from '~db/migrate';
import { reviewMigrations } from '~db/reviewMigrations';
import { keepSessionSettings } from '~db/rights';
import { linesOf } from './tellRevision';

const { DATABASE_URL_DIRECTA: direct, MIGRACION_URL: owner } = process.env;
// Behind a PgBouncer nothing here goes through it.
const url = direct || process.env.DATABASE_URL;
if (!url) {
  console.error('Falta DATABASE_URL.');
  process.exit(1);
}
if (process.argv.includes('--revisar')) {
  try {
    const lines = linesOf(await reviewMigrations(owner || url));
    console.log(lines.length === 0 ? 'No hay migraciones pendientes.' : lines.join('\n'));
    process.exit(0);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
await tellWhatComes(owner || url);
try {
  const { applied, warning } = await migrateDatabase(owner || url, owner ? url : undefined);
  log.info('base al día', { migraciones: applied.length });
  if (direct) await keepSessionSettings(direct);
  if (warning) log.warn(warning);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

/** Says what is about to be done. An account that may not make the scratch database of a review migrates all the same. */
async function tellWhatComes(at: string) {
  try {
    for (const line of linesOf(await reviewMigrations(at))) console.log(line);
  } catch (error) {
    console.log(`Sin revisar qué detiene cada una: ${error instanceof Error ? error.message : String(error)}`);
  }
}
