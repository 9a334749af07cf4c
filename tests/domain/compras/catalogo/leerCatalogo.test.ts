import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { saveKeys } from '~/platform/connections/keys.server';
import type { FarSide } from '~/platform/connections/definition';
import { ct } from '~/domain/compras/directorio/internal/ct.server';
import { syscom } from '~/domain/compras/directorio/internal/syscom.server';
import { tvc } from '~/domain/compras/directorio/internal/tvc.server';
import { cleanExpired } from '~/domain/operacion/mantenimiento/limpieza.server';
import {
  decideEncogido,
  listEncogidos,
  enqueueCatalogos,
  bringCatalogo,
  listLecturas,
} from '~/domain/compras/catalogo/lecturas.server';
import { saveTramo, takeLectura } from '~/domain/compras/catalogo/internal/lecturaCatalogo.server';
import { Unavailable } from '~/integrations/errors';
import type { Tramo } from '~/integrations/proveedores/cara';
import { itemOf as itemDeCva } from '~/integrations/proveedores/cva/wire';
import { tramoOf } from '~/integrations/proveedores/paginas';
import { LLAVES } from '../../../sandbox/tvc';
import { buildUsuarios } from '../../../support/web';
import { openTestDatabase, testDatabase } from '../../../support/db';
import { startTestSandbox } from '../../../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 }, proveedores: { productos: 320 } });
const { db, url } = testDatabase();
const far = sandbox.proveedor('tvc');
let vende: string[];

beforeEach(async () => {
  await sandbox.reset('tvc');
  for (const table of ['producto', 'lecturaCatalogo', 'connection', 'credential'] as const)
    await db.deleteFrom(table).execute();
  await saveKeys(db, tvc, LLAVES, null);
  vende = await far.get('/catalogo');
});

/** TVC, of whose stretches something is done before they are kept. */
const con = (change: (tramo: Tramo, desde: string | null) => Tramo): FarSide => ({
  ...tvc,
  proveedor: {
    ...tvc.proveedor!,
    leer(...asked) {
      const lector = tvc.proveedor!.leer(...asked);
      return {
        ...lector,
        async *catalogo(desde) {
          let at = desde;
          for await (const tramo of lector.catalogo!(desde)) {
            yield change(tramo, at);
            at = tramo.sigue;
          }
        },
      };
    },
  },
});
/** As if the hours until the next one had passed. */
const deNuevo = async (side: FarSide = tvc) => {
  await sql`update lectura_catalogo set empezo_en = empezo_en - interval '7 hours', espera_hasta = null`.execute(db);
  await db.deleteFrom('connection').execute();
  return await bringCatalogo(db, side);
};
const sinEl = (id: string) => con((tramo) => ({ ...tramo, crudos: tramo.crudos.filter(({ clave }) => clave !== id) }));
const leeNada = () => {
  throw new Error('there is nothing to read');
};
const ultima = () =>
  db.selectFrom('lecturaCatalogo').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow();
const producto = (id: string) =>
  db
    .selectFrom('producto')
    .innerJoin('oferta', 'oferta.productoId', 'producto.id')
    .selectAll()
    .where('idProveedor', '=', id)
    .executeTakeFirstOrThrow();
