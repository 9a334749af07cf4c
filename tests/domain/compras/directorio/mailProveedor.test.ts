import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Usuario } from '~/core/usuario';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { effectView } from '~/platform/effects/effects.server';
import { retryEffect } from '~/platform/effects/retry.server';
import { runEffect } from '~/platform/effects/runEffect.server';
import { createAgente, setAgenteActivo } from '~/domain/compras/directorio/agentes.server';
import { sendProveedorMail } from '~/domain/compras/directorio/mailProveedor.server';
import { listProveedores, saveProveedor } from '~/domain/compras/directorio/proveedores.server';
import { buildOrdenDe } from '../../../support/builders/proveedores';
import { buildPersona } from '../../../support/builders/ventas';
import { testDatabase } from '../../../support/db';
import { startTestSandbox } from '../../../support/sandbox';

const sandbox = await startTestSandbox();
const { db } = testDatabase();
let ana: Usuario;
beforeAll(async () => {
  ana = await buildPersona(db);
});
beforeEach(() => sandbox.clear());

const send = (ordenId: string) => db.transaction().execute((trx) => sendProveedorMail(trx, ordenId, ana.id));
const agente = (proveedor: string, email: string) =>
  db
    .transaction()
    .execute((trx) => createAgente(trx, { nombre: 'Luz', apellidos: 'Roa', email, proveedor, telefono: null }, ana.id));

test('a sale without shipment, without suppliers or with nobody to write to gets no letter', async () => {
  await expect(send((await buildOrdenDe(db, [{ modelo: 'X' }])).id)).rejects.toThrow('La orden no tiene un envío.');
  await expect(
    send((await buildOrdenDe(db, [{ modelo: 'X', proveedor: 'NADIE' }], { envio: '1' })).id),
  ).rejects.toThrow('no son de ningún proveedor');
  await expect(send((await buildOrdenDe(db, [{ modelo: 'X', proveedor: 'CVA' }], { envio: '2' })).id)).rejects.toThrow(
    'CVA no tiene agentes activos ni un correo.',
  );
});

test('nobody is asked to send what a buyer gave back or never took', async () => {
  for (const clase of ['cancelada', 'devuelta'] as const) {
    const { id } = await buildOrdenDe(db, [{ modelo: 'X', proveedor: 'SYSCOM' }], { envio: `3${clase}`, clase });
    await expect(send(id)).rejects.toThrow('La orden fue cancelada o devuelta');
  }
  await agente('ct', 'uno@ct.test');
  const { id } = await buildOrdenDe(db, [{ modelo: 'X', proveedor: 'CT' }], { envio: '39' });
  const [carta] = await send(id);
  await sql`update effect set state = 'refused', settled_at = now() where id = ${carta!.id}`.execute(db);
  await db.updateTable('orden').set({ clase: 'cancelada' }).where('id', '=', id).execute();
  await expect(db.transaction().execute((trx) => retryEffect(trx, EFFECTS, carta!.id, ana.id))).rejects.toThrow(
    'La orden fue cancelada o devuelta',
  );
});

test('each supplier of the sale gets its own articles and the shipment, at its active agents; twice in a row is one letter', async () => {
  await agente('syscom', 'uno@syscom.test');
  await agente('syscom', 'dos@syscom.test');
  await agente('syscom', 'no@syscom.test');
  const inactivo = await db
    .selectFrom('agenteVenta')
    .select(['id', 'version'])
    .where('email', '=', 'no@syscom.test')
    .executeTakeFirstOrThrow();
  await db.transaction().execute((trx) => setAgenteActivo(trx, { ...inactivo, activo: false }, ana.id));
  const tvc = (await listProveedores(db)).find(({ value }) => value === 'tvc')!;
  await db
    .transaction()
    .execute((trx) => saveProveedor(trx, { ...tvc, reglaFactura: 'sufijo', email: 'ventas@tvc.test' }, ana.id));

  const orden = await buildOrdenDe(
    db,
    [
      { modelo: 'DS-1', cantidad: 2 },
      { modelo: 'TV-9', proveedor: 'tvc' },
    ],
    { envio: '43900000077', guia: 'GUIA77' },
  );
  const first = await send(orden.id);
  expect(await send(orden.id)).toEqual(first.map(({ id }) => ({ id, created: false })));
  for (const { id } of first) await runEffect(effectRuntime(db), id);
  for (const { id } of first) expect((await effectView(db, id))?.state).toBe('done');

  const letters = await Promise.all((await sandbox.correo.inbox()).map(({ id }) => sandbox.correo.read(id)));
  expect(letters.map(({ to }) => [...to].sort())).toEqual(
    expect.arrayContaining([['dos@syscom.test', 'uno@syscom.test'], ['ventas@tvc.test']]),
  );
  const texts = letters.map(({ text }) => text);
  const syscom = texts.find((text) => text.includes('DS-1'))!;
  expect(syscom).not.toContain('TV-9');
  for (const part of ['43900000077', orden.numOrden, '2 x DS-1', 'María Peña', 'Río Lerma 12', 'C.P.: 06500', 'GUIA77'])
    expect(syscom).toContain(part);
  expect(syscom).not.toContain('SN');
  expect((await send(orden.id)).every(({ created }) => created)).toBe(true);
});
