import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { up } from '~db/migrations/20261122_1709_estatus_de_orden';
import { buildOrden, type OrdenSketch } from '../support/builders/ordenes';
import { ownerDatabase, testDatabase } from '../support/db';

const { db } = testDatabase();

const ENVIOS: [envio: NonNullable<OrdenSketch['envio']> | null, leads: string][] = [
  [null, 'enPreparacion'],
  [{ estatus: 'ready_to_ship' }, 'enPreparacion'],
  [{ estatus: 'ready_to_ship', subestatus: 'in_hub' }, 'enviado'],
  [{ estatus: 'shipped' }, 'enviado'],
  [{ estatus: 'delivered' }, 'entregado'],
  [{ estatus: 'not_delivered' }, 'not_delivered'],
  [{ estatus: 'not_delivered', subestatus: 'returning_to_sender' }, 'enDevolucion'],
  [{ estatus: 'not_delivered', subestatus: 'returned' }, 'devuelto'],
  [{ estatus: 'enSucursal', propio: true }, 'enSucursal'],
];

test('an orden of an older installation keeps its word, and one that is none of ours gives way to where the sale stands', async () => {
  const { db: owner } = ownerDatabase();
  await sql`alter table orden drop constraint orden_estatus_check`.execute(owner);
  const wanted = new Map<string, string>();
  for (const [envio, leads] of ENVIOS) {
    const { id } = await buildOrden(db, { envio });
    await sql`update orden set estatus = 'Entregado' where id = ${id}`.execute(db);
    wanted.set(id, leads);
  }
  const cancelada = await buildOrden(db, { marketStatus: 'cancelled', envio: { estatus: 'delivered' } });
  await sql`update orden set estatus = 'cancelled' where id = ${cancelada.id}`.execute(db);
  wanted.set(cancelada.id, 'cancelado');
  const dada = await buildOrden(db, { estatus: 'reclamo', envio: { estatus: 'delivered' } });
  wanted.set(dada.id, 'reclamo');

  await up(owner as never);
  const rows = await db.selectFrom('orden').select(['id', 'estatus']).execute();
  expect(new Map(rows.map(({ id, estatus }) => [id, estatus]))).toEqual(wanted);
  await expect(sql`update orden set estatus = 'Entregado'`.execute(db)).rejects.toThrow('orden_estatus_check');
});
