import { afterEach, expect, test } from 'vitest';
import type { NotAllowed } from '~/core/errors';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { effectView } from '~/platform/effects/effects.server';
import { pauseConnection, resumeConnection } from '~/platform/connections/pause.server';
import { sweepEffects } from '~/platform/effects/runEffect.server';
import { withdrawEffect } from '~/platform/effects/resolve.server';
import type { ClienteFiscalEditado } from '~/domain/facturacion/receptores/forms';
import { correctClienteFiscal, readClienteFiscal } from '~/domain/facturacion/receptores/datosFiscales.server';
import { findClientes } from '~/domain/facturacion/receptores/clientes.server';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { openDraft, requireDraft, saveDraft, fromGuardado } from '~/domain/facturacion/emision/draft.server';
import { beginSaveCliente } from '~/domain/facturacion/emision/draftSteps.server';
import { clienteVacio } from '~/domain/facturacion/emision/draft';
import { connectPacReader } from '~/domain/facturacion/cfdi/emisor.server';
import { mesOf } from '~/domain/facturacion/mes/mes';
import { issueNotas } from '~/domain/facturacion/notasCredito/notasCredito.server';
import { buildBorrador, buildVenta, CLIENTES, REVISION, type Venta } from '../../../support/builders/ventas';
import { withWorker } from '../../../support/jobs';
import { openPac, settle } from '../../../support/pac';

/** What the SAT reads of a customer does not change between asking for a document and its stamp: the PAC stamps what its client says then. */
const { db, sa } = await openPac();
const CLIENTE = CLIENTES[0];
const { id } = await db
  .selectFrom('clienteFiscal')
  .select('id')
  .where('rfc', '=', CLIENTE.rfc)
  .executeTakeFirstOrThrow();
const now = () => new Date();

afterEach(async () => {
  await resume();
  await settle();
});

const pause = () => db.transaction().execute((trx) => pauseConnection(trx, 'facturacom'));
const resume = () => db.transaction().execute((trx) => resumeConnection(trx, 'facturacom'));
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: NotAllowed) => ({ texto: error.message, asunto: error.asunto }),
  );
async function editado(change: Partial<ClienteFiscalEditado>): Promise<ClienteFiscalEditado> {
  const { version, razonSocial, cp, regimen, emails } = (await readClienteFiscal(db, id))!;
  return {
    id,
    version,
    razonSocial,
    cp,
    regimen,
    email: emails[0]!,
    nombre: '',
    apellidos: '',
    telefono: '',
    colonia: '',
    calle: '',
    numeroExterior: '',
    numeroInterior: '',
    ciudad: '',
    municipio: '',
    estado: '',
    ...change,
  };
}
const corregir = async (change: Partial<ClienteFiscalEditado>) =>
  correctClienteFiscal(db, await editado(change), sa.id);
const acceptIn = async (venta: Venta, inside: (effectId: string) => Promise<void> = async () => undefined) => {
  const draft = await buildBorrador(db, venta, sa);
  return db.transaction().execute(async (trx) => {
    const effectId = await createFactura(trx, draft, {
      revision: REVISION(),
      diferenciaAceptada: false,
      usuarioId: sa.id,
      now: now(),
    });
    await inside(effectId);
    return effectId;
  });
};

test('a correction waits for the stamp that was asked for with the data of before: it is told which, and where to look', async () => {
  await pause();
  const venta = await buildVenta(db, { precios: ['611.00'] });
  const effectId = await acceptIn(venta);
  for (const change of [{ cp: '06700' }, { regimen: '605' }, { razonSocial: 'MARIA F RAMIREZ OCHOA' }]) {
    expect(await refusal(corregir(change))).toEqual({
      texto: `La factura de la orden ${venta.numOrden} se está timbrando con los datos de antes. Espera a que termine y guarda otra vez; si tiene que decir los nuevos, después se sustituye.`,
      asunto: { texto: `Ver la orden ${venta.numOrden}`, pantalla: `ordenes?ver=${venta.ordenIds[0]}` },
    });
  }
  await resume();
  await settle();
  expect((await effectView(db, effectId))!.state).toBe('done');
  expect(await withWorker(() => corregir({ cp: '06700' }))).toBe(true);
  expect(await withWorker(() => corregir({ cp: CLIENTE.cp }))).toBe(true);
});

