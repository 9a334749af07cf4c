/** Every list of the product over its years of orders: first window with totals, searches and jumps, as its screen's loader asks for them. */
import { WINDOW } from '~/core/list';
import { findClientes } from '~/domain/facturacion/receptores/clientes.server';
import { ordenesOfNumber } from '~/domain/facturacion/cfdi/facturables.server';
import { readFactura } from '~/domain/facturacion/cfdi/factura.server';
import { LISTS } from '~/domain/operacion/exports/lists.server';
import { countList, openList, readWindow, type List } from '~/platform/lists/list.server';
import { look } from '~/domain/cierre/reportes/cifrasDelDia.server';
import { readPortada } from '~/domain/operacion/portada.server';
import type { Db } from '~db/client.server';
import { BIG_MONTH, samplesOf, YEAR, type Samples } from './data';
import { measure, type Figure } from './figures';
import { withVisitor } from './http';
import type { Person, Web } from './place';

const MONTH = BIG_MONTH.query;
const FIRST_WINDOW_MS = 25;
const SEARCH_MS = 15;
const OVER_HTTP_MS = 40;
/** What asks each sale of a month, or each of a year, and finds no index for it. */
const ASKING_MS = 30;
/** Totals of what is long to count: nobody waits for them, nobody should notice. */
const BESIDE_MS = 100;
/** As a browser says that a script of the page asks. */
export const FROM_TABLE = { 'sec-fetch-dest': 'empty' };

type Case = { name: string; query: string; aim?: number };

const windows: Case[] = [
  { name: 'month of 17,000, first window + totals', query: MONTH, aim: FIRST_WINDOW_MS },
  { name: 'whole year, first window + totals', query: YEAR.query, aim: FIRST_WINDOW_MS },
];

const search = (name: string, range: string, q: string, aim = SEARCH_MS): Case => ({
  name: `search ${name}`,
  query: `${range}&q=${encodeURIComponent(q)}`,
  aim,
});

const FACTURAS = ({ numOrden, rfc, folio }: Samples): Case[] => [
  { name: 'month sorted by name, first window + totals', query: `${MONTH}&orden=razonSocial`, aim: FIRST_WINDOW_MS },
  search('order number, month', MONTH, numOrden),
  search('order number, year', YEAR.query, numOrden),
  search('RFC, year', YEAR.query, rfc),
  search('folio, year', YEAR.query, folio.toLowerCase()),
  search('common word, month', MONTH, 'garcia'),
  search('common word, year', YEAR.query, 'garcia'),
  search('two words, year', YEAR.query, 'nuñez cruz'),
  search('absent word, year', YEAR.query, 'zzqqxx'),
  { name: 'search one letter, month', query: `${MONTH}&q=a` },
];

/** The words of a catalogue: what `seedCatalogo` makes. */
const PRODUCTOS: Case[] = [
  { name: 'first window + totals', query: '', aim: SEARCH_MS },
  { name: 'of one supplier, first window + totals', query: 'proveedor=ct', aim: SEARCH_MS },
  { name: 'with stock, first window + totals', query: 'existencia=con', aim: SEARCH_MS },
  { name: 'by stock, first window + totals', query: 'orden=-existencia', aim: SEARCH_MS },
  search('model', '', 'hik-100120'),
  search('GTIN', '', '694126412345'),
  search('common word', '', 'camara'),
  search('two words', '', 'bala hikvision'),
  search('pasted title', '', 'Cámara bala 2 MP HIKVISION serie 100120 para exterior ...'),
  search('absent word', '', 'zzqqxx'),
];

const VENTAS = ({ numOrden, modelo, rfc, folio, telefono, receptor }: Samples): Case[] => [
  { name: 'month sorted by amount, first window + totals', query: `${MONTH}&orden=-pagado`, aim: FIRST_WINDOW_MS },
  search('order number, month', MONTH, numOrden),
  search('order number, year', YEAR.query, numOrden),
  search('RFC, month', MONTH, rfc),
  search('RFC, year', YEAR.query, rfc),
  search('folio, year', YEAR.query, folio),
  search('part of an RFC, year', YEAR.query, rfc.slice(0, 4)),
  search('digits of every number, month', MONTH, '20000'),
  search('end of a number, year', YEAR.query, numOrden.slice(-6)),
  search('title, rare word, year', YEAR.query, modelo),
  search('title, common word, month', MONTH, 'camara'),
  search('title, common word, year', YEAR.query, 'camara'),
  search('title, two words, year', YEAR.query, 'area peatones'),
  search('two rare letters, year', YEAR.query, 'zq', ASKING_MS),
  search('start of a folio, year', YEAR.query, 'a-5'),
  search('title, absent word, year', YEAR.query, 'zzqqxx'),
  search('buyer by nickname, year', YEAR.query, 'comprador31999'),
  search('buyer by telephone, year', YEAR.query, telefono.replace(/^(\d\d)(\d{4})/, '$1 $2 ')),
  search('buyer by receiver, year', YEAR.query, receptor),
];

