import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDraft } from '~/domain/facturacion/emision/draft.server';
import { readDraft } from '~/domain/facturacion/emision/draftSteps.server';
import { CONDICIONES } from '~/domain/operacion/mantenimiento/internal/condicionCatalog.server';
import { listSinTimbrar } from '~/domain/facturacion/publico/sinTimbrar.server';
import { buildEnlace, post, visit } from '../../../support/builders/enlaces';
import { buildFactura } from '../../../support/builders/facturas';
import { buildVenta, CLIENTES } from '../../../support/builders/ventas';
import { runUntilSettled } from '../../../support/jobs';
import { crear, datos, fetchFile, NUEVO, openPublico, pasoOf, working } from '../../../support/publico';

const { db, sandbox, ana } = await openPublico();
const [MARIA] = CLIENTES;

test('from the link to the stamped invoice, with data nobody had: no stored record is made or changed', async () => {
  const venta = await buildVenta(db, { precios: ['348.00'] });
  const { token } = await buildEnlace(db, venta);
  const records = await db.selectFrom('clienteFiscal').selectAll().orderBy('id').execute();

  expect((await pasoOf(token)).cliente).toMatchObject({ modo: 'nuevo', rfc: '', registrado: null });
  expect(await post(token, { intent: 'buscarRfc', rfc: NUEVO.rfc.toLowerCase() })).toMatchObject({ status: 302 });
  expect((await pasoOf(token)).cliente).toMatchObject({ modo: 'nuevo', rfc: NUEVO.rfc, razonSocial: '', opciones: [] });
  expect((await pasoOf(token, '2')).paso).toBe('1');

  expect(await working(post(token, datos({ razonSocial: 'Martha López  Guerrero'.replace('ó', 'o') })))).toMatchObject({
    status: 302,
  });
  expect(await pasoOf(token)).toMatchObject({
    siguiente: true,
    cliente: { modo: 'lectura', razonSocial: NUEVO.razonSocial, email: 'martha@correo.test' },
  });
  expect((await pasoOf(token, '2')).revision).toMatchObject({ totales: { total: '348.00' }, usoCfdi: 'G03' });

  expect(await post(token, { ...crear, confirmado: '' })).toMatchObject({ confirmar: { titulo: 'Facturación' } });
  // What else is sent is not read: prices, date and payment method are the sale's.
  expect(
    await post(token, { ...crear, formaPago: '01', fecha: '2020-01-01', 'articulos[0].precioUnitario': '1.00' }),
  ).toMatchObject({ status: 302 });
  await runUntilSettled();

  const factura = await db
    .selectFrom('factura')
    .selectAll()
    .where('numOrden', '=', venta.numOrden)
    .executeTakeFirstOrThrow();
  expect(factura).toMatchObject({
    rfc: NUEVO.rfc,
    razonSocial: NUEVO.razonSocial,
    formaPago: '04',
    usuarioId: null,
    clienteFiscalId: null,
    emails: ['martha@correo.test'],
  });
  expect(String(factura.total)).toBe('348.00');
  expect(await visit(token)).toMatchObject({
    pagina: { vista: { tipo: 'resultado', estado: { tipo: 'lista', folio: `${factura.serie}-${factura.folio}` } } },
  });
  expect((await fetchFile(token, 'xml')).headers.get('Content-Type')).toBe('application/xml');
  expect((await fetchFile(token, 'pdf')).headers.get('Content-Type')).toBe('application/pdf');
  expect(await db.selectFrom('clienteFiscal').selectAll().orderBy('id').execute()).toEqual(records);

  // Pressing again leads to the same one.
  expect(await post(token, crear)).toMatchObject({ status: 302 });
  await runUntilSettled();
  expect(await sandbox.facturacom.stamped(venta.numOrden)).toHaveLength(1);
});

