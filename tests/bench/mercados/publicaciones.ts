/** 50,000 listings: their list at the database and over HTTP, and how soon a change of a supplier stands at Mercado Libre with its limit of calls in force. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openList } from '~/platform/lists/list.server';
import { readCaras } from '~/domain/compras/precios/precios.server';
import { publicacionesList } from '~/domain/publicaciones/publicaciones/listPublicaciones.server';
import type { Db } from '~db/client.server';
import { measure, rounded, spread, type Figure } from '../figures';
import { withVisitor } from '../http';
import type { Bench } from './parts';

const LISTINGS = 50_000;
const AT_THE_DATABASE_MS = 25;
const OVER_HTTP_MS = 40;
const WITHIN_S = 60;
/** Of the account, in a minute. Nobody publishes it. */
const CALLS = 500;
/** As a browser says that a script of the page asks. */
const FROM_TABLE = { 'sec-fetch-dest': 'empty' };

const WINDOWS: [name: string, query: string][] = [
  ['first window', ''],
  ['of one marketplace', 'ml=1'],
  ['by stock', 'orden=stock'],
  ['the dearest', 'orden=-precio'],
  ['that wait for a person', 'cuales=retenidas'],
  ['search common word', 'q=camara'],
  ['search sku', 'q=AMS%7CP4321%7Cct%7CX'],
];

export async function benchListado({ place, db, owner, person, quick }: Bench): Promise<Figure[]> {
  await place.catalogo();
  await seed(owner);
  const rounds = quick ? 15 : 60;
  const figures: Figure[] = [];
  for (const [name, query] of WINDOWS) {
    const asked = () =>
      openList(db, publicacionesList, new Request(`http://bench/sa/publicaciones?${query}`, { headers: FROM_TABLE }), {
        id: person.id,
      });
    const { totales } = await asked();
    figures.push({
      name: `publicaciones: ${name}${totales ? ' + totals' : ''}`,
      ...(await measure(asked, rounds)),
      unit: 'ms',
      aim: AT_THE_DATABASE_MS,
    });
  }
  const { url, cookie } = await place.web();
  await withVisitor({ cookie, ...FROM_TABLE }, async (visitor) => {
    for (const [name, query] of WINDOWS) {
      const path = `${url}/sa/publicaciones.data?${query}&_routes=sa%2Fpublicaciones`;
      const { status, bytes } = await visitor.get(path);
      if (status !== 200) throw new Error(`${path} answered ${status}`);
      figures.push({
        name: `HTTP loader: Publicaciones: ${name}`,
        ...(await measure(() => visitor.get(path), rounds)),
        unit: 'ms',
        aim: OVER_HTTP_MS,
        note: `${(bytes / 1024).toFixed(1)} kB`,
      });
    }
  });
  return figures;
}

/** Four in five at Mercado Libre, where the impostor knows them by the same numbers; those follow their supplier. */
async function seed(owner: Db): Promise<void> {
  await sql`
    insert into publicacion (market, clave, market_id, sku, proveedor, producto_id, titulo, precio, stock, vendido, estatus, tipo, categoria_id, fecha_creacion, auto_sync, leida_en)
    select market, case when market = 'ml' then 'MLM' || 3000000000 + n else 'K' || n end, 'MLM' || 3000000000 + n, 'AMS|P' || n || '|' || p.proveedor || '|X', p.proveedor, p.id,
      left(p.nombre, 60) || ' ' || n, 500 + n % 900, n % 50, n % 9, 'active', case when n % 2 = 0 then 'gold_special' else 'gold_pro' end, 'MLM167538',
      now() - n * interval '1 minute', market = 'ml', now()
    from (select n, case when n % 5 = 4 then 'amz' else 'ml' end as market from generate_series(0, ${LISTINGS - 1}::int) n) s
      join producto p on p.id_proveedor = 'P' || n
    on conflict do nothing`.execute(owner);
  await sql`delete from publicacion_mirar`.execute(owner);
  await sql`vacuum analyze publicacion`.execute(owner);
}

/** Changes of a second, and how many come at once at the end. */
const EACH_SECOND = 5;
const AT_ONCE = 250;