/** What people look for in the other lists. The month serves those with a range, `mes` those of a month, and the rest take no notice. */
const OTHERS: Record<string, string[]> = {
  envios: ['MEL800000', 'garcia'],
  enviosPendientes: ['garcia'],
  facturasProveedores: ['S5999', 'camara'],
  mensual: ['camara', 'ml0364'],
  llenarReporte: ['camara', 'ml0364'],
  datosFiscales: ['garcia', 'GOIM69'],
  'facturacionGeneral.ordenes': ['camara'],
  rFacturacionGeneral: ['camara'],
};
const ONE_MONTH = `${MONTH}&mes=2026-09`;
/** Those of a month alone, of which 2026-09 has 9,200 sales. */
const OF_MES = ['facturacionGeneral.ordenes', 'rFacturacionGeneral', 'mensual'];

function listsWithCases(samples: Samples): { list: List; cases: Case[] }[] {
  const own: Record<string, Case[]> = {
    facturasClientes: FACTURAS(samples),
    ordenes: VENTAS(samples),
    ordenesCanceladas: [],
    ordenesActivas: [],
  };
  const whole: Record<string, Case[]> = { productos: PRODUCTOS };
  const other = (lista: string): Case[] => [
    { name: 'a month, first window + totals', query: ONE_MONTH, aim: FIRST_WINDOW_MS },
    ...(OF_MES.includes(lista)
      ? [
          {
            name: 'month of 17,000 sales, first window + totals',
            query: `mes=${BIG_MONTH.mes}`,
            aim: lista === 'facturacionGeneral.ordenes' ? ASKING_MS : FIRST_WINDOW_MS,
          },
        ]
      : []),
    ...(OTHERS[lista] ?? []).map((q) => search(`'${q}', a month`, ONE_MONTH, q)),
  ];
  return Object.values(LISTS).map((list) => ({
    list,
    cases: whole[list.lista] ?? (own[list.lista] ? [...windows, ...own[list.lista]!] : other(list.lista)),
  }));
}

/** The verbs themselves, over one connection as a request has it; of every list, or of those named. */
export async function benchVerbs(db: Db, person: Person, rounds: number, only?: readonly string[]): Promise<Figure[]> {
  const samples = await samplesOf(db);
  const figures: Figure[] = [];
  for (const { list, cases } of listsWithCases(samples)) {
    if (only && !only.includes(list.lista)) continue;
    const open = (query: string, headers: Record<string, string> = {}) =>
      openList(db, list, new Request(`http://bench/sa/${list.lista}?${query}`, { headers }), person);
    for (const { name, query, aim } of cases) {
      const asTable = () => open(query, FROM_TABLE);
      const { totales, corte } = await asTable();
      const title = `${list.lista}: ${name}`;
      figures.push({
        name: totales ? title : title.replace(' + totals', ''),
        ...(await measure(asTable, rounds)),
        unit: 'ms',
        aim,
      });
      if (totales) continue;
      const count = () => countList(db, list, new URLSearchParams(query), corte);
      const {
        totales: { registros },
      } = await count();
      figures.push({
        name: `${title.replace(/, first window.*/, '')}: totals beside it`,
        ...(await measure(count, Math.ceil(rounds / 4))),
        unit: 'ms',
        aim: BESIDE_MS,
        note: `${registros} rows`,
      });
    }
    for (const share of cases.includes(windows[0]!) ? [0.5, 1] : []) {
      const { corte, totales } = await open(MONTH);
      const total = totales!.registros;
      const indice = Math.floor(((total - 1) / WINDOW) * share);
      const jump = () => readWindow(db, list, new URLSearchParams(MONTH), { indice, total, corte });
      figures.push({
        name: `${list.lista}: month, ${share === 1 ? 'last' : 'middle'} window`,
        ...(await measure(jump, rounds)),
        unit: 'ms',
      });
    }
  }
  return figures;
}