test('while people have to decide about the stamp the link leads to the decision; how to write to the customer can be corrected meanwhile', async () => {
  await pause();
  const venta = await buildVenta(db, { precios: ['612.00'] });
  const effectId = await acceptIn(venta);
  await db.updateTable('effect').set({ state: 'manual' }).where('id', '=', effectId).execute();
  const told = await refusal(corregir({ cp: '06700' }));
  expect(told).toMatchObject({
    texto: expect.stringContaining('espera una decisión en Pendientes'),
    asunto: { pantalla: `pendientes?ver=${effectId}` },
  });
  await resume();
  expect(await withWorker(() => corregir({ telefono: '5511112222', email2: 'otro@correo.test' }))).toBe(true);
  await db.updateTable('effect').set({ state: 'queued', nextAt: now() }).where('id', '=', effectId).execute();
  await sweepEffects(db);
  await settle();
  expect((await effectView(db, effectId))!.state).toBe('done');
});

test('a correction and a factura that begin at once pass one after the other, whoever is first', async () => {
  await pause();
  const venta = await buildVenta(db, { precios: ['613.00'] });
  let told: Promise<Awaited<ReturnType<typeof refusal>>> | undefined;
  // The factura is accepted and not yet committed while the correction looks.
  const effectId = await acceptIn(venta, async () => {
    told = refusal(corregir({ cp: '06700' }));
    expect(await Promise.race([told, new Promise((resolve) => setTimeout(resolve, 400, 'waits'))])).toBe('waits');
  });
  expect((await told)?.texto).toContain(`La factura de la orden ${venta.numOrden}`);
  await db.transaction().execute((trx) => withdrawEffect(trx, EFFECTS, effectId, sa.id));

  const correccion = corregir({ cp: '06700' });
  await expect.poll(async () => (await readClienteFiscal(db, id))!.guardando).toBe(true);
  expect((await refusal(acceptIn(await buildVenta(db))))?.texto).toContain('Los datos fiscales del cliente cambiaron');
  await resume();
  await settle();
  await correccion;
  await withWorker(() => corregir({ cp: CLIENTE.cp }));
});

test('the stepper corrects a customer under the same rule', async () => {
  await pause();
  const venta = await buildVenta(db, { precios: ['614.00'] });
  await acceptIn(venta);
  const otra = await buildBorrador(db, await buildVenta(db), sa);
  await saveDraft(db, otra, { cliente: { ...otra.cliente!, modo: 'edicion' } });
  const draft = await requireDraft(db, otra.id, sa);
  const { rfc, razonSocial, regimen } = CLIENTE;
  expect(
    await refusal(
      beginSaveCliente(db, draft, { rfc, razonSocial, regimen, cp: '06700', email: 'rao@correo.test' }, sa.id),
    ),
  ).toMatchObject({
    texto: expect.stringContaining(`La factura de la orden ${venta.numOrden}`),
    asunto: { pantalla: `ordenes?ver=${venta.ordenIds[0]}` },
  });
});