test('a sale in the stamped global of its month still gets its own CFDI, and is owed a credit note', async () => {
  const venta = await buildVenta(db);
  const global = await buildFactura(db, {
    tipo: 'global',
    serie: 'G',
    numOrden: null,
    rfc: 'XAXX010101000',
    razonSocial: 'PUBLICO EN GENERAL',
  });
  await db
    .insertInto('fiscalClaim')
    .values({ ordenId: venta.ordenIds[0]!, kind: 'global', effectId: global.effectId, facturaId: global.id })
    .execute();
  // Staff who capture it read what that means before they do.
  const { avisos } = await readDraft(db, await openDraft(db, venta.numOrden, ana.id), ana, '1');
  expect(avisos).toEqual([
    {
      titulo: 'Esta orden está en una factura global',
      texto: expect.stringContaining(`La venta está en la factura global G-${global.folio}`) as string,
    },
  ]);
  expect(avisos[0]!.texto).toContain('«Refacturacion»');
  const { token } = await buildEnlace(db, venta);
  await post(token, { intent: 'buscarRfc', rfc: MARIA.rfc });
  expect(await post(token, crear)).toMatchObject({ status: 302 });
  await runUntilSettled();
  const { pagina } = await visit(token);
  expect(pagina?.vista).toMatchObject({ tipo: 'resultado', estado: { tipo: 'lista' } });
  const factura = await db
    .selectFrom('factura')
    .select('id')
    .where('numOrden', '=', venta.numOrden)
    .executeTakeFirstOrThrow();
  expect(
    await db
      .selectFrom('refacturacion')
      .select(['ordenId', 'globalId', 'facturaId'])
      .where('ordenId', '=', venta.ordenIds[0]!)
      .execute(),
  ).toEqual([{ ordenId: venta.ordenIds[0], globalId: global.id, facturaId: factura.id }]);
});

test('a sale that was cancelled, returned or is sold by Mercado Libre says so in the agreed words', async () => {
  const cases = [
    [{ clase: 'cancelada' }, 'La orden de la factura fue cancelada y no se puede facturar.'],
    [{ clase: 'devuelta' }, 'La orden fue devuelta y no se puede facturar.'],
    [{ meliResale: true }, 'Mercado Libre le factura esta venta al cliente; no se puede facturar aquí.'],
  ] as const;
  for (const [change, texto] of cases) {
    const venta = await buildVenta(db);
    const { token } = await buildEnlace(db, venta);
    await db.updateTable('orden').set(change).where('numOrden', '=', venta.numOrden).execute();
    expect((await visit(token)).pagina?.vista).toEqual({ tipo: 'aviso', texto });
    expect(await post(token, datos())).toMatchObject({ status: 422 });
  }
});

test('what the PAC refuses can be corrected, and nothing was stamped meanwhile', async () => {
  const venta = await buildVenta(db);
  const { token } = await buildEnlace(db, venta);
  expect(await working(post(token, datos({ razonSocial: 'MARTHA LOPEZ' })))).toMatchObject({ status: 302 });
  await post(token, crear);
  await runUntilSettled();
  const { pagina } = await visit(token);
  expect(pagina?.vista).toMatchObject({ tipo: 'resultado', estado: { tipo: 'rechazada', paso: '1' } });
  expect(await post(token, { intent: 'corregir', paso: '1' })).toMatchObject({ status: 302 });
  await post(token, { intent: 'editar' });
  expect(await working(post(token, datos()))).toMatchObject({ status: 302 });
  await post(token, crear);
  await runUntilSettled();
  expect(await sandbox.facturacom.stamped(venta.numOrden)).toHaveLength(1);
});

test.each(['402', '304', 'CFDI40162'])(
  'a fault of the company (%s) is not told to the customer: they read that it is seen to, and staff find it on the board',
  async (code) => {
    const venta = await buildVenta(db);
    const { token } = await buildEnlace(db, venta);
    await post(token, { intent: 'buscarRfc', rfc: CLIENTES[1].rfc });
    await sandbox.facturacom.failNext('refuse', { code, message: 'Lo que solo importa a la empresa' });
    await post(token, crear);
    await runUntilSettled();
    const { pagina } = await visit(token);
    expect(pagina?.vista).toMatchObject({
      estado: {
        tipo: 'rechazada',
        texto: expect.stringMatching(/^En este momento no podemos/),
        detalle: null,
        paso: null,
      },
    });
    expect(JSON.stringify(pagina)).not.toContain('Lo que solo importa a la empresa');
    expect(await listSinTimbrar(db)).toContainEqual(
      expect.objectContaining({
        numOrden: venta.numOrden,
        motivo: expect.stringContaining('Lo que solo importa a la empresa'),
      }),
    );
  },
);

