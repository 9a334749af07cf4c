/** The search of the frame over its years of orders: at the database as the palette asks it, and over HTTP as the palette is answered. */
import { BUSCADORES } from '~/domain/operacion/searchCatalog.server';
import { search } from '~/platform/search/search.server';
import type { Db } from '~db/client.server';
import { samplesOf } from './data';
import { measure, type Figure } from './figures';
import { withVisitor } from './http';
import type { Web } from './place';

const AT_DATABASE_MS = 60;
/** A sale is found by who bought it: an aim of its own, up to this many sales and beyond. */
const BY_BUYER_MS = { upTo: 100_000, few: 15, many: 30 };
const IN_ALL_MS = 150;

export async function benchSearch(db: Db, { url, cookie }: Web, rounds: number): Promise<Figure[]> {
  const { numOrden, rfc, folio, modelo, telefono, receptor } = await samplesOf(db);
  const { ventas } = await db
    .selectFrom('orden')
    .select(({ fn }) => fn.countAll<number>().as('ventas'))
    .executeTakeFirstOrThrow();
  const byBuyer = Number(ventas) > BY_BUYER_MS.upTo ? BY_BUYER_MS.many : BY_BUYER_MS.few;
  const texts: [string, string, number?][] = [
    ['an order number', numOrden],
    ['the end of an order number', numOrden.slice(-6)],
    ['an RFC', rfc],
    ['a folio', folio],
    ['a model', modelo],
    ['a nickname', 'comprador31999', byBuyer],
    ['a telephone', telefono.replace(/^(\d\d)(\d{4})/, '$1 $2 '), byBuyer],
    ['who receives it', receptor, byBuyer],
    ["a buyer's common name", 'garcia', byBuyer],
    ["two words of a buyer's name", 'nuñez cruz', byBuyer],
    ["three letters of a buyer's name", 'mar', byBuyer],
    ['an absent word', 'zzqqxx'],
    ['digits of every number', '20000'],
  ];
  const figures: Figure[] = [];
  for (const [name, q, aim = AT_DATABASE_MS] of texts) {
    const found = await search(db, BUSCADORES, q);
    const said = found.map(({ titulo, hallazgos }) => `${hallazgos.length} ${titulo}`).join(', ') || 'nothing';
    const note = `${said}; ${await slowestOf(db, q)}`;
    figures.push({
      name: `search ${name}`,
      ...(await measure(() => search(db, BUSCADORES, q), rounds)),
      unit: 'ms',
      aim,
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

/** Tells which kind of thing takes longest to be found alone. */
async function slowestOf(db: Db, q: string): Promise<string> {
  const each = [];
  for (const buscador of BUSCADORES) {
    const { value } = await measure(() => search(db, [buscador], q), 5);
    each.push({ titulo: buscador.titulo, value });
  }
  const slowest = each.reduce((one, other) => (other.value > one.value ? other : one));
  return `longest ${slowest.titulo} ${slowest.value.toFixed(1)} ms`;
}
