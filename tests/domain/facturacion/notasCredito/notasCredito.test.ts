import { describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { Money } from '~/core/money';
import { civilDay } from '~/core/time';
import { batchProgress } from '~/platform/batches/batches.server';
import { readCfdiXml } from '~/integrations/sat/cfdiXml.server';
import { readCorrecciones } from '~/domain/facturacion/cancelacion/correcciones.server';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { generateGlobal } from '~/domain/facturacion/mes/global.server';
import { facturasList, notasCreditoList } from '~/domain/facturacion/emision/listFacturas.server';
import { issueNotas, retryNotas, ventasSinNota } from '~/domain/facturacion/notasCredito/notasCredito.server';
import { buildOrden } from '../../../support/builders/mes';
import { buildBorrador, REVISION } from '../../../support/builders/ventas';
import { runJobsUntil } from '../../../support/jobs';
import { openPac, settle } from '../../../support/pac';

const { db, sandbox, sa } = await openPac();
const mes = civilDay(new Date()).slice(0, 7);
/** An instant of this month that has passed. */
const hoy = () => new Date(Date.now() - 60_000);

const now = () => new Date();

async function global() {
  const asked = generateGlobal(db, { mes, usuarioId: sa.id, now: now() });
  asked.catch(() => undefined);
  await runJobsUntil(() =>
    Promise.race([asked.then(() => true), new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 20))]),
  );
  const lote = await asked;
  await settle();
  const row = await db
    .selectFrom('factura')
    .innerJoin('effect', 'effect.id', 'factura.effectId')
    .where('effect.batchId', '=', lote)
    .select(['factura.id', 'factura.uuid', 'factura.total'])
    .execute();
  // A minute later a second press is another batch.
  await sql`update batch set created_at = created_at - interval '2 minutes'`.execute(db);
  return row[0]!;
}

async function facturar(orden: { id: string; numOrden: string }, { diferencia = false } = {}) {
  const draft = await buildBorrador(db, { numOrden: orden.numOrden, ordenIds: [orden.id], total: '' }, sa);
  const effectId = await db
    .transaction()
    .execute((trx) =>
      createFactura(trx, draft, { revision: REVISION(), diferenciaAceptada: diferencia, usuarioId: sa.id, now: now() }),
    );
  await settle();
  return db
    .selectFrom('factura')
    .select(['id', 'uuid', 'total', 'serie', 'folio'])
    .where('effectId', '=', effectId)
    .executeTakeFirstOrThrow();
}

async function emitir(tabla: 'refacturacion' | 'devueltas') {
  const lote = await issueNotas(db, { mes, tabla, usuarioId: sa.id, now: now() });
  await settle();
  await sql`update batch set created_at = created_at - interval '2 minutes'`.execute(db);
  return lote;
}

const notasOf = (lote: string) =>
  db
    .selectFrom('factura')
    .innerJoin('effect', 'effect.id', 'factura.effectId')
    .where('effect.batchId', '=', lote)
    .selectAll('factura')
    .orderBy('factura.folio')
    .execute();
const says = (promise: Promise<unknown>) =>
  promise.then(
    () => '',
    (error: Error) => error.message,
  );
const devolver = (...ids: string[]) =>
  db.updateTable('orden').set({ clase: 'devuelta' }).where('id', 'in', ids).execute();

