/**
 * Database functions for the launcher, in a bundle of their own: the launcher starts PostgreSQL and migrates inside its
 * own process.
 */
export { freePort, startEmbedded, stopEmbedded } from '~db/embedded';
export { migrateDatabase } from '~db/migrate';
export { applicationUrlOf, keepSessionSettings } from '~db/rights';
export { backUp, restore, type Secrets } from '~db/respaldo';
