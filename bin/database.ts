/**
 * Database functions for the launcher, in a bundle of their own: the launcher starts PostgreSQL and migrates inside its
 * own process.
 */
export { bucketOf } from '~/core/env.server';
export { openBucket } from '~/domain/operacion/respaldos/bucket.server';
export { findBase, listPendientes, moveBase, moveWal } from '~/domain/operacion/respaldos/traslado.server';
export { bringRespaldo, listGuardados } from '~/domain/operacion/respaldos/traer.server';
export { clusterOf, freePort, startEmbedded, stopEmbedded } from '~db/embedded';
export { migrateDatabase } from '~db/migrate';
export { applicationUrlOf, keepSessionSettings } from '~db/rights';
export { backUp, restore, type Secrets } from '~db/respaldo';
