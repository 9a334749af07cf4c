/** Whole pages as the server writes them: how many per second, and how heavy. */
import { existsSync, readFileSync } from 'node:fs';
import { BIG_MONTH } from './data';
import { rounded, type Figure } from './figures';
import { hammer, withVisitor } from './http';
import type { Web } from './place';

const CONNECTIONS = 4;
/** What one process has to write in a second of its own time. */
const HOME_PER_SECOND = 60;
const LIST_PER_SECOND = 45;
const ROUNDS = 100;
/** Of /proc: a hundred in a second, on every Linux that people run. */
const TICKS = 100;

export async function benchPages({ url, cookie, pid }: Web, seconds: number): Promise<Figure[]> {
  const pages: [name: string, address: string, headers: Record<string, string>, aim?: number][] = [
    ['login', `${url}/login`, {}],
    ['home', `${url}/sa`, { cookie }, HOME_PER_SECOND],
    ['ordenes, month of 17,000', `${url}/sa/ordenes?${BIG_MONTH.query}`, { cookie }, LIST_PER_SECOND],
    ['facturas, month of 17,000', `${url}/sa/facturasClientes?${BIG_MONTH.query}`, { cookie }, LIST_PER_SECOND],
  ];
  const figures: Figure[] = [];
  for (const [name, address, headers, aim] of pages) {
    await hammer(address, { connections: CONNECTIONS, seconds: Math.min(1, seconds), headers });
    const { perSecond, p50, p95 } = await hammer(address, { connections: CONNECTIONS, seconds, headers });
    const own = await perOwnSecond(pid, address, headers);
    if (own !== undefined)
      figures.push({
        name: `page ${name}: in a second of its process`,
        value: rounded(own, 1),
        unit: 'pages/s',
        ...(aim !== undefined && { aim, atLeast: true as const }),
        note: `one after the other, ${rounded(1_000 / own, 1)} ms of processor each`,
      });
    const { bytes, body } = await withVisitor(headers, (visitor) => visitor.get(address));
    figures.push(
      {
        name: `page ${name}: ${CONNECTIONS} connections`,
        value: rounded(perSecond, 1),
        unit: 'req/s',
        note: `p50 ${p50} ms, p95 ${p95} ms, generator on the same cores`,
      },
      {
        name: `page ${name}: bytes on the wire`,
        value: rounded(bytes / 1024, 1),
        unit: 'kB',
        note: `${rounded(body().length / 1024, 1)} kB unpacked`,
      },
    );
  }
  return figures;
}

/** How many pages the process writes in a second in which it computes: others at the machine make it wait, and hardly cost it time of its own. Undefined where the system does not tell. */
async function perOwnSecond(pid: number, address: string, headers: Record<string, string>) {
  if (!existsSync(`/proc/${pid}/stat`)) return undefined;
  const before = secondsOf(pid);
  await withVisitor(headers, async (visitor) => {
    for (let n = 0; n < ROUNDS; n++) await visitor.get(address);
  });
  return ROUNDS / (secondsOf(pid) - before);
}

function secondsOf(pid: number): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) / TICKS;
}
