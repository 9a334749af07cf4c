import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { forgetEnv } from '~/core/env.server';
import type { Money } from '~/core/money';
import { lineasOfVenta } from '~/domain/compras/pedidos/internal/lineas.server';
import { listConfigurados } from '~/domain/compras/directorio/configuracion.server';
import { GANANCIA, precioOfVenta } from '~/domain/compras/precios/precio';
import { enqueueCatalogos } from '~/domain/compras/catalogo/lecturas.server';
import { seedComoSeCompra } from '../../bin/seed/comoSeCompra';
import { seedCompras } from '../../bin/seed/compras';
import { linkAmazon, seedDemo } from '../../bin/seed/demo';
import type { Market, Moneda } from '~db/columns';
import { doBeside } from '../support/beside';
import { ownerDatabase, testDatabase } from '../support/db';
import { runJobs, runJobsUntil } from '../support/jobs';
import { startTestSandbox } from '../support/sandbox';

const { db } = testDatabase();
const horas = join(mkdtempSync(join(tmpdir(), 'trastienda-horas-')), 'sandbox', 'horas');
process.env.SANDBOX_HORAS = horas;
const sandbox = await startTestSandbox({
  appUrl: process.env.APP_URL,
  amazon: { publicaciones: true, ritmo: 100_000 },
  proveedores: { horas },
});
process.env.SANDBOX_URL = sandbox.url;

const PROVEEDORES = ['ct', 'cva', 'syscom', 'ts', 'tvc'];
const leidos = async () =>
  (
    await db
      .selectFrom('lecturaCatalogo')
      .select('proveedor')
      .where('tipo', '=', 'completa')
      .where('completa', '=', true)
      .orderBy('proveedor')
      .execute()
  ).map(({ proveedor }) => proveedor);

const mercados = () => db.selectFrom('publicacion').select('market').distinct().execute();

/** The demo as its start makes it, at any hour of the day: linked, its sales and listings read before the catalogues. */
beforeAll(async () => {
  forgetEnv();
  await seedDemo(db);
  await sandbox.proveedor('amazon').post('/demoras', { reporte: 0 });
  await linkAmazon(db);
  await runJobs();
  await sandbox.proveedor('syscom').post('/limite', { porMinuto: 0 });
  await enqueueCatalogos(db);
  // The pace of each supplier is told elsewhere: here every call finds its bucket full.
  const endPace = doBeside(100, async () => {
    await db.deleteFrom('connection').execute();
    // A report of listings is looked for again after half a minute.
    await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`.execute(ownerDatabase().db);
  });
  try {
    await runJobsUntil(async () => (await leidos()).length === PROVEEDORES.length && (await mercados()).length === 2);
  } finally {
    await endPace();
  }
}, 180_000);

test('every catalogue is full, that of CVA too, which closes by day', async () => {
  expect(await leidos()).toEqual(PROVEEDORES);
  const { rows } = await sql<{ proveedor: string; hay: boolean }>`
    select proveedor, count(*) > 800 as hay from producto group by 1 order by 1`.execute(db);
  expect(rows).toEqual(PROVEEDORES.map((proveedor) => ({ proveedor, hay: true })));
});

test.each(['ml', 'amz'] as const)(
  'nineteen of twenty sales at %s have their product, with its price',
  async (market) => {
    const ventas = await db
      .selectFrom('orden')
      .select('numOrden')
      .distinct()
      .where('market', '=', market)
      .orderBy('numOrden')
      .execute();
    const con = await Promise.all(
      ventas.map(async ({ numOrden }) => {
        const lineas = await lineasOfVenta(db, market, numOrden);
        return lineas.length > 0 && lineas.every(({ producto }) => producto?.precio != null);
      }),
    );
    expect(ventas.length).toBeGreaterThan({ ml: 450, amz: 100 }[market]);
    expect(con.filter(Boolean).length / ventas.length).toBeGreaterThanOrEqual(0.95);
  },
);

type Publicada = {
  market: Market;
  sku: string;
  precio: Money;
  costo: Money | null;
  moneda: Moneda;
  tipoCambio: Money | null;
};

test('every listing has its product, and its price is that of the rule over what its supplier asks', async () => {
  const { rows } = await sql<Publicada>`
    select p.market, p.sku, p.precio, o.precio as costo, o.moneda, o.tipo_cambio
    from publicacion p left join oferta o on o.producto_id = p.producto_id order by p.sku`.execute(db);
  expect(new Set(rows.map(({ market }) => market))).toEqual(new Set(['ml', 'amz']));
  expect(rows.filter(({ costo }) => costo === null)).toEqual([]);
  const lejos = rows.filter(({ precio, costo, moneda, tipoCambio }) => {
    const regla = precioOfVenta(
      { precio: costo, moneda, sinPrecio: null, tipoCambio },
      { ganancia: GANANCIA, envio: null },
    );
    if (regla.clase !== 'precio') return true;
    // The rule rounds up to the peso, and a price in dollars has two decimals.
    const diferencia = Math.abs(Number(precio.minus(regla.precio).toFixed(2)));
    return diferencia > 1.5;
  });
  expect(lejos).toEqual([]);
});

test('what left the house was bought: its cost is known, and so is what it left', async () => {
  expect(await seedCompras(db)).toBeGreaterThan(400);
  const { rows } = await sql<{ market: Market; ventas: number; compradas: number; con: number }>`
    select o.market, count(*)::int as ventas, count(l.queda)::int as con,
      count(*) filter (where exists (select from proveedor_factura f where f.orden_id = o.id))::int as compradas
    from orden o join libro_venta l on l.orden_id = o.id
    where o.estatus in ('enviado', 'entregado') and o.fecha_creacion < now() - interval '2 days' and o.pagado > 0
    group by 1 order by 1`.execute(db);
  expect(rows.map(({ market, ventas }) => [market, ventas > 50])).toEqual([
    ['amz', true],
    ['ml', true],
  ]);
  expect(rows.filter(({ con, compradas }) => con < compradas)).toEqual([]);
  // How many sales of one market were forgotten changes with the day; three of four were bought on any of them.
  expect(rows.filter(({ compradas, ventas }) => compradas / ventas < 0.75)).toEqual([]);
  const deuda = await db
    .selectFrom('proveedorFactura')
    .select(sql<number>`count(*) filter (where pagada >= monto)::int`.as('pagadas'))
    .select(sql<number>`count(*) filter (where pagada < monto)::int`.as('abiertas'))
    .executeTakeFirstOrThrow();
  expect([deuda.pagadas > 100, deuda.abiertas > 50]).toEqual([true, true]);
});

test('nothing is missing to buy at any supplier: what each asks for is chosen, and letters have a reader', async () => {
  for (let start = 0; start < 2; start++) await seedComoSeCompra(db);
  const proveedores = await listConfigurados(db);
  expect(proveedores.map(({ value, compra }) => [value, compra.falta]).toSorted()).toEqual(
    PROVEEDORES.map((value) => [value, []]),
  );
  const agentes = await db.selectFrom('agenteVenta').select('proveedor').orderBy('proveedor').execute();
  // A second start adds nobody.
  expect(agentes.map(({ proveedor }) => proveedor)).toEqual(['ts', 'tvc']);
});
