import { EventEmitter } from 'node:events';
import type pg from 'pg';

/** The connection that listens, and what it was told to listen to. */
type Heard = { client: pg.PoolClient; told?: Promise<unknown> };
type Connected = (error: Error | undefined, client: unknown, release: () => void) => void;

/** Channel on which PostgreSQL says that jobs were written. It does not say which. */
const JOBS = 'jobs:insert';

/**
 * Returns the pool as the queue sees it: jobs take connections of `pool`, and all lanes listen by one connection of
 * `listening`. graphile-worker asks for the connection that listens by a callback, and for every other by a promise. A lane would
 * hold a connection of its own otherwise, and behind a PgBouncer nobody would hear anything. `jobsWritten` is called
 * where PostgreSQL says so: a notice that went on to every lane would make each of them ask for a job.
 */
export function listenByOne(pool: pg.Pool, listening: pg.Pool, jobsWritten: () => void): pg.Pool {
  const ears = new Set<EventEmitter>();
  let heard: Promise<Heard> | undefined;

  const open = async (): Promise<Heard> => {
    const client = await listening.connect();
    client.on('notification', (message) => {
      if (message.channel === JOBS) jobsWritten();
      else for (const ear of ears) ear.emit('notification', message);
    });
    client.once('error', (error) => {
      heard = undefined;
      client.release(true);
      const deaf = [...ears].filter((ear) => ear.listenerCount('error') > 0);
      ears.clear();
      // Each lane asks for a connection again by itself.
      deaf.forEach((ear) => ear.emit('error', error));
    });
    return { client };
  };
  const listen = () =>
    (heard ??= open().catch((error: unknown) => {
      heard = undefined;
      throw error;
    }));
  const leave = (ear: EventEmitter) => {
    if (!ears.delete(ear) || ears.size > 0) return;
    const last = heard;
    heard = undefined;
    void last?.then(({ client }) => client.release(true));
  };
  const connect = (callback?: Connected) => {
    if (!callback) return pool.connect();
    listen().then(
      (mine) => {
        // Every lane listens to the same channels. What a lane says besides ends its listening, and the others still listen.
        const query = (text: string) =>
          text.startsWith('LISTEN') ? (mine.told ??= mine.client.query(text)) : Promise.resolve();
        const ear = Object.assign(new EventEmitter(), { query });
        ears.add(ear);
        callback(undefined, ear, () => leave(ear));
      },
      (error: Error) => callback(error, undefined, () => {}),
    );
    return undefined;
  };
  return new Proxy(pool, {
    get(target, key) {
      if (key === 'connect') return connect;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
