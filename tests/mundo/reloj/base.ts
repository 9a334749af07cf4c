import pg from 'pg';

/**
 * Moves the time of a database: `now()` and its brothers tell it, in defaults of columns, functions, statements of the product and of its queue. They are shadowed by
 * functions of a schema that the search path names before `pg_catalog`, so the product keeps PostgreSQL's own.
 */
const FUNCTIONS = [
  ['now', 'stable'],
  ['transaction_timestamp', 'stable'],
  ['statement_timestamp', 'stable'],
  ['clock_timestamp', 'volatile'],
] as const;
const AHEAD = 'reloj.adelanto';

/** Gives a database without tables its moved clock. Sessions opened afterwards have it. */
export async function plantClock(url: string): Promise<void> {
  const client = await openClient(url);
  try {
    const database = new URL(url).pathname.slice(1);
    await client.query('create schema reloj; grant usage on schema reloj to public');
    for (const [name, kind] of FUNCTIONS)
      await client.query(
        `create function reloj.${name}() returns timestamptz language sql ${kind} parallel safe as
          $$ select pg_catalog.${name}() + coalesce(nullif(current_setting('${AHEAD}', true), ''), '0 ms')::interval $$`,
      );
    // New tables lie in the first schema, so `public` stays the first.
    await client.query(
      `alter database ${client.escapeIdentifier(database)} set search_path = public, reloj, pg_catalog`,
    );
  } finally {
    await client.end();
  }
}

/** Sets by how many ms the database's clock is ahead. Returns once every session tells so. */
export async function moveClock(client: pg.Client, ms: number): Promise<void> {
  await client.query(`alter system set ${AHEAD} = '${ms} ms'`);
  await client.query('select pg_reload_conf()');
  for (let tries = 0; tries < 200; tries++) {
    const { rows } = await client.query<{ ahead: string | null }>(`select current_setting('${AHEAD}', true) as ahead`);
    if (rows[0]!.ahead === `${ms} ms`) return;
    await new Promise((done) => setTimeout(done, 5));
  }
  throw new Error('the database did not take its clock');
}

export async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
