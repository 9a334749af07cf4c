/** The catalogues of five wholesalers read whole, read again where nothing and where little changed, and what people notice of it meanwhile. */
import { sql } from 'kysely';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { searchCatalogo } from '~/domain/compras/catalogo/buscador.server';
import { productosList } from '~/domain/compras/catalogo/listProductos.server';
import { opensAt } from '~/integrations/proveedores/cva/horario';
import type { Db } from '~db/client.server';
import type { TipoDeLectura } from '~db/columns';
import type { SandboxClient } from '../support/sandboxClient';
import { measure, rounded, spread, type Figure } from './figures';
import { withVisitor } from './http';
import type { Leidos } from './lector';
import { FROM_TABLE } from './lists';
import type { Place, Web } from './place';

/** Each wholesaler sells 73 pieces of a hundred. */
const VENDE = 0.7333;
/** Two in a hundred. */
const CAMBIA_CADA = 50;

/** Each figure is told as soon as it is known: a read that fails takes none along that was measured before it. */
export async function benchProveedores(place: Place, productos: number, tell: (figure: Figure) => void) {
  // By day CVA tells no whole list: the other four then sell as many products between them.
  const cierra = opensAt(new Date()) > 0;
  const kinds = CONNECTIONS.all().flatMap(({ kind, proveedor }) => (proveedor ? [kind] : []));
  const { db, owner } = await place.database();
  const web = await place.web();
  const { client, addresses } = await place.mayoristas(Math.round(productos / (cierra ? 4 : 5) / VENDE));
  await Promise.all(kinds.map((kind) => client.proveedor(kind).post('/limite', { porMinuto: 0 })));
  await place.run('lector', ['vincular'], addresses);
  const leer = async (tipo: TipoDeLectura) => {
    // As if its hours had passed.
    await sql`update lectura_catalogo set empezo_en = empezo_en - interval '7 hours'`.execute(db);
    await db.deleteFrom('connection').execute();
    const told = JSON.parse(await place.run('lector', [tipo], addresses)) as Leidos;
    const wrong = Object.entries(told.how).filter(([kind, how]) => how !== 'leido' && !(cierra && kind === 'cva'));
    if (wrong.length > 0) throw new Error(`not read: ${JSON.stringify(wrong)} ${JSON.stringify(await errores(db))}`);
    return { ...told, ...(await contados(db, tipo)) };
  };

  const pace = ({ vistos, seconds }: { vistos: number; seconds: number }) => rounded(vistos / seconds, 0);
  const note = ({ vistos, escritos, seconds, cpuSeconds }: Leidos & { vistos: number; escritos: number }) =>
    `${cierra ? 'without CVA, which is closed by day; ' : ''}${vistos} products, ${escritos} written, ${rounded(seconds, 1)} s, of which its own processor ${rounded(cpuSeconds, 1)}`;

  const first = await leer('completa');
  tell({
    name: `proveedores: first read of ${first.vistos} products`,
    value: pace(first),
    unit: 'products/s',
    aim: 2_500,
    atLeast: true,
    note: note(first),
  });
  const same = await leer('completa');
  if (same.escritos > 0) throw new Error(`${same.escritos} written where nothing changed`);
  tell({
    name: 'proveedores: read again, nothing changed',
    value: pace(same),
    unit: 'products/s',
    aim: 10_000,
    atLeast: true,
    note: note(same),
  });
  tell({
    name: 'proveedores: memory of the reading process, at most',
    value: rounded(Math.max(first.peakMb, same.peakMb), 0),
    unit: 'MB',
    aim: 300,
    note: `first ${rounded(first.peakMb, 0)}, again ${rounded(same.peakMb, 0)}`,
  });
  await cambiar(client);
  const little = await leer('completa');
  tell({
    name: 'proveedores: whole catalogues again, 2 % changed',
    value: rounded(little.seconds, 1),
    unit: 's',
    aim: 15,
    note: note(little),
  });
  await cambiar(client);
  const [beside, lists] = await mientras(() => leer('completa'), `${web.url}/sa/ordenes`, { cookie: web.cookie });
  tell({
    name: 'a list while the catalogues are read, p95',
    value: lists.p95,
    unit: 'ms',
    aim: 250,
    note: `median ${lists.value}, best ${lists.best}, one after the other; the catalogues then take ${rounded(beside.seconds, 1)} s`,
  });
  await cambiar(client);
  const precios = await leer('precios');
  tell({
    name: 'proveedores: prices and stock alone (CT and CVA), 2 % changed',
    value: rounded(precios.seconds, 1),
    unit: 's',
    aim: 15,
    note: note(precios),
  });
  // As autovacuum does within a minute of such a read.
  await sql`analyze producto, oferta`.execute(owner);
  await buscar(db, web, tell);
}