describe('Refacturacion', () => {
  test('a sale of a stamped global gets its own factura, and the global one credit note for it', async () => {
    const [wanted, other] = [
      await buildOrden(db, { fecha: hoy(), precio: '359.98', formaPago: '28' }),
      await buildOrden(db, { fecha: hoy(), precio: '800.00' }),
    ];
    const g = await global();
    expect(g.total.toFixed(2)).toBe('1159.98');
    const factura = await facturar(wanted);
    const row = await db
      .selectFrom('refacturacion')
      .select(['globalId', 'facturaId'])
      .where('ordenId', '=', wanted.id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ globalId: g.id, facturaId: factura.id });
    const claims = await db
      .selectFrom('fiscalClaim')
      .select(['ordenId', 'kind', 'facturaId'])
      .where('ordenId', 'in', [wanted.id, other.id])
      .execute();
    expect(claims).toEqual(
      expect.arrayContaining([
        { ordenId: wanted.id, kind: 'individual', facturaId: factura.id },
        { ordenId: other.id, kind: 'global', facturaId: g.id },
      ]),
    );

    const lote = await emitir('refacturacion');
    expect(await batchProgress(db, lote)).toMatchObject({ total: 1, done: 1, failed: 0 });
    const [nota] = await notasOf(lote);
    expect(nota).toMatchObject({
      tipo: 'notaCredito',
      serie: 'NC',
      rfc: 'XAXX010101000',
      razonSocial: 'PUBLICO EN GENERAL',
      usoCfdi: 'G02',
      formaPago: '28',
    });
    expect([nota!.total.toFixed(2), nota!.iva.toFixed(2)]).toEqual(['359.98', '49.65']);
    const xml = readCfdiXml(await sandbox.facturacom.xml(nota!.uuid));
    expect(xml).toMatchObject({
      tipo: 'E',
      relacionados: [{ tipoRelacion: '01', uuids: [g.uuid] }],
      informacionGlobal: null,
    });
    expect(xml.conceptos).toMatchObject([
      { claveProdServ: '84111506', claveUnidad: 'ACT', noIdentificacion: wanted.numOrden },
    ]);
    expect(await says(issueNotas(db, { mes, tabla: 'refacturacion', usuarioId: sa.id, now: now() }))).toMatch(
      /^No hay notas de crédito por emitir/,
    );
  });

  test('a factura that the PAC refuses leaves the sale in its global', async () => {
    const orden = await buildOrden(db, { fecha: hoy() });
    const g = await global();
    const draft = await buildBorrador(db, { numOrden: orden.numOrden, ordenIds: [orden.id], total: '' }, sa);
    await sandbox.facturacom.failNext('refuse', { times: 1 });
    await db
      .transaction()
      .execute((trx) =>
        createFactura(trx, draft, { revision: REVISION(), diferenciaAceptada: false, usuarioId: sa.id, now: now() }),
      );
    await settle();
    expect(
      await db
        .selectFrom('fiscalClaim')
        .select(['kind', 'facturaId'])
        .where('ordenId', '=', orden.id)
        .executeTakeFirst(),
    ).toEqual({ kind: 'global', facturaId: g.id });
    expect(await db.selectFrom('refacturacion').selectAll().where('ordenId', '=', orden.id).execute()).toEqual([]);
  });
});

