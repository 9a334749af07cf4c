/** The store from which a marketplace takes the pieces of a sale, shown where the sale is looked at and ordered. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { readDocumento } from '~/domain/mercados/registro.server';
import { fetchAlmacenes } from '~/domain/publicaciones/publicaciones/almacenes.server';
import { bringNumero } from '~/domain/ventas/ordenes/bringVentas.server';
import { readOrden } from '~/domain/ventas/ordenes/detalleOrden.server';
import { lugaresDeOrdenes } from '~/domain/ventas/ordenes/lugares.server';
import type { Mercadolibre } from '~/integrations/mercadolibre/client.server';
import { testDatabase } from '../../../support/db';
import { fuenteDe, linkSandbox, type SaleFacts } from '../../../support/mercadolibre';
import { startTestSandbox } from '../../../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
let ml: Mercadolibre;

beforeAll(async () => {
  ml = await linkSandbox(db, sandbox);
}, 60_000);
beforeEach(() => sandbox.clear());

const ponerCuenta = async (almacenes: number, nodoConLetras = false) => {
  await sandbox.mercadolibre.post('/interruptores', { almacenes, nodoConLetras });
  await fetchAlmacenes(db, 'ml');
};
async function vendida() {
  const sale = await sandbox.mercadolibre.newOrden<SaleFacts>('simple', { sinAviso: true });
  await bringNumero(db, fuenteDe(ml), sale.numOrden);
  const { id } = await db
    .selectFrom('orden')
    .select('id')
    .where('numOrden', '=', sale.numOrden)
    .executeTakeFirstOrThrow();
  return (await readOrden(db, id))!;
}
const lugaresDe = async (orden: { id: string; articulos: { lugares: string[] }[] }) => [
  orden.articulos.map(({ lugares }) => lugares),
  await lugaresDeOrdenes(db, 'ml', [orden.id]),
];

test.each([false, true])(
  'a sale tells its store by name, whatever its node looks like (letters: %s)',
  async (letras) => {
    await ponerCuenta(2, letras);
    // Sales tell one place or a list of places.
    for (let n = 0; n < 2; n++)
      expect(await lugaresDe(await vendida())).toEqual([[['Bodega Colima']], ['Bodega Colima']]);
  },
);

test('a store that the account no longer shows goes by its number', async () => {
  await ponerCuenta(1);
  const { id } = await vendida();
  await ponerCuenta(0);
  expect(await lugaresDe((await readOrden(db, id))!)).toEqual([[['71000001']], ['71000001']]);
});

test('a sale of an account that counts pieces by listing tells no place', async () => {
  await ponerCuenta(0);
  expect(await lugaresDe(await vendida())).toEqual([[[]], []]);
});

test('a place is read in each form, and what is no place is none', () => {
  const leidos = (stock: unknown) => readDocumento('ml', { order_items: [{ stock }] }).lugares;
  const lugar = { posicion: 0, tienda: '7', nodo: 'MXP1' };
  expect(leidos({ store_id: 7, network_node_id: 'MXP1' })).toEqual([lugar]);
  expect(leidos([{ store_id: '7', network_node_id: 'MXP1' }, { store_id: 8 }])).toEqual([
    lugar,
    { posicion: 0, tienda: '8', nodo: null },
  ]);
  for (const nada of [undefined, null, {}, [], 'x', [{ quantity: 1 }]]) expect(leidos(nada)).toEqual([]);
});
