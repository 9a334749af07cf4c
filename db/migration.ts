import type { Kysely } from 'kysely';

/** A module of `db/migrations`. CONTRIBUTING.md ('Add a migration') says when each part is needed. */
export type Migration = {
  up(db: Kysely<unknown>): Promise<void>;
  /**
   * Says in Spanish what of the data a job has not carried yet, as the end of a sentence; null when all of it is. `up` runs only then, in the same transaction. A migration
   * that takes away what a job still reads has this question.
   */
  requires?(db: Kysely<unknown>): Promise<string | null>;
};

/** Migrations by their names, which sort as they run. */
export type Migrations = Readonly<Record<string, Migration>>;
