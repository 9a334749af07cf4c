import type { RequestHandler } from 'express';
import { sql } from 'kysely';
import type { Db } from '~db/client.server';
import { isMigrated } from '~db/esquema.server';

/** A database that takes longer than this is not one to send people to. */
const ANSWER_MS = 2_000;

/** Whether a process takes requests. A process that was asked to stop answers what still comes, and wants no more. `migrated`: its database was seen to be of this version. */
export type Presence = { leaving: boolean; migrated?: boolean };

/**
 * Answers a balancer, by whatever name it asks and without a session. `/healthcheck/vivo` is 200 while the process answers at all; `/healthcheck/listo` is 200
 * while requests should come here, and 503 with the reason while the process stops, has no database, or one that `npm run migrate` has not brought to this version. A missing worker takes no web away.
 */
export function readiness(presence: Presence, database: () => Db): RequestHandler {
  return (req, res, next) => {
    const [path] = req.originalUrl.split('?');
    if ((path !== '/healthcheck/vivo' && path !== '/healthcheck/listo') || !['GET', 'HEAD'].includes(req.method))
      return next();
    res.set('Cache-Control', 'no-store');
    if (path === '/healthcheck/vivo') return void res.json({ vivo: true });
    if (presence.leaving) return void res.status(503).json({ listo: false, motivo: 'se está deteniendo' });
    void motivoOf(database(), presence).then((motivo) =>
      motivo === null ? res.json({ listo: true }) : res.status(503).json({ listo: false, motivo }),
    );
  };
}

const CALLA = 'la base de datos no responde';

/** Returns why nobody should come here; null when all is well. A database that was brought to this version stays so, and is asked for no more than an answer. */
async function motivoOf(db: Db, presence: Presence): Promise<string | null> {
  const tooLate = new Promise<string>((resolve) => setTimeout(resolve, ANSWER_MS, CALLA).unref());
  const asked = (presence.migrated ? sql`select 1`.execute(db).then(() => true) : isMigrated(db)).then(
    (migrated) => {
      presence.migrated = migrated;
      return migrated ? null : 'a la base de datos le falta npm run migrate';
    },
    () => CALLA,
  );
  return Promise.race([asked, tooLate]);
}

/** Asks the other end to open its next connection elsewhere, once this process is on its way out. */
export const partingConnections =
  (presence: Presence): RequestHandler =>
  (_req, res, next) => {
    if (presence.leaving) res.set('Connection', 'close');
    next();
  };