const historia = async () =>
  Number(
    (
      await db
        .selectFrom('productoHistoria')
        .select(sql<string>`count(*)`.as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );

test('a whole catalogue is kept as it is told, and what has no price is kept with its reason', async () => {
  expect(await bringCatalogo(db, tvc)).toBe('leido');
  const kept = await db.selectFrom('producto').select('idProveedor').where('proveedor', '=', 'tvc').execute();
  expect(kept.map(({ idProveedor }) => idProveedor).sort()).toEqual(vende.toSorted());
  const facts =
    await far.get<Record<string, { id: string; precio: string | null; existencia: number | null }[]>>('/ejemplos');
  for (const [{ id, precio, existencia }] of Object.values(facts) as [[(typeof facts)[string][number]]]) {
    const row = await producto(id);
    expect([row.precio?.toString() ?? null, row.existencia, row.sinPrecio === null]).toEqual([
      precio,
      existencia,
      precio !== null,
    ]);
  }
  expect(await ultima()).toMatchObject({ completa: true, vistos: vende.length, escritos: vende.length, error: null });
  expect(await historia()).toBe(vende.length);
  expect((await listLecturas(db)).get('tvc')).toMatchObject({
    tono: 'ok',
    texto: `Catálogo: ${vende.length} productos, ${vende.length} con cambios.`,
  });
});

test('what did not change is not written again, and what did tells its history', async () => {
  await bringCatalogo(db, tvc);
  const rows = async () =>
    (await sql<{ x: string }>`select xmin::text as x from oferta order by producto_id`.execute(db)).rows;
  const before = await rows();
  // Its time has not come.
  expect(await bringCatalogo(db, tvc)).toBeNull();
  expect(await deNuevo()).toBe('leido');
  expect(await rows()).toEqual(before);
  expect(await ultima()).toMatchObject({ vistos: vende.length, escritos: 0 });
  const { id, precio } = (await far.get<Record<string, { id: string; precio: string }[]>>('/ejemplos')).normal![0]!;
  await deNuevo(
    con((tramo) => ({
      ...tramo,
      crudos: tramo.crudos.map((crudo) =>
        crudo.clave === id
          ? { ...crudo, raw: { ...(crudo.raw as object), inventory_detailed: null, total_inventories: '77' } }
          : crudo,
      ),
    })),
  );
  expect(await ultima()).toMatchObject({ vistos: vende.length, escritos: 1 });
  expect(await producto(id)).toMatchObject({ existencia: 77 });
  expect((await producto(id)).precio!.toString()).toBe(precio);
  expect(await historia()).toBe(vende.length + 1);
});

test('a read that was cut goes on where it was, and asks for no stretch twice', async () => {
  const cut = con((tramo, desde) => {
    if (desde === '2') throw new Unavailable('TVC se cortó', { retryAfterMs: 60_000 });
    return tramo;
  });
  expect(await bringCatalogo(db, cut)).toBe('espera');
  expect(await ultima()).toMatchObject({ sigue: '2', tramos: 1, terminoEn: null, error: 'TVC se cortó' });
  // It said when to come again.
  expect(await bringCatalogo(db, tvc)).toBeNull();
  await sql`update lectura_catalogo set espera_hasta = null`.execute(db);
  expect(await bringCatalogo(db, tvc)).toBe('leido');
  expect(await ultima()).toMatchObject({ completa: true, vistos: vende.length });
  expect(await db.selectFrom('lecturaCatalogo').select('id').execute()).toHaveLength(1);
  const first = (await sandbox.requests('tvc')).filter(({ path }) => path.includes('page=1&perPage=100'));
  expect(first).toHaveLength(1);
});

test('two workers read it once, and one that lost its turn keeps nothing', async () => {
  expect((await Promise.all([bringCatalogo(db, tvc), bringCatalogo(db, tvc)])).sort()).toEqual(['leido', null]);
  expect(await ultima()).toMatchObject({ vistos: vende.length, escritos: vende.length });
  const stolen = con((tramo) => tramo);
  const lector = stolen.proveedor!.leer;
  stolen.proveedor!.leer = (...asked) => ({
    ...lector(...asked),
    async *catalogo(desde) {
      for await (const tramo of lector(...asked).catalogo!(desde)) {
        await sql`update lectura_catalogo set dueno = gen_random_uuid() where termino_en is null`.execute(db);
        yield tramo;
      }
    },
  });
  expect(await deNuevo(stolen)).toBeNull();
  expect(await ultima()).toMatchObject({ tramos: 0, vistos: 0, terminoEn: null });
});

test('a product that is listed no more is marked at its second absence, and is the same row when it comes back', async () => {
  await bringCatalogo(db, tvc);
  const [id] = vende as [string];
  const { productoId } = await producto(id);
  await deNuevo(sinEl(id));
  expect(await producto(id)).toMatchObject({ ausencias: 1, ausenteDesde: null });
  await deNuevo(sinEl(id));
  expect(await producto(id)).toMatchObject({ ausencias: 2, ausenteDesde: expect.any(Date) as Date });
  expect(await ultima()).toMatchObject({ ausentes: 1 });
  await deNuevo();
  expect(await producto(id)).toMatchObject({ productoId, ausencias: 0, ausenteDesde: null });
});

test('a catalogue that shrank asks before it marks anything, and a later read that is whole answers it', async () => {
  await bringCatalogo(db, tvc);
  const corto = con((tramo) => ({ ...tramo, crudos: tramo.crudos.slice(0, 5) }));
  await deNuevo(corto);
  expect(await ultima()).toMatchObject({
    completa: false,
    porMarcar: vende.length - 15,
    error: expect.stringContaining('no se marcó ninguno') as string,
  });
  expect(await db.selectFrom('producto').select('id').where('ausencias', '>', 0).execute()).toEqual([]);
  expect(await listEncogidos(db)).toMatchObject([{ proveedor: 'tvc', porMarcar: vende.length - 15 }]);
  await deNuevo();
  expect(await listEncogidos(db)).toEqual([]);
  expect(await db.selectFrom('catalogoVisto').select('tramo').execute()).toEqual([]);

  await deNuevo(corto);
  const { sa } = await buildUsuarios(db);
  const [{ id } = { id: '' }] = await listEncogidos(db);
  const decide = (decision: 'marcar' | 'dejar') =>
    db.transaction().execute((trx) => decideEncogido(trx, { id, decision }, sa));
  expect(await decide('marcar')).toEqual({ marcados: vende.length - 15 });
  await expect(decide('dejar')).rejects.toThrow('Alguien ya lo decidió');
  const ausentes = await db.selectFrom('producto').select('id').where('ausenteDesde', 'is not', null).execute();
  expect(ausentes).toHaveLength(vende.length - 15);
});

test('a row that cannot be read speaks for the product that it names, and keeps no other from being marked', async () => {
  await bringCatalogo(db, tvc);
  const [nombrado, ido] = vende as [string, string];
  const sinLosDos = con((tramo, desde) => ({
    ...tramo,
    crudos: tramo.crudos.filter(({ clave }) => clave !== nombrado && clave !== ido),
    ...(desde === null && { ilegibles: ['renglón 1: tvc_id'], rastros: ['algo', nombrado] }),
  }));
  await deNuevo(sinLosDos);
  await deNuevo(sinLosDos);
  expect(await ultima()).toMatchObject({ completa: true, ilegibles: 1, ejemplos: ['renglón 1: tvc_id'], ausentes: 1 });
  expect(await producto(nombrado)).toMatchObject({ ausencias: 0, ausenteDesde: null });
  expect(await producto(ido)).toMatchObject({ ausencias: 2, ausenteDesde: expect.any(Date) as Date });
  // What was not read is no fresher for it.
  expect((await producto(nombrado)).vistoHasta).toEqual(expect.any(Date));
});

test('a row that the database refuses is told, and takes no other with it', async () => {
  const [id] = vende as [string];
  const malo = con((tramo) => ({
    ...tramo,
    itemOf(...asked) {
      const item = tramo.itemOf(...asked);
      return item.idProveedor === id ? { ...item, existencia: { ...item.existencia, total: 3_000_000_000 } } : item;
    },
  }));
  expect(await bringCatalogo(db, malo)).toBe('leido');
  expect(await ultima()).toMatchObject({ completa: true, ilegibles: 1, escritos: vende.length - 1 });
  expect((await ultima()).ejemplos[0]).toContain(id);
});

test('an error of ours stands in the row of the read, and is tried again ever more seldom', async () => {
  const roto = con(() => {
    throw new TypeError('no se pudo');
  });
  const wait = async () => {
    const { esperaHasta } = await ultima();
    await sql`update lectura_catalogo set espera_hasta = null`.execute(db);
    return Math.round((esperaHasta!.getTime() - Date.now()) / 60_000);
  };
  const waits: number[] = [];
  for (let n = 0; n < 4; n++) {
    await expect(bringCatalogo(db, roto)).rejects.toThrow('no se pudo');
    expect(await ultima()).toMatchObject({ falla: 'nuestra', fallas: n + 1, terminoEn: null, dueno: null });
    waits.push(await wait());
  }
  expect(waits).toEqual([10, 30, 90, 270]);
  expect((await ultima()).error).toContain('no se pudo');
  expect(await bringCatalogo(db, tvc)).toBe('leido');
  expect(await ultima()).toMatchObject({ falla: null, fallas: 0, error: null });
});

test('nothing was read later than now, whatever the clock of its reader says', async () => {
  await bringCatalogo(
    db,
    con((tramo) => ({
      ...tramo,
      crudos: tramo.crudos.map((crudo) => ({ ...crudo, leidoEn: new Date(Date.now() + 86_400_000) })),
    })),
  );
  const { rows } = await sql`select from oferta where leida_en > now()`.execute(db);
  expect(rows).toEqual([]);
});

test('a price in dollars has the rate that its supplier has now, also where nothing of it changed', async () => {
  await bringCatalogo(db, tvc);
  const rates = async () =>
    (
      await sql<{ pesos: string }>`select distinct tipo_cambio::text as pesos from oferta where moneda = 'USD'`.execute(
        db,
      )
    ).rows;
  expect(await rates()).toEqual([{ pesos: '18.470000' }]);
  await sql`update oferta set tipo_cambio = 17`.execute(db);
  await deNuevo();
  expect(await ultima()).toMatchObject({ escritos: 0 });
  expect(await rates()).toEqual([{ pesos: '18.470000' }]);
});

test('a rate that moved is kept, though it is told by rows of which nothing else changed', async () => {
  const rate = async (pesos: string) => {
    await sql`update lectura_catalogo set empezo_en = empezo_en - interval '7 hours'`.execute(db);
    const lectura = (await takeLectura(db, 'cva'))!;
    const raw = (clave: string, moneda: string, precio: string) => ({ clave, moneda, precio, tipo_cambio: pesos });
    const raws = [raw('A-1', 'Dolares', '10.00'), raw('A-2', 'Pesos', '190.00')];
    await saveTramo(db, lectura, tramoOf(raws, 'clave', itemDeCva, new Date()));
    return (await sql`select tipo_cambio::text as pesos from catalogo_proveedor where proveedor = 'cva'`.execute(db))
      .rows[0];
  };
  expect(await rate('18.10')).toEqual({ pesos: '18.100000' });
  expect(await ultima()).toMatchObject({ vistos: 2, escritos: 2 });
  expect(await rate('18.40')).toEqual({ pesos: '18.400000' });
  expect(await ultima()).toMatchObject({ vistos: 2, escritos: 0 });
});

test('a row that was read in an older way is read once more', async () => {
  await bringCatalogo(db, tvc);
  await sql`update producto set nombre = 'mal leído', huella = 'vieja'`.execute(db);
  await deNuevo();
  // What came is what is kept: nobody has to look at it.
  expect(await ultima()).toMatchObject({ vistos: vende.length, escritos: 0 });
  await sql`update oferta set huella = 'vieja'`.execute(db);
  await deNuevo();
  expect(await ultima()).toMatchObject({ vistos: vende.length, escritos: vende.length });
  expect(await db.selectFrom('producto').select('id').where('nombre', '=', 'mal leído').execute()).toEqual([]);
});

test('the end of a first read looks at each product once, though nothing is known yet of its tables', async () => {
  const lectura = (await takeLectura(db, 'tvc'))!;
  // To look at all of them for each of them takes ten seconds, and all of them once a twentieth of one.
  const apurada = openTestDatabase(url, { statementTimeoutMs: 4_000 });
  const [ids] = (
    await sql<{ ids: string[] }>`with puestos as (insert into producto (proveedor, id_proveedor, en_venta, huella)
      select 'tvc', 'P-' || n, true, '' from generate_series(1, 15000) n returning id_proveedor)
      select array_agg(id_proveedor) as ids from puestos`.execute(db)
  ).rows;
  await sql`insert into catalogo_visto (lectura_id, tramo, ids, rastros) values (${lectura.id}, -1, ${ids!.ids}::text[], '{}')`.execute(
    db,
  );
  const fin = { crudos: [], itemOf: leeNada, ilegibles: [], rastros: [], sigue: null, total: null };
  expect(await saveTramo(apurada.db, lectura, fin)).toBe(true);
  expect(await ultima()).toMatchObject({ completa: true, vistos: 15_000, ausentes: 0 });
});

test('a read is asked for where there is a link and a catalogue to read whole', async () => {
  await saveKeys(db, syscom, { idUsuario: 'cli_demo_0001', secret: 'sec_demo_0001' }, null);
  await saveKeys(db, ct, { email: 'COMPRAS@DEMO.MX', cliente: 'HMO0000', rfc: 'XAXX010101000' }, null);
  await enqueueCatalogos(db);
  const { rows } = await sql<{ key: string }>`
    select key from graphile_worker._private_jobs where key like 'catalogo.leer:%'`.execute(db);
  expect(rows.map(({ key }) => key.replace('catalogo.leer:', '')).sort()).toEqual([
    'ct',
    'ct:precios',
    'syscom',
    'tvc',
  ]);
});

test('the history of a product is kept for 180 days', async () => {
  await bringCatalogo(db, tvc);
  await sql`update producto_historia set en = now() - interval '181 days' where id <> (select max(id) from producto_historia)`.execute(
    db,
  );
  await cleanExpired(db);
  expect(await historia()).toBe(1);
  expect(await db.selectFrom('oferta').select('productoId').execute()).toHaveLength(vende.length);
});
