import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/node';
import { expect, test } from 'vitest';
import { openList } from '~/platform/lists/list.server';
import type { ListNews } from '~/core/list';
import type { OrdenRow } from '~/domain/ventas/ordenes/listOrdenes.server';
import { ordenesList } from '~/domain/ventas/ordenes/listOrdenes.server';
import { loader } from '~/routes/files/listas';
import { buildOrden, buildQuien, seedOrdenes } from '../support/builders/ordenes';
import { inLastDays, lastDays } from '../support/dias';
import { ownerDatabase, testDatabase } from '../support/db';

const { db } = testDatabase();

test('what came since a list was opened is counted and not shown, and its known rows are told as they are now', async () => {
  const ana = await buildQuien(db, 'user');
  const vieja = await buildOrden(db, { titulo: 'Cámara', fechaCreacion: new Date(Date.now() - 60_000) });
  const { corte, registros } = await ordenesList.totals(db, ordenesList.parse(new URLSearchParams(lastDays())));
  const ask = async (query = '', rol: 'user' | 'aux' = 'user') => {
    const answer = await loader({
      request: new Request(
        `http://trastienda.test/${rol}/listas/ordenes?novedades=0&total=${registros}&corte=${corte}&${inLastDays()}${query}`,
      ),
      params: { lista: 'ordenes' },
      context: { usuario: { ...ana, rol } } as unknown as AppLoadContext,
    } as LoaderFunctionArgs);
    return (await answer.json()) as ListNews<OrdenRow>;
  };
  expect(await ask()).toMatchObject({ nuevas: 0, ventana: { indice: 0, filas: [{ id: vieja.id, titulo: 'Cámara' }] } });

  await buildOrden(db, { titulo: 'Grabador' });
  await buildOrden(db, { titulo: 'Cable', fechaCreacion: new Date(Date.now() - 3_600_000) });
  await db.updateTable('orden').set({ titulo: 'Cámara corregida' }).where('id', '=', vieja.id).execute();
  const { nuevas, ventana } = await ask();
  expect(nuevas).toBe(2);
  expect(ventana.filas.map(({ id, titulo }) => [id, titulo])).toEqual([[vieja.id, 'Cámara corregida']]);
  expect((await ask('&q=grabador')).nuevas).toBe(1);
  await expect(ask('', 'aux')).rejects.toMatchObject({ status: 404 });
});

test('on paper a list is whole up to two thousand rows, and beyond says where it may be read', async () => {
  const ana = await buildQuien(db, 'user');
  for (let n = 0; n < 60; n++) await buildOrden(db, { titulo: `Papel ${n}`, envio: null });
  const impresa = async (query: string) =>
    (await openList(db, ordenesList, new Request(`http://trastienda.test/user/ordenes?${query}`), ana)).impresion;
  expect(await impresa('q=papel')).toBeNull();
  const { filas } = (await impresa('q=papel&imprimir=1'))!;
  expect(new Set(filas!.map(({ id }) => id)).size).toBe(60);
  await seedOrdenes(ownerDatabase().db, {
    count: 2_001,
    from: new Date('2025-03-02T00:00:00Z'),
    to: new Date('2025-03-20T00:00:00Z'),
  });
  expect(await impresa('desde=2025-03-01&hasta=2025-03-31&imprimir=1')).toMatchObject({ filas: null });
});
