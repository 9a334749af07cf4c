import type { RequestHandler } from 'express';
import { sql } from 'kysely';
import type { Db } from '~db/client.server';

/** A database that takes longer than this is not one to send people to. */
const ANSWER_MS = 2_000;

/** Whether a process takes requests. A process that was asked to stop answers what still comes, and wants no more. */
export type Presence = { leaving: boolean };

/**
 * Answers a balancer, by whatever name it asks and without a session. `/healthcheck/vivo` is 200 while the process answers at all; `/healthcheck/listo` is 200
 * while requests should come here, and 503 with the reason while the process stops or has no database. A missing worker takes no web away.
 */
export function readiness(presence: Presence, database: () => Db): RequestHandler {
  return (req, res, next) => {
    const [path] = req.originalUrl.split('?');
    if ((path !== '/healthcheck/vivo' && path !== '/healthcheck/listo') || !['GET', 'HEAD'].includes(req.method))
      return next();
    res.set('Cache-Control', 'no-store');
    if (path === '/healthcheck/vivo') return void res.json({ vivo: true });
    if (presence.leaving) return void res.status(503).json({ listo: false, motivo: 'se está deteniendo' });
    void answers(database()).then((ok) =>
      ok ? res.json({ listo: true }) : res.status(503).json({ listo: false, motivo: 'la base de datos no responde' }),
    );
  };
}

async function answers(db: Db): Promise<boolean> {
  const tooLate = new Promise<boolean>((resolve) => setTimeout(resolve, ANSWER_MS, false).unref());
  const asked = sql`select 1`.execute(db).then(
    () => true,
    () => false,
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
