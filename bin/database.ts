/**
 * Database functions for the launcher, in a bundle of their own: the launcher starts PostgreSQL and migrates inside its
 * own process.
 */
export { bucketOf } from '~/core/env.server';
export { bringFromBucket, copyToBucket, listEnBucket } from '~/domain/operacion/mantenimiento/respaldoEnBucket.server';
export { clusterOf, freePort, startEmbedded, stopEmbedded } from '~db/embedded';
export { migrateDatabase } from '~db/migrate';
export { applicationUrlOf, keepSessionSettings } from '~db/rights';
export { backUp, restore, type Secrets } from '~db/respaldo';