test('two records of one RFC never end with one name, and another RFC is another customer', async () => {
  const { rfc, regimen, cp } = CLIENTE;
  const borrador = await buildBorrador(db, await buildVenta(db), sa);
  await db
    .insertInto('clienteFiscal')
    .values({ rfc, razonSocial: 'MARIA F RAMIREZ', cp, regimen, uid: 'otro-uid' })
    .execute();
  await saveDraft(db, borrador, { cliente: { ...borrador.cliente!, modo: 'edicion' } });
  const draft = await requireDraft(db, borrador.id, sa);
  await expect(
    beginSaveCliente(db, draft, { rfc, razonSocial: 'MARIA F RAMIREZ', cp, regimen, email: 'rao@correo.test' }, sa.id),
  ).rejects.toMatchObject({ campo: 'razonSocial' });
  await db.deleteFrom('clienteFiscal').where('uid', '=', 'otro-uid').execute();

  const nueva = {
    rfc: 'GOMA900101AB1',
    razonSocial: 'ANA GOMEZ MARTINEZ',
    cp: '06600',
    regimen: '612',
    email: 'ana@correo.test',
  };
  expect(await withWorker(() => beginSaveCliente(db, draft, nueva, sa.id))).toBe(true);
  expect(await findClientes(db, rfc)).toMatchObject([{ razonSocial: CLIENTE.razonSocial }]);
  expect((await findClientes(db, nueva.rfc))[0]!.uid).not.toBe(draft.cliente!.uid);
});

test('the receiver that a customer’s own sale is stamped to is never changed by staff, though the PAC offers it to them', async () => {
  const pac = await connectPacReader(db);
  const publico = { rfc: 'LOPA900101AB2', razonSocial: 'ANDREA LOPEZ', cp: '06600', regimen: '612' };
  const escritor = await effectRuntime(db)
    .clients(() => undefined)
    .pac();
  const { uid } = await escritor.createClient({ ...publico, emails: ['andrea@correo.test'] });
  await db
    .insertInto('clientePublico')
    .values({ uid, ...publico })
    .execute();
  const venta = await buildVenta(db);
  const borrador = await requireDraft(db, await openDraft(db, venta.numOrden, sa.id), sa);
  const guardado = { ...publico, id: null, uid, emails: ['andrea@correo.test'], usoCfdi: null };
  await saveDraft(db, borrador, {
    cliente: { ...clienteVacio(), ...fromGuardado(publico.rfc, guardado, [guardado], 'pac'), modo: 'edicion' },
  });
  const draft = await requireDraft(db, borrador.id, sa);
  expect(
    await withWorker(() =>
      beginSaveCliente(db, draft, { ...publico, cp: '06700', email: 'andrea@correo.test' }, sa.id),
    ),
  ).toBe(true);
  expect(await pac.clientByUid(uid)).toMatchObject({ cp: '06600' });
  expect((await findClientes(db, publico.rfc)).map((cliente) => [cliente.cp, cliente.uid === uid])).toEqual([
    ['06700', false],
  ]);
});

test('a credit note is not stamped to a record that was corrected after it was asked for, and is asked for again with the data of now', async () => {
  const venta = await buildVenta(db, { precios: ['615.00'] });
  const stamped = await acceptIn(venta);
  await settle();
  await db.updateTable('orden').set({ clase: 'devuelta' }).where('id', 'in', venta.ordenIds).execute();
  await pause();
  const batchId = await issueNotas(db, { mes: mesOf(now()), tabla: 'devueltas', usuarioId: sa.id, now: now() });
  const note = () =>
    db.selectFrom('effect').select(['state', 'reason']).where('batchId', '=', batchId).executeTakeFirstOrThrow();
  expect((await refusal(corregir({ cp: '06700' })))?.texto).toContain(
    `La nota de crédito de la orden ${venta.numOrden}`,
  );
  // By another road: the record was brought anew from the PAC.
  await db.updateTable('clienteFiscal').set({ cp: '06700' }).where('id', '=', id).execute();
  await resume();
  await settle();
  expect(await note()).toEqual({
    state: 'refused',
    reason: expect.stringContaining('no se timbró. Reintenta las fallidas'),
  });
  expect((await effectView(db, stamped))!.state).toBe('done');
  expect(
    await db.selectFrom('notaCreditoOrden').select('ordenId').where('ordenId', 'in', venta.ordenIds).execute(),
  ).toEqual([]);
  await db.updateTable('clienteFiscal').set({ cp: CLIENTE.cp }).where('id', '=', id).execute();
});
