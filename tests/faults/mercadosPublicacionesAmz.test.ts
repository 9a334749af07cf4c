/** Changes of stock at Amazon whose answers are lost, cut, late or refused, one by one and in files: each listing ends as its supplier has it, and never shows an older value after a newer. */
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { sweepEffects } from '~/platform/effects/runEffect.server';
import { followProveedores } from '~/domain/publicaciones/publicaciones/followProveedores.server';
import { bringPublicaciones } from '~/domain/publicaciones/publicaciones/syncPublicaciones.server';
import { linkSandboxAmazon } from '../support/amazon';
import { seedCatalogo } from '../support/builders/catalogo';
import { ownerDatabase, testDatabase } from '../support/db';
import { runJobs } from '../support/jobs';
import { startTestSandbox } from '../support/sandbox';
import { luck, report, times } from './support/scene';

/** A call gives up after 1 s. */
process.env.EFFECT_PACE = '0.02';
delete process.env.EFFECT_DEADLINE;
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 }, amazon: { ventas: 0, ritmo: 100_000 } });
const { db } = testDatabase();
const amz = sandbox.proveedor('amazon');
const next = luck(20261124);
const CUANTAS = times(32, 250);
const VUELTAS = times(2, 20);
const WITHIN_MS = times(240_000, 1_800_000);

const MODOS = ['reset-after-doing', '500-after-doing', 'half-answer', 'html', '429', '503', 'reset', 'refuse'];
const RUTAS = [
  'PATCH /listings',
  'GET /listings',
  'POST /feeds/2021-06-30/feeds',
  'POST /feeds/2021-06-30/documents',
  'GET /feeds',
];
const una = <T>(de: readonly T[]): T => de[Math.floor(next() * de.length)]!;
let productos: string[];

beforeAll(async () => {
  // The account's limits are told with each answer, and are higher than those that are documented.
  await amz.post('/interruptores', { limite: 'conEncabezado' });
  await linkSandboxAmazon(db, sandbox);
  await seedCatalogo(ownerDatabase().db, CUANTAS + 50);
  const catalogo = await db
    .selectFrom('producto')
    .innerJoin('oferta', 'oferta.productoId', 'producto.id')
    .select(['producto.id', 'producto.proveedor', 'producto.idProveedor'])
    .orderBy('producto.id')
    .limit(CUANTAS)
    .execute();
  productos = catalogo.map(({ id }) => id);
  const skus = catalogo.map(({ proveedor, idProveedor }) => `AMS|${idProveedor}|${proveedor}|X`);
  await runJobs();
  await db.updateTable('producto').set({ enVenta: true, ausenteDesde: null }).where('id', 'in', productos).execute();
  await db
    .updateTable('oferta')
    .set({ precio: '1000', moneda: 'MXN', sinPrecio: null, existencia: 10, leidaEn: new Date() })
    .where('productoId', 'in', productos)
    .execute();
  await amz.post('/publicaciones', { cantidad: CUANTAS, skus });
  for (const sku of skus)
    await amz.post(`/publicaciones/${encodeURIComponent(sku)}`, { centavos: 174_000, cantidad: 10 });
  await bringPublicaciones(db, fuenteOf('amz'), skus);
  await db.updateTable('publicacion').set({ autoSync: true }).execute();
  await db.deleteFrom('publicacionMirar').execute();
}, 120_000);

/** What is due is done, the pace of the account is not what is proven here, and Amazon works on for some seconds. */
async function vuelta() {
  await sql`delete from connection`.execute(db);
  await db
    .updateTable('publicacionPendiente')
    .set({ noAntes: sql<Date>`now()` })
    .execute();
  await followProveedores(db, ['amz']);
  await runJobs();
  await amz.post('/reloj', { segundos: 20 });
  // What was taken in is not waited for by the clock.
  await sql`update effect set next_at = now() where state = 'unknown' and result is not null`.execute(db);
  await sweepEffects(db);
}

test(
  `${CUANTAS * VUELTAS} changes of stock at Amazon: none lost, none doubled, none older on a newer one`,
  async () => {
    let fallas = 0;
    for (let n = 1; n <= VUELTAS; n++) {
      // In some turns many move, and go in a file; in others a few, one by one.
      const cuales = n % 2 === 1 ? productos : productos.filter(() => next() < 0.4);
      await db
        .updateTable('oferta')
        .set({ existencia: 10 + n })
        .where('productoId', 'in', n === VUELTAS ? productos : cuales)
        .execute();
      for (let at = 0; at < Math.max(3, CUANTAS / 10); at++, fallas++)
        await amz.failNext(una(MODOS), { route: una(RUTAS) });
      await vuelta();
      await vuelta();
    }
    const began = Date.now();
    for (;;) {
      await vuelta();
      const { rows } = await sql<{ abiertos: number }>`select (select count(*) from publicacion_pendiente)::int
        + (select count(*) from effect where state in ('queued', 'sending', 'unknown'))::int as abiertos`.execute(db);
      if (rows[0]!.abiertos === 0) break;
      if (Date.now() - began > WITHIN_MS) throw new Error(`${rows[0]!.abiertos} are still open`);
    }

    type Alla = {
      publicaciones: { sku: string; cantidad: number }[];
      mostrados: { sku: string; cantidad: number }[];
    };
    const { publicaciones, mostrados } = await amz.get<Alla>('/publicaciones');
    expect(publicaciones.filter(({ cantidad }) => cantidad !== 10 + VUELTAS)).toEqual([]);
    const aqui = await db.selectFrom('publicacion').select(['clave', 'stock']).execute();
    expect(aqui.filter(({ stock }) => stock !== 10 + VUELTAS)).toEqual([]);
    const ultimo = new Map<string, number>();
    const viejos = mostrados.filter(({ sku, cantidad }) => {
      const viejo = cantidad < (ultimo.get(sku) ?? 0);
      ultimo.set(sku, Math.max(cantidad, ultimo.get(sku) ?? 0));
      return viejo;
    });
    expect(viejos).toEqual([]);
    const { rows: dobles } = await sql`select publicacion_id, stock from publicacion_historia
      where error is null group by 1, 2 having count(*) > 1`.execute(db);
    expect(dobles).toEqual([]);
    report('publicaciones de Amazon', {
      cambios: CUANTAS * VUELTAS,
      fallas,
      mostrados: mostrados.length,
      perdidos: 0,
      viejosSobreNuevos: viejos.length,
      archivos: (await db.selectFrom('effect').select('id').where('type', '=', 'amz.archivo').execute()).length,
    });
  },
  WITHIN_MS + 60_000,
);
