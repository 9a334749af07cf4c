/** Whole pages as the server writes them: how many per second, and how heavy. */
import { gunzipSync } from 'node:zlib';
import { BIG_MONTH } from './data';
import { rounded, type Figure } from './figures';
import { hammer, withVisitor } from './http';
import type { Web } from './place';

const CONNECTIONS = 4;

export async function benchPages({ url, cookie }: Web, seconds: number): Promise<Figure[]> {
  const pages: [string, string, Record<string, string>][] = [
    ['login', `${url}/login`, {}],
    ['home', `${url}/sa`, { cookie }],
    ['facturas, month of 17,000', `${url}/sa/facturasClientes?${BIG_MONTH.query}`, { cookie }],
  ];
  const figures: Figure[] = [];
  for (const [name, address, headers] of pages) {
    await hammer(address, { connections: CONNECTIONS, seconds: Math.min(1, seconds), headers });
    const { perSecond, p50, p95 } = await hammer(address, { connections: CONNECTIONS, seconds, headers });
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
        note: `${rounded(gunzipSync(body).length / 1024, 1)} kB unpacked`,
      },
    );
  }
  return figures;
}
