import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ESTADO_LABEL, ESTADOS, MUERTOS, PASOS } from '~/domain/compras/pedidos/pedido';
import { buildOrden } from '../../../support/builders/ordenes';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();

async function borrador(numOrden: string, proveedor = 'ct') {
  const { id } = await db
    .insertInto('pedido')
    .values({ market: 'ml', numOrden, proveedor, via: 'api' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const mover = (id: string, estado: (typeof ESTADOS)[number]) =>
  db.updateTable('pedido').set({ estado }).where('id', '=', id).execute();

test('the table knows the same steps as the code, and every state has a name', async () => {
  const pasos = await db.selectFrom('pedidoPaso').select(['de', 'a']).execute();
  const codigo = ESTADOS.flatMap((de) => PASOS[de].map((a) => `${de} ${a}`));
  expect(pasos.map(({ de, a }) => `${de} ${a}`).sort()).toEqual(codigo.sort());
  expect(Object.keys(ESTADO_LABEL).sort()).toEqual([...ESTADOS].sort());
});

test('a move that is no step is refused by the table itself, and every step leaves its line', async () => {
  const { numOrden } = await buildOrden(db);
  const id = await borrador(numOrden);
  await expect(mover(id, 'confirmado')).rejects.toThrow('pedido_historia_paso');
  await mover(id, 'enviando');
  await mover(id, 'solicitado');
  await expect(mover(id, 'enviando')).rejects.toThrow('pedido_historia_paso');
  const historia = await db
    .selectFrom('pedidoHistoria')
    .select(['de', 'a'])
    .where('pedidoId', '=', id)
    .orderBy('id')
    .execute();
  expect(historia).toEqual([
    { de: null, a: 'borrador' },
    { de: 'borrador', a: 'enviando' },
    { de: 'enviando', a: 'solicitado' },
  ]);
  await expect(
    db
      .insertInto('pedido')
      .values({ market: 'ml', numOrden, proveedor: 'ts', via: 'correo', estado: 'enviado' })
      .execute(),
  ).rejects.toThrow('empieza como borrador');
});

test('one pedido of a sale lives at each supplier; one that ended makes room for the next', async () => {
  const { numOrden } = await buildOrden(db);
  const first = await borrador(numOrden);
  await borrador(numOrden, 'syscom');
  await expect(borrador(numOrden)).rejects.toThrow('pedido_vivo');
  await mover(first, 'cancelado');
  await borrador(numOrden);
  const { rows } = await sql<{ def: string }>`select pg_get_indexdef('pedido_vivo'::regclass) as def`.execute(db);
  for (const estado of MUERTOS) expect(rows[0]!.def).toContain(estado);
});

test('every pedido has a number of its own, which a supplier of integers takes too', async () => {
  const ids = await Promise.all(
    [buildOrden(db), buildOrden(db)].map(async (orden) => borrador((await orden).numOrden)),
  );
  const rows = await db.selectFrom('pedido').select(['numero', 'folio']).where('id', 'in', ids).execute();
  expect(new Set(rows.map(({ numero }) => numero)).size).toBe(2);
  for (const { numero, folio } of rows) expect(folio).toBe(`TR-${String(numero).padStart(6, '0')}`);
});
