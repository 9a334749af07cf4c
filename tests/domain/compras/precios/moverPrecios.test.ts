import { type Insertable, sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { Moneda } from '~/core/moneda';
import { readCaras } from '~/domain/compras/precios/precios.server';
import {
  countMovimientos,
  gananciasEscritas,
  huellaOfGanancias,
  readReglas,
  saveGanancias,
} from '~/domain/compras/precios/reglas.server';
import { siguen } from '~/domain/publicaciones/publicaciones/seguidas.server';
import type { DB } from '~db/types';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();

beforeEach(async () => {
  await db.deleteFrom('producto').execute();
  await db.deleteFrom('ganancia').execute();
  await sql`update catalogo_proveedor set tipo_cambio = 20, tipo_cambio_en = now() where proveedor = 'tvc'`.execute(db);
});

type Pieza = { precio: string | null; moneda?: Moneda; tipoCambio?: string | null; costoEnvio?: string | null };

async function pieza({ precio, moneda = 'MXN', tipoCambio = null, costoEnvio = null }: Pieza, n: number) {
  const { id } = await db
    .insertInto('producto')
    .values({ proveedor: 'tvc', idProveedor: `P-${n}`, enVenta: true, huella: 'x', costoEnvio })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('oferta')
    .values({
      productoId: id,
      precio,
      moneda: precio === null ? null : moneda,
      sinPrecio: precio === null ? 'sinDistribucion' : null,
      tipoCambio,
      existencia: 3,
      tope: false,
      almacenes: '[]',
      promociones: '[]',
      raw: '{}',
      huella: 'x',
      leidaEn: new Date(),
    })
    .execute();
  return id;
}

const MEDIA = { ml: '0.5', premium: '', amz: '0.5' };
const PIEZAS: Pieza[] = [
  { precio: '100' },
  { precio: '100.01' },
  { precio: '0.01' },
  { precio: '12345678.123456', costoEnvio: '89.50' },
  { precio: '22.10', moneda: 'USD', tipoCambio: '18.62' },
  { precio: '4.1', moneda: 'USD', tipoCambio: '6.097561' },
  { precio: '22.10', moneda: 'USD' },
  { precio: null },
];

test('a whole catalogue is marked up as each of its products is', async () => {
  const ids = await Promise.all(PIEZAS.map(pieza));
  const precioDe = async (id: string) => {
    const venta = (await readCaras(db, [id])).get(id)!.ml.venta;
    return venta.clase === 'precio' ? venta.precio : null;
  };
  const antes = await Promise.all(ids.map(precioDe));
  const [movimiento] = await countMovimientos(db, 'tvc', MEDIA, { ml: '0.6', amz: '0.5' }, siguen);
  const antesEscritas = gananciasEscritas(await readReglas(db), 'tvc');
  await db
    .transaction()
    .execute((trx) =>
      saveGanancias(trx, 'tvc', { ml: '0.6', amz: '0.5', huella: huellaOfGanancias(antesEscritas) }, null),
    );
  const despues = await Promise.all(ids.map(precioDe));
  const movidos = ids.flatMap((_, at) =>
    antes[at] && despues[at] && !antes[at].equals(despues[at]) ? [[antes[at], despues[at]] as const] : [],
  );
  expect(antes.filter((one) => one === null)).toHaveLength(1);
  // The supplier's own rate, also where another was told with the product.
  expect([antes[4], antes[6]].map(String)).toEqual(['770.00', '770.00']);
  expect(movidos).toHaveLength(6);
  expect(movimiento).toMatchObject({
    key: 'ml',
    de: '0.5',
    a: '0.6',
    mueven: movidos.length,
    publicaciones: 0,
    propios: 0,
  });
  const media = (which: 0 | 1) =>
    (movidos.reduce((sum, pair) => sum + Number(pair[which].toFixed(0)), 0) / movidos.length).toFixed(2);
  expect([movimiento!.antes, movimiento!.despues].map(String)).toEqual([media(0), media(1)]);
});

test('what has a mark-up of its own, is gone, or stays the same to the peso does not move', async () => {
  const [propia, ausente, barata] = await Promise.all(
    [{ precio: '100' }, { precio: '100' }, { precio: '0.01' }, { precio: '100' }].map(pieza),
  );
  await db
    .insertInto('gananciaProducto')
    .values({ productoId: propia!, market: 'ml', tipo: '', ganancia: '0.1' })
    .execute();
  await sql`update catalogo_proveedor set tipo_cambio = null, tipo_cambio_en = null where proveedor = 'tvc'`.execute(
    db,
  );
  await pieza({ precio: '5', moneda: 'USD' }, 9);
  await sql`update producto set ausencias = 2, ausente_desde = now() where id = ${ausente}`.execute(db);
  const said = await countMovimientos(db, 'tvc', MEDIA, { ml: '1', amz: '1' }, siguen);
  expect(barata).toBeDefined();
  expect(
    said.map(({ key, mueven, propios, sinCambio, antes, despues }) => [
      key,
      mueven,
      propios,
      sinCambio,
      String(antes),
      String(despues),
    ]),
  ).toEqual([
    ['ml', 1, 1, 1, '174.00', '232.00'],
    ['premium', 1, 1, 1, '174.00', '232.00'],
    ['amz', 2, 0, 1, '174.00', '232.00'],
  ]);
});

test('listings that follow a price that moves are counted: not those that people keep, of another marketplace, or gone', async () => {
  const [movida, propia] = await Promise.all([{ precio: '100' }, { precio: '100' }].map(pieza));
  await db
    .insertInto('gananciaProducto')
    .values({ productoId: propia!, market: 'ml', tipo: '', ganancia: '0.1' })
    .execute();
  const publicada = (clave: string, productoId: string, more: Partial<Insertable<DB['publicacion']>> = {}) => ({
    market: 'ml' as const,
    clave,
    titulo: 'Cámara',
    estatus: 'active',
    autoSync: true,
    proveedor: 'tvc',
    productoId,
    ...more,
  });
  await db
    .insertInto('publicacion')
    .values([
      publicada('MLM1', movida!),
      publicada('MLM2', movida!),
      publicada('MLM3', movida!, { autoSync: false }),
      publicada('MLM4', movida!, { estatus: 'closed' }),
      publicada('MLM5', propia!),
      publicada('MLM7', movida!, { tipo: 'gold_pro' }),
      publicada('A6', movida!, { market: 'amz' }),
    ])
    .execute();
  // Without a mark-up of its own Premium moves with Clásica.
  const said = await countMovimientos(db, 'tvc', MEDIA, { ml: '1', amz: '0.5' }, siguen);
  expect(said).toMatchObject([
    { key: 'ml', mueven: 1, publicaciones: 2 },
    { key: 'premium', mueven: 1, publicaciones: 1 },
  ]);
  const deSuya = await countMovimientos(db, 'tvc', { ...MEDIA, premium: '0.8' }, { ml: '1', amz: '0.5' }, siguen);
  expect(deSuya.map(({ key }) => key)).toEqual(['ml']);
  await db.deleteFrom('publicacion').execute();
});
