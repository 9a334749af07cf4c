import { expect, test } from 'vitest';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { openDraft } from '~/domain/facturacion/emision/draft.server';
import { readDraft } from '~/domain/facturacion/emision/draftSteps.server';
import { buildEnlace, post, visit } from '../../../support/builders/enlaces';
import { buildBorrador, buildPersona, buildVenta, CLIENTES, REVISION } from '../../../support/builders/ventas';
import { runUntilSettled } from '../../../support/jobs';
import { crear, fetchFile, openPublico } from '../../../support/publico';

const { db, sandbox, ana } = await openPublico();
const LONG = process.env.FAULTS === 'long';
const [MARIA] = CLIENTES;

test('a customer and a member of staff press at once: one CFDI, and the link tells its folio', async () => {
  for (let at = 0; at < (LONG ? 50 : 8); at++) {
    const venta = await buildVenta(db, { precios: at % 2 ? ['99.90', '17.01'] : ['116.00'] });
    const { token } = await buildEnlace(db, venta);
    await post(token, { intent: 'buscarRfc', rfc: MARIA.rfc }, `10.1.0.${at}`);
    const draft = await buildBorrador(db, venta, ana);
    const staff = () =>
      db
        .transaction()
        .execute((trx) =>
          createFactura(trx, draft, {
            revision: REVISION(),
            diferenciaAceptada: false,
            usuarioId: ana.id,
            now: new Date(),
          }),
        )
        .then(
          () => true,
          () => false,
        );
    const [customer, member] = await Promise.all([post(token, crear, `10.1.0.${at}`), staff()]);
    expect([customer.status === 302, member].filter(Boolean)).toHaveLength(1);
    await runUntilSettled();
    const stamped = await sandbox.facturacom.stamped(venta.numOrden);
    expect(stamped).toHaveLength(1);
    const folio = `${stamped[0]!.serie}-${stamped[0]!.folio}`;
    const { pagina } = await visit(token);
    expect(JSON.stringify(pagina!.vista)).toContain(folio);
    // Only who made it through this link may download it.
    const file = await fetchFile(token, 'xml').catch((thrown: unknown) => thrown as Response);
    expect(file.status).toBe(customer.status === 302 ? 200 : 404);
  }
});

test('while a customer invoices, staff and other links read who is doing it and what comes next', async () => {
  const venta = await buildVenta(db);
  const persona = await buildPersona(db, 'user');
  const opened = await buildBorrador(db, venta, persona);
  const [{ token }, other] = [await buildEnlace(db, venta), await buildEnlace(db, venta, { origen: 'portada' })];
  await post(token, { intent: 'buscarRfc', rfc: MARIA.rfc });
  expect(await post(token, crear)).toMatchObject({ status: 302 });

  const enCurso =
    /^El cliente ya pidió la factura de esta orden desde su enlace y se está timbrando\. Búscala otra vez/;
  for (const { id } of [persona, ana]) await expect(openDraft(db, venta.numOrden, id)).rejects.toThrow(enCurso);
  expect((await readDraft(db, opened.id, persona, '1')).avisos).toEqual([
    { titulo: 'La factura de esta orden está en curso', texto: expect.stringMatching(enCurso) as string },
  ]);
  expect((await visit(other.token)).pagina?.vista).toMatchObject({
    tipo: 'ajena',
    situacion: 'enProceso',
    texto: expect.stringContaining('no hace falta pedirla otra vez') as string,
  });

  const { effectId } = await db
    .selectFrom('fiscalClaim')
    .select('effectId')
    .where('ordenId', '=', venta.ordenIds[0]!)
    .executeTakeFirstOrThrow();
  await db.updateTable('effect').set({ state: 'manual' }).where('id', '=', effectId).execute();
  await expect(openDraft(db, venta.numOrden, persona.id)).rejects.toThrow('espera una decisión en Pendientes');
  expect((await visit(other.token)).pagina?.vista).toMatchObject({ tipo: 'ajena', situacion: 'enRevision' });

  await db.updateTable('effect').set({ state: 'queued' }).where('id', '=', effectId).execute();
  await runUntilSettled();
  const { serie, folio } = await db
    .selectFrom('factura')
    .select(['serie', 'folio'])
    .where('effectId', '=', effectId)
    .executeTakeFirstOrThrow();
  expect((await readDraft(db, opened.id, persona, '1')).avisos).toEqual([
    {
      titulo: 'Esta orden ya tiene factura',
      texto: `La orden ya está facturada con el folio ${serie}-${folio}. Está en Facturas de clientes, donde se descarga, se reenvía o se sustituye.`,
    },
  ]);
});

test('another member of staff is named, and only sa and admin look at what is not theirs', async () => {
  const venta = await buildVenta(db);
  const [uno, otro, admin] = [
    await buildPersona(db, 'user'),
    await buildPersona(db, 'user'),
    await buildPersona(db, 'admin'),
  ];
  const draft = await buildBorrador(db, venta, uno);
  await db.transaction().execute((trx) =>
    createFactura(trx, draft, {
      revision: REVISION(),
      diferenciaAceptada: false,
      usuarioId: uno.id,
      now: new Date(),
    }),
  );
  for (const { id } of [uno, admin]) expect(await openDraft(db, venta.numOrden, id)).toBe(draft.id);
  await expect(openDraft(db, venta.numOrden, otro.id)).rejects.toThrow(
    `${uno.nombre} ${uno.apellidos} ya pidió la factura de esta orden`,
  );
  await runUntilSettled();
});

test('a record that staff correct while the customer reviews is not stamped unseen', async () => {
  const { token } = await buildEnlace(db, await buildVenta(db));
  await post(token, { intent: 'buscarRfc', rfc: CLIENTES[1].rfc });
  await db.updateTable('clienteFiscal').set({ cp: '11001' }).where('rfc', '=', CLIENTES[1].rfc).execute();
  expect((await post(token, crear)).error['']?.[0]).toMatch(/datos registrados cambiaron/);
  await db.updateTable('clienteFiscal').set({ cp: CLIENTES[1].cp }).where('rfc', '=', CLIENTES[1].rfc).execute();
});
