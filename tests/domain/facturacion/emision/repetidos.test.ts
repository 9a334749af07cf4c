import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { acceptCancelRepetida } from '~/domain/facturacion/cancelacion/cancelRepetida.server';
import { noteCuentaPac, readCuentaPac } from '~/domain/facturacion/cfdi/internal/cuentaPac.server';
import { facturacom } from '~/domain/facturacion/cfdi/facturacom.server';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { effectView } from '~/platform/effects/effects.server';
import { sendAgain, unresolved } from '~/platform/effects/resolve.server';
import { runEffect } from '~/platform/effects/runEffect.server';
import { readCronologia } from '~/domain/ventas/ordenes/cronologia.server';
import { readOrden } from '~/domain/ventas/ordenes/detalleOrden.server';
import { readPendiente } from '~/domain/operacion/mantenimiento/tablero.server';
import { createFacturacomWriter } from '~/integrations/facturacom/write.server';
import type { NewCfdi } from '~/integrations/facturacom/nouns';
import { buildBorrador, buildVenta, REVISION } from '../../../support/builders/ventas';
import { forgetCuentaPac, openPac, settle } from '../../../support/pac';

/** Absent is believed after some four seconds; a call may still leave while the machine is busy. */
const { db, sandbox, sa } = await openPac({ pace: 0.02 });

beforeEach(async () => {
  await sandbox.facturacom.admiteRepetidos(false);
  await sandbox.facturacom.forma();
  await forgetCuentaPac(db);
});

const accept = async () => {
  const draft = await buildBorrador(db, await buildVenta(db), sa);
  const id = await db.transaction().execute((trx) =>
    createFactura(trx, draft, {
      revision: REVISION(),
      diferenciaAceptada: false,
      usuarioId: sa.id,
      now: new Date(),
    }),
  );
  return { id, ref: (await effectView(db, id))!.ref };
};
const stateOf = async (id: string) => (await effectView(db, id))!.state;
const vigentes = async (ref: string) =>
  (await sandbox.facturacom.stamped(ref)).filter(({ estado }) => estado !== 'cancelada');
const onBoard = async (id: string) => (await unresolved(db).select('effect.id').execute()).some((row) => row.id === id);
const press = (id: string) => db.transaction().execute((trx) => sendAgain(trx, EFFECTS, id, sa.id));

/** Sent into the void, looked for until it is provably absent. */
async function lost() {
  const accepted = await accept();
  await sandbox.facturacom.failNext('reset');
  await settle();
  return accepted;
}

async function lateLook(id: string) {
  await sql`update effect set settled_at = settled_at - (look_again_at - now()), look_again_at = now() where id = ${id} and look_again_at > now()`.execute(
    db,
  );
  await runEffect(effectRuntime(db), id);
}

/** What the first call asked for arrives after all. */
async function landLate({ id, ref }: { id: string; ref: string }) {
  const { request } = await db.selectFrom('effect').select('request').where('id', '=', id).executeTakeFirstOrThrow();
  const { apiKey, secretKey } = await sandbox.facturacom.keys();
  const credentials = { baseUrl: process.env.FACTURACOM_URL!, apiKey, secret: secretKey };
  await createFacturacomWriter(credentials).createCfdi((request as { cfdi: NewCfdi }).cfdi, ref);
}

test('of an account of which nothing is known a second send needs a person, who finds it on the board', async () => {
  const { id, ref } = await lost();
  expect(await stateOf(id)).toBe('manual');
  expect(await onBoard(id)).toBe(true);
  expect(await readPendiente(db, EFFECTS, id)).toMatchObject({ sinRastro: true });
  expect((await readCuentaPac(db)).sondeo).toBe('no había un CFDI con el que comprobarlo');
  expect(await sandbox.facturacom.stamped(ref)).toEqual([]);
  // The card tells that test with its moment, and stays true once there is something to ask with.
  const dicha = async () => (await facturacom.seen!(db)).find(({ texto }) => texto.startsWith('No se ha visto'))?.nota;
  expect(await dicha()).toMatch(
    /^Última prueba, automática, del [\d/]+ [\d:]+: no había un CFDI con el que comprobarlo\. Se prueba otra vez/,
  );
  await press(id);
  await settle();
  expect([await stateOf(id), (await vigentes(ref)).length]).toEqual(['done', 1]);
  expect(await dicha()).toContain('comprobarlo. Desde entonces se timbró una factura. Se prueba otra vez');
  await accept();
  await settle();
  expect(await dicha()).toContain('Desde entonces se timbraron 2 facturas.');
});

test('one that arrived while the person thought about it is met, and no second is made', async () => {
  await sandbox.facturacom.admiteRepetidos(true);
  const { id, ref } = await lost();
  await landLate({ id, ref });
  await press(id);
  await settle();
  expect([await stateOf(id), (await vigentes(ref)).length]).toEqual(['done', 1]);
});

