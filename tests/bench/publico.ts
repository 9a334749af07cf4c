/** A customer's page: how many a second, and what a phone has to load of it when it runs no scripts. */
import { createEnlaceFor } from '~/domain/facturacion/enlaces/enlaces.server';
import type { Db } from '~db/client.server';
import { invoiceableNumbers } from './data';
import { rounded, type Figure } from './figures';
import { hammer, withVisitor, type Visitor } from './http';
import type { Person, Web } from './place';

const CONNECTIONS = 4;
const PAGE_KB = 60;

export async function benchPublic(db: Db, person: Person, { url }: Web, seconds: number): Promise<Figure[]> {
  const [numOrden] = await invoiceableNumbers(db, 1);
  const enlace = await createEnlaceFor(db, numOrden!, person.id);
  const figures: Figure[] = [];
  for (const [name, address] of [
    ["customer's invoice form", enlace.url],
    ['public home', `${url}/`],
  ] as const) {
    await hammer(address, { connections: CONNECTIONS, seconds: Math.min(1, seconds), headers: {} });
    const { perSecond, p50, p95 } = await hammer(address, { connections: CONNECTIONS, seconds, headers: {} });
    const { html, styles } = await withVisitor({}, (visitor) => weigh(visitor, url, address));
    figures.push(
      {
        name: `page ${name}: ${CONNECTIONS} connections`,
        value: rounded(perSecond, 1),
        unit: 'req/s',
        note: `p50 ${p50} ms, p95 ${p95} ms, generator on the same cores`,
      },
      {
        name: `page ${name}: all bytes without scripts`,
        value: rounded((html + styles) / 1024, 1),
        unit: 'kB',
        aim: PAGE_KB,
        note: `page ${rounded(html / 1024, 1)} kB, styles ${rounded(styles / 1024, 1)} kB, compressed`,
      },
    );
  }
  return figures;
}

/** The page and the sheets it is dressed with, as they come over the wire. */
async function weigh(visitor: Visitor, url: string, address: string): Promise<{ html: number; styles: number }> {
  const { bytes: html, body } = await visitor.get(address);
  const links = [
    ...body()
      .toString('utf8')
      .matchAll(/<link\b[^>]*>/g),
  ]
    .map(([link]) => link)
    .filter((link) => /rel="stylesheet"/.test(link));
  let styles = 0;
  for (const href of new Set(links.map((link) => /href="([^"]+)"/.exec(link)![1]!))) {
    const sheet = await visitor.get(new URL(href, url).href);
    if (sheet.status !== 200) throw new Error(`${href} answered ${sheet.status}`);
    styles += sheet.bytes;
  }
  return { html, styles };
}
