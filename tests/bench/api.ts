/** The API as a program uses it: a page of orders at a steady pace, and a whole list of them. */
import { setTimeout as wait } from 'node:timers/promises';
import { openSession } from '~/domain/personal/sesiones.server';
import type { Db } from '~db/client.server';
import { rounded, spread, type Figure } from './figures';
import { processorMs, residentMb } from './memory';

const PER_SECOND = 20;
const WHOLE = 17_000;

export async function benchApi(
  db: Db,
  person: { id: string },
  { url, pid }: { url: string; pid: number | undefined },
  seconds: number,
): Promise<Figure[]> {
  const token = await db.transaction().execute((trx) => openSession(trx, person, true));
  const headers = { Authorization: `Bearer ${token}` };
  const { desde, hasta } = await rangeOf(db);
  const ask = async (query: string) => {
    const began = performance.now();
    const answer = await fetch(`${url}/api/v1/ordenes?${query}`, { headers });
    const body = await answer.text();
    if (answer.status !== 200) throw new Error(`the API answered ${answer.status}: ${body}`);
    return { ms: performance.now() - began, body };
  };
  const pages = `desde=${desde}&hasta=${hasta}&limite=100`;
  await ask(pages);
  const asked: Promise<number>[] = [];
  let query = pages;
  for (let n = 0; n < seconds * PER_SECOND; n++) {
    asked.push(
      ask(query).then(({ ms, body }) => {
        const { siguiente } = JSON.parse(body) as { siguiente: string | null };
        query = siguiente === null ? pages : `${pages}&cursor=${siguiente}`;
        return ms;
      }),
    );
    await wait(1_000 / PER_SECOND);
  }
  const page = spread(await Promise.all(asked));
  const before = pid === undefined ? 0 : residentMb(pid);
  const worked = pid === undefined ? null : processorMs(pid);
  const whole: number[] = [];
  let rows = 0;
  for (let n = 0; n < 5; n++) {
    const { ms, body } = await ask(`desde=${desde}&hasta=${hasta}&formato=ndjson`);
    rows = body.split('\n').length - 1;
    whole.push(ms);
  }
  const ndjson = spread(whole);
  const working = pid === undefined || worked === null ? null : (processorMs(pid)! - worked) / whole.length;
  return [
    { name: 'api: page of 100 orders, p95', value: rounded(page.p95), best: page.best, unit: 'ms', aim: 40 },
    {
      name: 'api: orders as NDJSON',
      ...ndjson,
      value: rounded(ndjson.value),
      unit: 'ms',
      aim: 1_000,
      note: `${rows} rows`,
    },
    ...(working === null
      ? []
      : [{ name: 'api: processor of the web for such a list', value: rounded(working, 0), unit: 'ms' } as const]),
    ...(pid === undefined
      ? []
      : [
          {
            name: 'api: memory grown by five whole lists',
            value: rounded(residentMb(pid) - before, 0),
            unit: 'MB',
            aim: 30,
          } as const,
        ]),
  ];
}

/** The last days that hold so many orders. */
async function rangeOf(db: Db): Promise<{ desde: string; hasta: string }> {
  const { fechaCreacion: first } = await db
    .selectFrom('orden')
    .select('fechaCreacion')
    .orderBy('fechaCreacion', 'desc')
    .offset(WHOLE)
    .limit(1)
    .executeTakeFirstOrThrow();
  const { fechaCreacion: last } = await db
    .selectFrom('orden')
    .select('fechaCreacion')
    .orderBy('fechaCreacion', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return { desde: first.toISOString().slice(0, 10), hasta: last.toISOString().slice(0, 10) };
}