test('an account that refuses the number of a stamped CFDI has shown it: the lost one is sent again by itself, and the test stamped nothing', async () => {
  await accept();
  await settle();
  const before = (await sandbox.facturacom.stamped()).length;
  const { id } = await lost();
  expect(await stateOf(id)).toBe('done');
  expect((await readCuentaPac(db)).repetidos).toBe('rechaza');
  expect(await sandbox.facturacom.stamped()).toHaveLength(before + 1);
});

test('an account that refused yesterday, or a moment ago, and admits by now gets no second send by itself', async () => {
  await accept();
  await settle();
  await noteCuentaPac(db, { repetidos: 'rechaza', repetidosEn: new Date(Date.now() - 86_500_000).toISOString() });
  expect((await readCuentaPac(db)).repetidos, 'a day old').toBeUndefined();
  await noteCuentaPac(db, { repetidos: 'rechaza', repetidosEn: new Date().toISOString() });
  const before = (await sandbox.facturacom.stamped()).length;
  await sandbox.facturacom.admiteRepetidos(true);
  const { id, ref } = await lost();
  expect(await stateOf(id)).toBe('manual');
  expect((await readCuentaPac(db)).repetidos, 'the test showed it').toBeUndefined();
  expect(await sandbox.facturacom.stamped()).toHaveLength(before);
  await landLate({ id, ref });
  await lateLook(id);
  await settle();
  expect([await stateOf(id), (await vigentes(ref)).length], 'what lands ends the wait').toEqual(['done', 1]);
});

test.each([
  ['stamps what it is sent', true, {}],
  ['looks at the document first', false, { repetido: 'despues' }],
])('an account that %s shows nothing by the test, and stamps nothing of it', async (_, admite, forma) => {
  await accept();
  await settle();
  const before = (await sandbox.facturacom.stamped()).length;
  await sandbox.facturacom.admiteRepetidos(admite);
  await sandbox.facturacom.forma(forma);
  const { id } = await lost();
  expect(await stateOf(id)).toBe('manual');
  expect(await readCuentaPac(db)).toMatchObject({ sondeo: expect.stringMatching(/./) });
  expect((await readCuentaPac(db)).repetidos).toBeUndefined();
  expect(await sandbox.facturacom.stamped()).toHaveLength(before);
});

test('what lands after another was stamped is an alarm with both folios, and «Cancelar la repetida» leaves the one of the sale', async () => {
  await sandbox.facturacom.admiteRepetidos(true);
  const { id, ref } = await lost();
  await press(id);
  await settle();
  expect(await stateOf(id)).toBe('done');
  const [ours] = await vigentes(ref);
  await landLate({ id, ref });
  await lateLook(id);
  const folios = (await vigentes(ref)).map(({ serie, folio }) => `${serie}-${folio}`);
  expect(folios).toHaveLength(2);
  const fila = await readPendiente(db, EFFECTS, id);
  expect([fila!.alarma!.vigente!.folio, ...fila!.alarma!.repetidas.map(({ folio }) => folio)].toSorted()).toEqual(
    folios.toSorted(),
  );
  expect(fila!.alarma!.vigente!.uuid).toBe(ours!.UUID);
  const cancel = () =>
    db
      .transaction()
      .execute((trx) =>
        acceptCancelRepetida(trx, { effectId: id, uuid: fila!.alarma!.repetidas[0]!.uuid, usuarioId: sa.id }),
      );
  // The SAT says no first: the alarm stays, with its words.
  await sandbox.facturacom.cancelMode('reject');
  await cancel();
  await settle();
  expect((await readPendiente(db, EFFECTS, id))!.alarma!.repetidas[0]!.respuesta).toMatch(/^No se canceló: /);
  await sandbox.facturacom.cancelMode('at-once');
  await cancel();
  await settle();
  expect((await vigentes(ref)).map(({ UUID }) => UUID)).toEqual([ours!.UUID]);
  // The story of its sale tells the cancellation, who asked for it and how it ended.
  const { ordenId } = await db
    .selectFrom('fiscalClaim')
    .select('ordenId')
    .where('effectId', '=', id)
    .executeTakeFirstOrThrow();
  const historia = await readCronologia(db, (await readOrden(db, ordenId))!, EFFECTS);
  expect(historia.map(({ titulo }) => titulo)).toEqual(
    expect.arrayContaining([
      'Se pidió cancelar un CFDI repetido',
      'Cancelación de CFDI repetido: se pidió',
      'Cancelación de CFDI repetido: rechazado',
      'Cancelación de CFDI repetido: hecho',
      'Se canceló un CFDI repetido',
    ]),
  );
  expect(await onBoard(id)).toBe(false);
  const { estatus } = await db
    .selectFrom('factura')
    .select('estatus')
    .where('uuid', '=', ours!.UUID)
    .executeTakeFirstOrThrow();
  expect(estatus).toBe('vigente');
});

test('one send that was answered is looked for once more, a day later', async () => {
  const { id } = await accept();
  await settle();
  const { lookAgainAt } = await db
    .selectFrom('effect')
    .select('lookAgainAt')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const day = 86_400_000 * effectRuntime(db).pace;
  expect(Math.abs(lookAgainAt!.getTime() - Date.now() - day)).toBeLessThan(60_000);
});
