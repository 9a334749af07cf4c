/** What came back: the list of 200,000 pieces, a page of labels and an app for telephones, through the verbs and the web that serve them. */
import { randomUUID } from 'node:crypto';
import { createDevolucion } from '~/domain/compras/stock/piezas.server';
import { stockInternoList, valorEnBodega } from '~/domain/compras/stock/listStock.server';
import { DevolucionForm } from '~/domain/compras/stock/forms';
import { ENVIO, MAX_MB } from '~/domain/operacion/aplicacion/aplicacion';
import { openList } from '~/platform/lists/list.server';
import type { Db } from '~db/client.server';
import { buildApk } from '../support/builders/app';
import { buildProductoDeStock, seedStock } from '../support/builders/stock';
import { YEAR } from './data';
import { measure, rounded, type Figure } from './figures';
import { residentMb } from './memory';
import type { Person, Web } from './place';

const PIEZAS = 200_000;
const FIRST_WINDOW_MS = 25;
/** Half of all pieces, counted in one go by a browser that opens its address. */
const YEAR_MS = 60;
const LABELS = 500;
const LABELS_MS = 3_000;
/** How much more a process may hold while it does it. */
const FLAT_MB = 30;

type Bench = { db: Db; owner: Db; person: Person };

export async function benchStock({ db, owner, person }: Bench, web: Web, rounds: number): Promise<Figure[]> {
  // What a server takes for its first request is no request's.
  const etiquetas = await benchEtiquetas(db, person, web);
  const subida = await benchSubida(web);
  await seedStock(owner, PIEZAS);
  return [...(await benchLista(db, person, rounds)), ...etiquetas, ...subida];
}

async function benchLista(db: Db, person: Person, rounds: number): Promise<Figure[]> {
  const cases: [string, string, number?][] = [
    ['as it opens, first window + totals', '', FIRST_WINDOW_MS],
    ['a year, first window + totals', YEAR.query, YEAR_MS],
    ['available, first window + totals', 'estado=disponible', FIRST_WINDOW_MS],
    ['sold of one supplier, first window + totals', 'estado=vendido&proveedor=ct', FIRST_WINDOW_MS],
    ['by cost, first window + totals', 'orden=-costo', FIRST_WINDOW_MS],
    ['search folio', 'q=dv-20-000123', FIRST_WINDOW_MS],
    ['search absent word', 'q=zzqqxx', FIRST_WINDOW_MS],
  ];
  const figures: Figure[] = [];
  for (const [name, query, aim] of cases) {
    const open = () => openList(db, stockInternoList, new Request(`http://bench/sa/stockInterno?${query}`), person);
    figures.push({ name: `stockInterno: ${name}`, ...(await measure(open, rounds)), unit: 'ms', aim });
  }
  figures.push({
    name: 'stockInterno: value of the shelf',
    ...(await measure(() => valorEnBodega(db), rounds)),
    unit: 'ms',
    aim: FIRST_WINDOW_MS,
  });
  return figures;
}

/** Over HTTP, as somebody who prints them gets them. */
async function benchEtiquetas(db: Db, person: Person, { url, pid, cookie }: Web): Promise<Figure[]> {
  const clave = randomUUID();
  const { id: producto } = await buildProductoDeStock(db);
  const form = DevolucionForm.parse({ clave, producto, cantidad: String(LABELS), costo: '100' });
  await db.transaction().execute((trx) => createDevolucion(trx, { ...form, factura: null }, person.id));
  let bytes = 0;
  const print = async (papel: string) => {
    const answer = await fetch(`${url}/sa/descargas/etiquetas?alta=${clave}&papel=${papel}`, { headers: { cookie } });
    if (answer.status !== 200) throw new Error(`the labels answered ${answer.status}`);
    bytes = (await answer.arrayBuffer()).byteLength;
  };
  const figures: Figure[] = [];
  for (const [name, papel] of [
    ['a page each', 'rollo50'],
    ['24 a page', 'carta'],
  ] as const) {
    await print(papel);
    const { value, peak } = await peakDuring(pid, () => measure(() => print(papel), 5, 0));
    const size = `${rounded(bytes / 1024, 0)} kB`;
    figures.push(
      { name: `${LABELS} labels, ${name}: one PDF`, ...value, unit: 'ms', aim: LABELS_MS, note: size },
      { name: `${LABELS} labels, ${name}: memory of the web above it`, value: peak, unit: 'MB', aim: FLAT_MB },
    );
  }
  return figures;
}

/** An app of 200 MB as a browser sends it, and as one without scripts does. */
async function benchSubida({ url, pid, cookie }: Web): Promise<Figure[]> {
  const apk = buildApk({ relleno: (MAX_MB - 1) * 1024 * 1024 });
  const headers = { cookie, origin: url };
  const send = async (address: string, part: Buffer) => {
    const body = new FormData();
    body.set('archivo', new Blob([part as Uint8Array<ArrayBuffer>]), 'app.apk');
    const answer = await fetch(address, { method: 'POST', headers, body, redirect: 'manual' });
    const said = await answer.text();
    if (answer.status >= 400) throw new Error(`the app answered ${answer.status}: ${said.slice(0, 200)}`);
    return said;
  };
  const enPartes = async () => {
    let de = '';
    for (let desde = 0; desde < apk.length; desde += ENVIO) {
      const query = `desde=${desde}&total=${apk.length}${de && `&de=${de}`}`;
      const said = await send(`${url}/sa/subirApp/parte?${query}`, apk.subarray(desde, desde + ENVIO));
      de = (JSON.parse(said) as { id: string }).id;
    }
  };
  const figures: Figure[] = [];
  for (const [name, work] of [
    ['in parts', enPartes],
    ['at once', () => send(`${url}/sa/subirApp`, apk)],
  ] as const) {
    const began = performance.now();
    const { peak } = await peakDuring<unknown>(pid, work);
    figures.push(
      { name: `app of ${MAX_MB} MB, ${name}`, value: rounded((performance.now() - began) / 1000), unit: 's' },
      { name: `app of ${MAX_MB} MB, ${name}: memory of the web above it`, value: peak, unit: 'MB', aim: FLAT_MB },
    );
  }
  return figures;
}

/** How much more than before a process held at most while `work` ran. */
async function peakDuring<T>(pid: number, work: () => Promise<T>): Promise<{ value: T; peak: number }> {
  const before = residentMb(pid);
  let most = before;
  const looking = setInterval(() => (most = Math.max(most, residentMb(pid))), 20);
  try {
    return {
      value: await work(),
      get peak() {
        return rounded(most - before, 1);
      },
    };
  } finally {
    clearInterval(looking);
  }
}