export async function benchSeguir({ place, db, owner, sandbox, quick }: Bench): Promise<Figure[]> {
  // What we change is told to our own door, and read back from there: that counts too.
  await place.web();
  await sandbox.mercadolibre.post('/publicaciones', { cantidad: LISTINGS, skus: [] });
  await sandbox.mercadolibre.post('/interruptores', { llamadasPorMinuto: CALLS });
  const seconds = quick ? 40 : 150;
  const [steady, burst] = await standing(owner, seconds * EACH_SECOND, AT_ONCE);
  const began = new Date();
  for (let at = 0; at < steady!.length; at += EACH_SECOND) {
    const some = steady!.slice(at, at + EACH_SECOND);
    // Some move again before anybody could be told.
    await move(db, some, 30);
    await move(db, some.slice(0, 2), 20);
    await sleep(Math.max(0, began.getTime() + (at / EACH_SECOND + 1) * 1_000 - Date.now()));
  }
  const flowed = await told(db, began);
  const then = new Date();
  await move(db, burst!, 30);
  const burstTold = await told(db, then);
  const { porMinuto, rechazadas } = await sandbox.mercadolibre.get<{ porMinuto: number; rechazadas: number }>(
    '/publicaciones',
  );
  await sandbox.mercadolibre.post('/interruptores', { llamadasPorMinuto: 0 });
  const note = `${LISTINGS} listings; at most ${porMinuto} calls in a minute, ${rechazadas} refused`;
  const figure = (name: string, waits: number[]): Figure => {
    const { value, best, p95 } = spread(waits);
    return {
      name: `mercados: supplier change to listing, p95, ${name}`,
      value: rounded(p95, 1),
      best,
      unit: 's',
      aim: WITHIN_S,
      note: `median ${rounded(value, 1)} s of ${waits.length}; ${note}`,
    };
  };
  return [
    figure(`${EACH_SECOND} a second for ${seconds} s`, flowed),
    figure(`${AT_ONCE} at once`, burstTold),
    { name: 'mercados: calls refused by the limit meanwhile', value: rechazadas, unit: 'requests', aim: 0 },
  ];
}

/** Products whose listing stands as its supplier and its price rule have it: only what moves from here on is told. */
async function standing(owner: Db, ...counts: number[]): Promise<string[][]> {
  const { rows } = await sql<{ id: string }>`
    select p.id from producto p join oferta o on o.producto_id = p.id join publicacion l on l.producto_id = p.id and l.auto_sync
    where o.precio is not null and o.existencia > 0 and p.ausente_desde is null order by l.clave limit ${counts.reduce((a, b) => a + b)}`.execute(
    owner,
  );
  const ids = rows.map(({ id }) => id);
  await sql`update oferta set existencia = 10, leida_en = now(), existencia_en = now(), precio_en = now() where producto_id = any(${ids}::uuid[])`.execute(
    owner,
  );
  const caras = await owner.transaction().execute((trx) => readCaras(trx, ids));
  const precios = ids.map((id) => {
    const venta = caras.get(id)!.ml.venta;
    return venta.clase === 'precio' ? venta.precio.toFixed(2) : null;
  });
  await sql`update publicacion p set precio = r.precio, stock = 10 from unnest(${ids}::uuid[], ${precios}::numeric[]) as r (id, precio) where p.producto_id = r.id`.execute(
    owner,
  );
  await sql`delete from publicacion_mirar`.execute(owner);
  return counts.map((count) => ids.splice(0, count));
}

async function move(db: Db, ids: readonly string[], existencia: number): Promise<void> {
  await sql`update oferta set existencia = ${existencia} + abs(hashtext(producto_id::text)) % 9, leida_en = now(), existencia_en = now()
    where producto_id = any(${ids}::uuid[])`.execute(db);
}

/** How long each change waited, once nothing waits any more; in seconds. */
async function told(db: Db, since: Date): Promise<number[]> {
  for (const end = Date.now() + 300_000; ; await sleep(250)) {
    const { rows } = await sql<{ waiting: boolean }>`
      select exists (select from publicacion_mirar) or exists (select from publicacion_pendiente) as waiting`.execute(
      db,
    );
    if (!rows[0]!.waiting) break;
    if (Date.now() > end) throw new Error('changes of suppliers still wait after five minutes');
  }
  const { rows } = await sql<{ waited: number; error: string | null }>`
    select extract(epoch from en - desde)::float8 as waited, error from publicacion_historia where en >= ${since} and desde >= ${since}`.execute(
    db,
  );
  const wrong = rows.find(({ error }) => error !== null);
  if (wrong) throw new Error(`a change was refused: ${wrong.error}`);
  return rows.map(({ waited }) => waited);
}