test('a company without keys is told to nobody outside', async () => {
  const { token } = await buildEnlace(db, await buildVenta(db));
  await post(token, { intent: 'buscarRfc', rfc: CLIENTES[1].rfc });
  const emisor = await db.selectFrom('ajuste').selectAll().where('clave', '=', 'emisor').executeTakeFirstOrThrow();
  await db.deleteFrom('ajuste').where('clave', '=', 'emisor').execute();
  const said = (await post(token, crear)).error['']?.[0];
  await db
    .insertInto('ajuste')
    .values({ ...emisor, valor: JSON.stringify(emisor.valor) })
    .execute();
  expect(said).toMatch(/^En este momento no podemos/);
});

test('a customer who only opens the page of a sale that cannot be stamped leaves the note by which it is seen to', async () => {
  const venta = await buildVenta(db);
  const { token } = await buildEnlace(db, venta);
  const uuid = '0A6C2A4E-6F1C-4B0F-9A52-0C7D3F7B9E10';
  await db.insertInto('cfdiPorAdoptar').values({ uuid, numOrden: venta.numOrden, folio: 'F 77' }).execute();
  for (let at = 0; at < 2; at++) {
    const { pagina } = await visit(token);
    expect(pagina?.vista).toEqual({
      tipo: 'aviso',
      texto: expect.stringMatching(/^En este momento no podemos/) as string,
    });
    expect(JSON.stringify(pagina)).not.toContain('F 77');
  }
  expect((await listSinTimbrar(db)).filter(({ numOrden }) => numOrden === venta.numOrden)).toMatchObject([
    { motivo: expect.stringContaining('F 77') as string },
  ]);
  await db.deleteFrom('cfdiPorAdoptar').where('uuid', '=', uuid).execute();
  expect(await pasoOf(token)).toMatchObject({ paso: '1' });
});

test('staff are told of a customer turned away for something of the company, until the sale is asked for again', async () => {
  const venta = await buildVenta(db);
  const { token } = await buildEnlace(db, venta);
  await post(token, { intent: 'buscarRfc', rfc: CLIENTES[1].rfc });
  const emisor = await db.selectFrom('ajuste').selectAll().where('clave', '=', 'emisor').executeTakeFirstOrThrow();
  const alarma = CONDICIONES.find(({ clave }) => clave === 'clientesSinFactura')!;
  const suya = async () => (await listSinTimbrar(db)).filter(({ numOrden }) => numOrden === venta.numOrden);
  await sql`update effect set settled_at = now() - interval '2 days' where state = 'refused'`.execute(db);
  await sql`delete from sin_timbrar`.execute(db);
  expect([await suya(), await alarma.mira(db)]).toEqual([[], null]);

  await db.deleteFrom('ajuste').where('clave', '=', 'emisor').execute();
  await post(token, crear);
  await post(token, crear);
  expect(await suya()).toMatchObject([{ motivo: expect.stringContaining('factura.com no está vinculado') }]);
  expect(await alarma.mira(db)).toMatchObject({
    texto: 'Un cliente no pudo facturar su compra por algo de la empresa.',
    pantalla: 'pendientes',
  });

  await db
    .insertInto('ajuste')
    .values({ ...emisor, valor: JSON.stringify(emisor.valor) })
    .execute();
  expect(await suya()).toHaveLength(1);
  expect(await post(token, crear)).toMatchObject({ status: 302 });
  expect([await suya(), await alarma.mira(db)]).toEqual([[], null]);
  await runUntilSettled();
});
