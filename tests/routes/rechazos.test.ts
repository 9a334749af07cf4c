import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { buildVenta } from '../support/builders/ventas';
import { testDatabase } from '../support/db';
import { startTestSandbox } from '../support/sandbox';
import { buildUsuarios, Web } from '../support/web';

/** A refusal that sends people to another screen takes them there, without JavaScript too, and only who may open it. */
await startTestSandbox();
const { db } = testDatabase();
let web: Web;

beforeAll(async () => {
  await buildUsuarios(db);
  web = await Web.start();
});

test('a sale that waits for a decision leads to it from the search of a sale', { timeout: 60_000 }, async () => {
  const venta = await buildVenta(db);
  const {
    rows: [effect],
  } = await sql<{ id: string }>`
    insert into effect (type, key, ref, connection, request, request_hash, state) values ('cfdi.stamp', 'orden:ml:una', 'una', 'facturacom', '{}', '\\x00', 'manual') returning id`.execute(
    db,
  );
  await db
    .insertInto('fiscalClaim')
    .values({ ordenId: venta.ordenIds[0]!, kind: 'individual', effectId: effect!.id })
    .execute();
  const dialogFor = async (rol: string) => {
    const cookie = await web.session(rol);
    const html = await (
      await web.post(`/${rol}/facturacion`, { intent: 'buscar', numOrden: venta.numOrden }, { cookie })
    ).text();
    return /<dialog.*?<\/dialog>/s.exec(html)![0];
  };
  expect(await dialogFor('admin')).toMatch(
    /espera una decisión en (<!-- -->)?<a [^>]*href="\/admin\/pendientes"[^>]*>Pendientes<\/a>/,
  );
  const user = await dialogFor('user');
  expect(user).toContain('Pendientes');
  expect(user).not.toContain('/user/pendientes');
});
