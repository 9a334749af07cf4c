/** Outgoing webhooks: how soon a thousand are with the receivers that live, while one of three is dead. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createGancho } from '~/platform/webhooks/ganchos.server';
import type { Db } from '~db/client.server';
import { rounded, type Figure } from './figures';

const MANY = 1_000;
const PATIENCE_MS = 120_000;

/** Counts what it is sent; a dead one takes it and never answers. */
async function listen(dead: boolean): Promise<{ url: string; server: Server; count: () => number }> {
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (dead) return;
      seen.add(String(request.headers['webhook-id']));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/aviso`,
    server,
    count: () => seen.size,
  };
}

export async function benchGanchos(db: Db, person: { id: string }): Promise<Figure[]> {
  const receivers = [await listen(false), await listen(false), await listen(true)];
  try {
    for (const [n, { url }] of receivers.entries())
      await db
        .transaction()
        .execute((trx) => createGancho(trx, { nombre: `Receptor ${n}`, url, tipos: ['orden.actualizada'] }, person.id));
    const began = performance.now();
    await sql`update orden set version = version + 1 where id in (select id from orden order by id desc limit ${MANY})`.execute(
      db,
    );
    const took: number[] = [];
    for (const { count } of receivers.slice(0, 2)) {
      while (count() < MANY) {
        if (performance.now() - began > PATIENCE_MS) throw new Error(`only ${count()} of ${MANY} webhooks arrived`);
        await sleep(20);
      }
      took.push(performance.now() - began);
    }
    return [
      {
        name: `api: ${MANY} webhooks to each of two receivers while a third is dead`,
        value: rounded(Math.max(...took) / 1_000, 1),
        unit: 's',
        aim: 20,
      },
    ];
  } finally {
    await db.deleteFrom('gancho').execute();
    for (const { server } of receivers) {
      server.closeAllConnections();
      server.close();
    }
  }
}