/** What people type who look for a product: at the database as the finder asks, and the page of the list. */
async function buscar(db: Db, web: Web, tell: (figure: Figure) => void) {
  const { modelo, nombre } = await db
    .selectFrom('producto')
    .select(['modelo', 'nombre'])
    .where('modelo', 'is not', null)
    .where('nombre', 'is not', null)
    .orderBy('id')
    .offset(5_000)
    .limit(1)
    .$narrowType<{ modelo: string; nombre: string }>()
    .executeTakeFirstOrThrow();
  const [cosa, ...otras] = nombre.split(' ');
  for (const [what, q] of [
    ['a model', modelo],
    ['two words of a name', [cosa, otras[0]].join(' ')],
    ['a common word and a rare one', `${cosa} ${nombre.split(' ').at(-1)}`],
    ['common words that never come together', 'soporte facial'],
    ['what is nowhere', 'zzqqxx'],
  ] as const) {
    const atDatabase = await measure(() => searchCatalogo(db, q, ''), 20);
    tell({ name: `productos: search ${what}, at the database`, ...atDatabase, unit: 'ms', aim: 15 });
    for (const screen of ['productos', 'buscador']) {
      const address = `${web.url}/sa/${screen}.data?${new URLSearchParams({ q, _routes: `sa/${screen}` })}`;
      const page = await withVisitor({ cookie: web.cookie, ...FROM_TABLE }, (visitor) =>
        measure(async () => {
          const { status } = await visitor.get(address);
          if (status !== 200) throw new Error(`the search answered ${status}`);
        }, 20),
      );
      tell({ name: `${screen}: search ${what}, over HTTP`, ...page, unit: 'ms', aim: 40 });
    }
  }
  const filtro = productosList.parse(new URLSearchParams({ q: [cosa, otras[0]].join(' ') }));
  const { corte } = await productosList.first(db, filtro);
  const { registros } = await productosList.count(db, filtro, corte);
  const beside = await measure(() => productosList.count(db, filtro, corte), 20);
  const name = 'productos: search two words of a name: totals beside it';
  tell({ name, ...beside, unit: 'ms', aim: 100, note: `${registros} rows` });
}

const cambiar = (client: SandboxClient) => client.proveedor('tvc').post('/cambia', { cada: CAMBIA_CADA });

const errores = async (db: Db) =>
  await db.selectFrom('lecturaCatalogo').select(['proveedor', 'error']).where('error', 'is not', null).execute();

/** Of the last read of each. */
async function contados(db: Db, tipo: TipoDeLectura) {
  const rows = await db
    .selectFrom('lecturaCatalogo')
    .distinctOn('proveedor')
    .select(['vistos', 'escritos'])
    .where('tipo', '=', tipo)
    .orderBy('proveedor')
    .orderBy('empezoEn', 'desc')
    .execute();
  const sum = (name: 'vistos' | 'escritos') => rows.reduce((all, row) => all + row[name], 0);
  return { vistos: sum('vistos'), escritos: sum('escritos') };
}

/** How long each answer took while something else went on. */
async function mientras<T>(work: () => Promise<T>, url: string, headers: Record<string, string>) {
  let over = false;
  const working = work().finally(() => (over = true));
  const times: number[] = [];
  await withVisitor(headers, async (visitor) => {
    while (!over) {
      const from = performance.now();
      const { status } = await visitor.get(url);
      if (status !== 200) throw new Error(`the list answered ${status}`);
      times.push(performance.now() - from);
    }
  });
  return [await working, spread(times)] as const;
}