describe('Ordenes Devueltas', () => {
  test('credits the individual factura it belongs to, to its own receiver', async () => {
    const orden = await buildOrden(db, { fecha: hoy(), precio: '1234.56' });
    const factura = await facturar(orden);
    await devolver(orden.id);
    const lote = await emitir('devueltas');
    const [nota] = await notasOf(lote);
    expect(nota).toMatchObject({ rfc: 'RAOF850412K20', usoCfdi: 'G02' });
    expect(nota!.total.toFixed(2)).toBe('1234.56');
    expect(readCfdiXml(await sandbox.facturacom.xml(nota!.uuid)).relacionados).toEqual([
      { tipoRelacion: '01', uuids: [factura.uuid] },
    ]);
    expect(await sandbox.facturacom.stamped(`NC-${factura.serie}-${factura.folio}-${orden.numOrden}`)).toHaveLength(1);
  });

  test('is mailed to the tax record of an invoice that was mailed, and listed with its factura', async () => {
    const orden = await buildOrden(db, { fecha: hoy(), precio: '464.00' });
    const factura = await facturar(orden);
    await db
      .updateTable('clienteFiscal')
      .set({ emails: ['hoy@correo.test', 'contador@correo.test'] })
      .where('rfc', '=', 'RAOF850412K20')
      .execute();
    await devolver(orden.id);
    const [nota] = await notasOf(await emitir('devueltas'));
    const folios = [`NC-${nota!.folio}`, `${factura.serie}-${factura.folio}`];
    const sent = await db
      .selectFrom('effect')
      .select('request')
      .where('type', '=', 'factura.mail')
      .where('key', '=', `factura:${nota!.id}`)
      .executeTakeFirstOrThrow();
    expect(sent.request).toMatchObject({ emails: ['hoy@correo.test', 'contador@correo.test'] });
    await runJobsUntil(async () => (await sandbox.correo.inbox({ to: 'contador@correo.test' })).length > 0);
    const [carta] = await sandbox.correo.inbox({ to: 'contador@correo.test' });
    const letter = await sandbox.correo.read(carta!.id);
    expect(letter.subject).toBe(`Tu nota de crédito ${folios[0]!} de Trastienda`);
    expect(letter.text).toContain(
      `Adjuntamos la nota de crédito ${folios[0]!} por $464.00 MXN, en PDF y XML: devuelve ese importe de tu factura ${folios[1]!} de la orden ${orden.numOrden}.`,
    );
    expect(letter.text).toContain(`Folio fiscal de la factura: ${factura.uuid}`);
    expect(letter.attachments.map(({ filename }) => filename)).toEqual([`${folios[0]!}.pdf`, `${folios[0]!}.xml`]);

    const filtro = notasCreditoList.parse(new URLSearchParams({ q: orden.numOrden }));
    const { registros, total } = await notasCreditoList.totals(db, filtro);
    expect([registros, String(total)]).toEqual([1, '464.00']);
    expect(await notasCreditoList.window(db, filtro, { indice: 0, total: 1, corte: null })).toMatchObject([
      {
        id: nota!.id,
        folio: folios[0],
        origenFolio: folios[1],
        origenId: factura.id,
        origenUuid: factura.uuid,
        motivo: 'devuelta',
      },
    ]);
    const facturas = await facturasList.window(db, facturasList.parse(new URLSearchParams({ q: orden.numOrden })), {
      indice: 0,
      total: 1,
      corte: null,
    });
    expect(facturas).toMatchObject([{ id: factura.id, origenUuid: null }]);
    expect(await readCorrecciones(db, nota!.id)).toMatchObject({
      acredita: { id: factura.id, folio: folios[1], uuid: factura.uuid },
      notas: [],
    });
    expect(await readCorrecciones(db, factura.id)).toMatchObject({
      acredita: null,
      notas: [{ id: nota!.id, folio: folios[0] }],
    });
  });

  test('of an invoice that was mailed to nobody goes to nobody', async () => {
    const orden = await buildOrden(db, { fecha: hoy(), precio: '116.00' });
    const factura = await facturar(orden);
    await db.updateTable('factura').set({ emails: [] }).where('id', '=', factura.id).execute();
    await devolver(orden.id);
    const [nota] = await notasOf(await emitir('devueltas'));
    expect(
      await db
        .selectFrom('effect')
        .select('id')
        .where('type', '=', 'factura.mail')
        .where('key', '=', `factura:${nota!.id}`)
        .execute(),
    ).toEqual([]);
  });

  test('credits the global it was sold in, and each orden of a cart by itself; together never more than it charged', async () => {
    const packId = '2000999900000011';
    const [a, b] = [
      await buildOrden(db, { fecha: hoy(), precio: '100.10', packId }),
      await buildOrden(db, { fecha: hoy(), precio: '200.25', packId, envio: '50.00' }),
    ];
    const g = await global();
    await devolver(a.id);
    const first = await notasOf(await emitir('devueltas'));
    expect(first.map(({ total }) => total.toFixed(2))).toEqual(['100.10']);
    await devolver(b.id);
    const second = await notasOf(await emitir('devueltas'));
    expect(second.map(({ total }) => total.toFixed(2))).toEqual(['250.25']);
    const credited = await db.selectFrom('notaCreditoOrden').select('importe').where('facturaId', '=', g.id).execute();
    expect(Money.sum(credited.map(({ importe }) => importe)).toFixed(2)).toBe('350.35');
    expect(
      (await sandbox.facturacom.stamped()).filter(({ NumOrder }) => NumOrder.endsWith(`${packId}-2`)),
    ).toHaveLength(1);
  });

  test('part of a cart of two rates in a global: of each rate what was returned, and the rest with the rest', async () => {
    const packId = '2000999900000021';
    const [a, b] = [
      await buildOrden(db, { fecha: hoy(), precio: '108.00', tasaIva: '0.08', envio: '58.00', packId }),
      await buildOrden(db, { fecha: hoy(), precio: '348.00', packId }),
    ];
    await global();
    await devolver(a.id);
    const [first] = await notasOf(await emitir('devueltas'));
    expect([first!.subtotal, first!.iva, first!.total].map(String)).toEqual(['150.00', '16.00', '166.00']);
    expect(
      readCfdiXml(await sandbox.facturacom.xml(first!.uuid)).conceptos.map(({ importe, traslados }) => [
        importe,
        traslados[0]!.tasa,
      ]),
    ).toEqual([
      ['100.000000', '0.080000'],
      ['50.000000', '0.160000'],
    ]);
    await devolver(b.id);
    const [second] = await notasOf(await emitir('devueltas'));
    expect([second!.subtotal, second!.iva, second!.total].map(String)).toEqual(['300.00', '48.00', '348.00']);
  });

  test('where it cannot be told what to credit there is no note, and the sale says why until the whole cart is back', async () => {
    const packId = '2000999900000022';
    const [a, b] = [
      await buildOrden(db, { fecha: hoy(), precio: '108.00', tasaIva: '0.08', packId }),
      await buildOrden(db, { fecha: hoy(), precio: '116.00', packId }),
    ];
    const g = await global();
    await db.updateTable('articulo').set({ tasaIva: '0.16' }).where('ordenId', '=', a.id).execute();
    await devolver(a.id);
    expect(await says(issueNotas(db, { mes, tabla: 'devueltas', usuarioId: sa.id, now: now() }))).toContain(
      `Venta ${packId}: volvió solo una parte de un carrito con productos de distintas tasas`,
    );
    expect(await ventasSinNota(db, mes)).toEqual([
      { numOrden: packId, folio: expect.stringMatching(/^F-\d+$/) as string, motivo: 'sinReparto' },
    ]);
    await devolver(b.id);
    const [nota] = await notasOf(await emitir('devueltas'));
    expect(nota!.total.toFixed(2)).toBe('224.00');
    expect(readCfdiXml(await sandbox.facturacom.xml(nota!.uuid)).relacionados).toEqual([
      { tipoRelacion: '01', uuids: [g.uuid] },
    ]);
    expect(await ventasSinNota(db, mes)).toEqual([]);
  });

  test('a cart whose invoice staff wrote by hand waits for the rest of it, and says so', async () => {
    const packId = '2000999900000023';
    const [a, b] = [
      await buildOrden(db, { fecha: hoy(), precio: '50.00', packId }),
      await buildOrden(db, { fecha: hoy(), precio: '66.00', packId }),
    ];
    const factura = await facturar({ id: a.id, numOrden: packId });
    await db.updateTable('facturaConcepto').set({ ordenId: null }).where('facturaId', '=', factura.id).execute();
    await devolver(a.id);
    expect(await says(issueNotas(db, { mes, tabla: 'devueltas', usuarioId: sa.id, now: now() }))).toContain(
      'ningún renglón de su factura es de esa parte',
    );
    await devolver(b.id);
    expect((await notasOf(await emitir('devueltas'))).map(({ total }) => total.toFixed(2))).toEqual(['116.00']);
  });

  test('a cart invoiced to its customer: part of it first, and what is left with the last', async () => {
    const packId = '2000999900000012';
    const [a, b] = [
      await buildOrden(db, { fecha: hoy(), precio: '33.33', packId }),
      await buildOrden(db, { fecha: hoy(), precio: '66.67', packId, envio: '20.01' }),
    ];
    const factura = await facturar({ id: a.id, numOrden: packId });
    expect(factura.total.toFixed(2)).toBe('120.01');
    await devolver(a.id);
    expect((await notasOf(await emitir('devueltas'))).map(({ total }) => total.toFixed(2))).toEqual(['33.33']);
    await devolver(b.id);
    expect((await notasOf(await emitir('devueltas'))).map(({ total }) => total.toFixed(2))).toEqual(['86.68']);
  });

  test('a sale that was in a global, invoiced and then returned owes a note in each list, to two documents', async () => {
    const orden = await buildOrden(db, { fecha: hoy(), precio: '580.00' });
    const g = await global();
    const factura = await facturar(orden);
    await devolver(orden.id);
    await emitir('refacturacion');
    await emitir('devueltas');
    const rows = await db
      .selectFrom('notaCreditoOrden')
      .select(['facturaId', 'importe'])
      .where('ordenId', '=', orden.id)
      .execute();
    expect(rows.map(({ facturaId }) => facturaId).toSorted()).toEqual([g.id, factura.id].toSorted());
    expect(await says(issueNotas(db, { mes, tabla: 'refacturacion', usuarioId: sa.id, now: now() }))).toMatch(
      /^No hay notas/,
    );
    expect(await says(issueNotas(db, { mes, tabla: 'devueltas', usuarioId: sa.id, now: now() }))).toMatch(
      /^No hay notas/,
    );
  });

  test('the database itself refuses a credit beyond the factura, and the same orden twice', async () => {
    const orden = await buildOrden(db, { fecha: hoy(), precio: '10.00' });
    const factura = await facturar(orden);
    const { effectId } = await db
      .selectFrom('fiscalClaim')
      .select('effectId')
      .where('ordenId', '=', orden.id)
      .executeTakeFirstOrThrow();
    const insert = (importe: string, ordenId = orden.id) =>
      db.insertInto('notaCreditoOrden').values({ facturaId: factura.id, ordenId, effectId, importe }).execute();
    expect(await says(insert('10.01'))).toMatch(/pasan del total/);
    await insert('6.00');
    expect(await says(insert('1.00'))).toMatch(/duplicate key/);
    const another = await buildOrden(db, { fecha: hoy() });
    expect(await says(insert('4.01', another.id))).toMatch(/pasan del total/);
    await db.deleteFrom('notaCreditoOrden').where('facturaId', '=', factura.id).execute();
  });

  test('refused ones say why, and are tried again alone', async () => {
    const ordenes = [
      await buildOrden(db, { fecha: hoy() }),
      await buildOrden(db, { fecha: hoy() }),
      await buildOrden(db, { fecha: hoy() }),
    ];
    for (const orden of ordenes) await facturar(orden);
    await devolver(...ordenes.map(({ id }) => id));
    await sandbox.facturacom.failNext('refuse', { times: 1, code: 'CFDI40130' });
    const lote = await emitir('devueltas');
    const progress = await batchProgress(db, lote);
    expect(progress).toMatchObject({ done: progress!.total - 1, failed: 1 });
    await retryNotas(db, { batchId: lote, mes, tabla: 'devueltas', usuarioId: sa.id, now: now() });
    await settle();
    expect(await batchProgress(db, lote)).toMatchObject({ done: progress!.total, failed: 0, total: progress!.total });
  });
});
