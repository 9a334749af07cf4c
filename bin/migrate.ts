/**
 * `npm run migrate`: brings the database to this version with the account of MIGRACION_URL, and gives the account of
 * DATABASE_URL its rights. With DATABASE_URL alone, that account owns everything, and the account of the application is
 * made beside the owner's. Behind a PgBouncer, DATABASE_URL_DIRECTA takes the place of DATABASE_URL here. With `--revisar` nothing is changed: what the pending migrations would hold up is told.
 */
import { log } from '~/core/log.server';
import { writeCount } from '~/core/count';
import { migrateDatabase } from '~db/migrate';
import { reviewMigrations } from '~db/reviewMigrations';
import { keepSessionSettings } from '~db/rights';

const { DATABASE_URL_DIRECTA: direct, MIGRACION_URL: owner } = process.env;
// Behind a PgBouncer nothing here goes through it.
const url = direct || process.env.DATABASE_URL;
if (!url) {
  console.error('Falta DATABASE_URL.');
  process.exit(1);
}
if (process.argv.includes('--revisar')) {
  try {
    const { pendientes, bloqueos, esperas } = await reviewMigrations(owner || url);
    console.log(pendientes.length === 0 ? 'No hay migraciones pendientes.' : `Pendientes: ${pendientes.join(', ')}.`);
    for (const { migracion, tabla, filas, que } of bloqueos)
      console.log(`${migracion}: «${tabla}» (unas ${writeCount(filas)} filas). ${que}`);
    for (const { migracion, que } of esperas) console.log(`${migracion}: espera y no cambiaría nada: ${que}.`);
    if (pendientes.length > 0 && bloqueos.length === 0) console.log('Ninguna detiene a la web ni al worker.');
    process.exit(0);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
try {
  const { applied, warning } = await migrateDatabase(owner || url, owner ? url : undefined);
  log.info('base al día', { migraciones: applied.length });
  if (direct) await keepSessionSettings(direct);
  if (warning) log.warn(warning);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
