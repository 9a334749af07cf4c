/** The search of the frame over its years of orders: at the database as the palette asks it, and over HTTP as the palette is answered. */
import { BUSCADORES } from '~/domain/operacion/searchCatalog.server';
import { search } from '~/platform/search/search.server';
import type { Db } from '~db/client.server';
import { samplesOf } from './data';
import { measure, type Figure } from './figures';
import { withVisitor } from './http';
import type { Web } from './place';

const AT_DATABASE_MS = 60;
const IN_ALL_MS = 150;

export async function benchSearch(db: Db, { url, cookie }: Web, rounds: number): Promise<Figure[]> {
  const { numOrden, rfc, folio, modelo } = await samplesOf(db);
  const texts: [string, string][] = [
    ['an order number', numOrden],
    ['the end of an order number', numOrden.slice(-6)],
    ['an RFC', rfc],
    ['a folio', folio],
    ['a model', modelo],
    ['a nickname', 'comprador31999'],
    ['a telephone', '55 5512 3456'],
    ['a common word', 'garcia'],
    ['two words', 'nuñez cruz'],
    ['three letters', 'mar'],
    ['an absent word', 'zzqqxx'],
    ['digits of every number', '20000'],
  ];
  const figures: Figure[] = [];
  for (const [name, q] of texts) {
    const found = await search(db, BUSCADORES, q);
    const note = found.map(({ titulo, hallazgos }) => `${hallazgos.length} ${titulo}`).join(', ') || 'nothing';
    figures.push({
      name: `search ${name}`,
      ...(await measure(() => search(db, BUSCADORES, q), rounds)),
      unit: 'ms',
      aim: AT_DATABASE_MS,
      note,
    });
    const address = `${url}/sa/buscar.data?${new URLSearchParams({ q, _routes: 'sa/buscar' })}`;
    await withVisitor({ cookie }, async (visitor) => {
      figures.push({
        name: `search ${name}, as the palette is answered`,
        ...(await measure(() => visitor.get(address), rounds)),
        unit: 'ms',
        aim: IN_ALL_MS,
      });
    });
  }
  return figures;
}