/** The catalogue and its finder through the web process. */
export async function benchProductos({ url, cookie }: Web, rounds: number): Promise<Figure[]> {
  const cases: [string, string][] = [
    ['Productos: first window + totals', '/sa/productos.data?_routes=sa%2Fproductos'],
    ['Productos: search model', '/sa/productos.data?q=hik-100120&_routes=sa%2Fproductos'],
    ['Productos: search common word', '/sa/productos.data?q=camara&_routes=sa%2Fproductos'],
    ['Buscador: our own copy', '/sa/buscador.data?q=hik-100120&_routes=sa%2Fbuscador'],
  ];
  return withVisitor({ cookie, ...FROM_TABLE }, async (visitor) => {
    const figures: Figure[] = [];
    for (const [name, path] of cases) {
      const { status, bytes } = await visitor.get(url + path);
      if (status !== 200) throw new Error(`${path} answered ${status}`);
      figures.push({
        name: `HTTP loader: ${name}`,
        ...(await measure(() => visitor.get(url + path), rounds)),
        unit: 'ms',
        aim: OVER_HTTP_MS,
        note: `${(bytes / 1024).toFixed(1)} kB`,
      });
    }
    return figures;
  });
}

/** An hour of a day with sales, and with sales a week before. */
const MEDIODIA = new Date('2026-10-20T18:00:00Z');

/** What people wait for besides lists: the sale of a number, a customer of an RFC, an invoice, the home. */
export async function benchReads(db: Db, rounds: number): Promise<Figure[]> {
  const { numOrden, rfc, facturaId } = await samplesOf(db);
  const cases: [string, () => Promise<unknown>, number?][] = [
    ['Facturación: orders of a number', () => ordenesOfNumber(db, numOrden), SEARCH_MS],
    ['Facturación: absent number', () => ordenesOfNumber(db, '1999999999999999'), SEARCH_MS],
    ['Facturación: customer of an RFC', () => findClientes(db, rfc), SEARCH_MS],
    ['invoice detail', () => readFactura(db, facturaId), FIRST_WINDOW_MS],
    ['home: latest sales', () => readPortada(db), FIRST_WINDOW_MS],
    ['home: the figures of a day, profit by hour', () => look(db, MEDIODIA), FIRST_WINDOW_MS],
  ];
  const figures: Figure[] = [];
  for (const [name, work, aim] of cases) figures.push({ name, ...(await measure(work, rounds)), unit: 'ms', aim });
  return figures;
}

/** The same questions through the web process: session, guard, loader, answer on the wire. */
export async function benchLoaders(db: Db, { url, cookie }: Web, rounds: number): Promise<Figure[]> {
  const { numOrden, rfc, folio, facturaId } = await samplesOf(db);
  const screen = (query: string) => `${url}/sa/facturasClientes.data?${query}&_routes=sa%2FfacturasClientes`;
  const cases: [string, string, number][] = [
    ['month of 17,000, first window + totals', screen(MONTH), FIRST_WINDOW_MS],
    ['search order number, year', screen(`${YEAR.query}&q=${numOrden}`), SEARCH_MS],
    ['search RFC, year', screen(`${YEAR.query}&q=${rfc}`), SEARCH_MS],
    ['search folio, year', screen(`${YEAR.query}&q=${folio}`), SEARCH_MS],
    ['search common word, year', screen(`${YEAR.query}&q=garcia`), SEARCH_MS],
    ['search absent word, year', screen(`${YEAR.query}&q=zzqqxx`), SEARCH_MS],
    ['invoice detail over the list', screen(`${MONTH}&ver=${facturaId}`), FIRST_WINDOW_MS],
    ['home: latest sales', `${url}/sa.data?_routes=sa%2Fhome`, FIRST_WINDOW_MS],
  ];
  return withVisitor({ cookie, ...FROM_TABLE }, async (visitor) => {
    const figures: Figure[] = [];
    for (const [name, address, aim] of cases) {
      const { status, bytes } = await visitor.get(address);
      if (status !== 200) throw new Error(`${address} answered ${status}`);
      figures.push({
        name: `HTTP loader: ${name}`,
        ...(await measure(() => visitor.get(address), rounds)),
        unit: 'ms',
        aim,
        note: `${(bytes / 1024).toFixed(1)} kB`,
      });
    }
    return figures;
  });
}
