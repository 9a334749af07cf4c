import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { conceptosOfArticulos } from '~/domain/facturacion/cfdi/articulos';
import { matchesRequest } from '~/domain/facturacion/cfdi/internal/matchesRequest.server';
import { readCfdiXml } from '~/integrations/sat/cfdiXml.server';
import { Refused, Unavailable, Uncertain } from '~/integrations/errors';
import { redactorOf } from '~/integrations/facturacom/connection.server';
import type { NewCfdi, Stamped } from '~/integrations/facturacom/nouns';
import { createFacturacomReader } from '~/integrations/facturacom/read.server';
import { createFacturacomWriter } from '~/integrations/facturacom/write.server';
import { startTestSandbox } from '../support/sandbox';
import { xsdFaults } from '../support/xsd';
import { cfdiFor, EMPRESA, failureOf } from './support/facturacom';

const sandbox = await startTestSandbox();
const keys = await sandbox.facturacom.keys();
const credentials = { baseUrl: `${sandbox.url}/facturacom/api`, apiKey: keys.apiKey, secret: keys.secretKey };
const options = { timeoutMs: 2_500, stampTimeoutMs: 2_500 };
const reader = createFacturacomReader(credentials, options);
const writer = createFacturacomWriter(credentials, options);

const EMISOR = 'EKU9003173C9';

const newCfdi = async (change?: Partial<NewCfdi>) => cfdiFor((await writer.createClient(EMPRESA)).uid, change);
const lookUp = (ref: string, cfdi: NewCfdi) =>
  reader.findByNumOrder(ref, { rfc: cfdi.receptor.rfc, fecha: cfdi.fecha });

beforeEach(async () => {
  await sandbox.reset();
  // The PAC makes its seals when they are first needed: not within the patience of a test.
  await fetch(`${sandbox.url}/control/facturacom/certificados`);
});

describe('stamping', () => {
  test('what is asked is what is stamped, and its XML, PDF and list row say so', async () => {
    const cfdi = await newCfdi();
    const stamped = await writer.createCfdi(cfdi, '2000009012345678');
    expect(stamped).toMatchObject({ kind: 'stamped', serie: 'F', folio: 1 });
    const bytes = await reader.downloadXml(stamped.uid);
    const xml = readCfdiXml(bytes);
    expect(matchesRequest(xml, cfdi, { uuid: stamped.uuid, emisor: EMISOR })).toEqual([]);
    expect(xml.conceptos[0]).toMatchObject({
      descripcion: 'Cámara "domo" - 2 MP & fuente <12 V>',
      noIdentificacion: 'AMS-1-syscom-DS-2CE',
    });
    expect(await xsdFaults(bytes.toString('utf8'))).toEqual([]);
    expect((await reader.downloadPdf(stamped.uid)).subarray(0, 4).toString()).toBe('%PDF');
    const row = {
      uid: stamped.uid,
      uuid: stamped.uuid,
      serie: 'F',
      folio: 1,
      rfc: EMPRESA.rfc,
      total: '599.56',
      numOrder: '2000009012345678',
      cancelada: false,
    };
    expect(await lookUp('2000009012345678', cfdi)).toMatchObject({ ...row, repetidos: [] });
    expect(await reader.findByUid(stamped.uid)).toMatchObject(row);
    expect(await reader.findByUuid(stamped.uuid)).toMatchObject(row);
    expect(await reader.findByUid('0000000000000')).toBeUndefined();
    expect(await sandbox.correo.inbox()).toEqual([]);
  });

  test('a big document is right whether the PAC multiplies by itself or not', async () => {
    for (const on of [false, true]) {
      await fetch(`${sandbox.url}/control/facturacom/ignora-importe`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ on }),
      });
      const base = await newCfdi();
      const { conceptos, subTotal, iva, total } = conceptosOfArticulos([
        {
          nombre: 'Cable',
          codigoSat: '26121609',
          claveUnidad: 'MTR',
          cantidad: 5000,
          precioUnitario: '14.28',
          importe: '71400.00',
          tasaIva: '0.160000',
        },
      ]);
      const cfdi = { ...base, conceptos, subTotal, iva, total };
      const { uid, uuid } = await writer.createCfdi(cfdi, `rollo-${on}`);
      expect(matchesRequest(readCfdiXml(await reader.downloadXml(uid)), cfdi, { uuid, emisor: EMISOR })).toEqual([]);
    }
  });

  test('a repeated reference is answered with the CFDI that exists', async () => {
    const cfdi = await newCfdi();
    const first = await writer.createCfdi(cfdi, 'orden-1');
    const again = await writer.createCfdi(cfdi, 'orden-1');
    expect(again).toMatchObject({ kind: 'exists', uid: first.uid, uuid: first.uuid });
    expect(readCfdiXml((again as Extract<Stamped, { kind: 'exists' }>).xml!).uuid).toBe(first.uuid);
    expect(await sandbox.facturacom.stamped()).toHaveLength(1);
  });

  test('a refusal keeps the code, the words and the detail of the PAC', async () => {
    const cfdi = await newCfdi();
    await writer.updateClient(cfdi.receptor.uid, { ...EMPRESA, razonSocial: 'OTRO NOMBRE' });
    const refused = (await failureOf(writer.createCfdi(cfdi, 'orden-2'))) as Refused;
    expect(refused).toBeInstanceOf(Refused);
    expect(refused.details.code).toBe('CFDI40145');
    expect(refused.message).toMatch(/^CFDI40145 - /);
    const use = (await failureOf(writer.createCfdi(await newCfdi({ usoCfdi: 'D01' }), 'orden-3'))) as Refused;
    expect(use.details.code).toBe('CFDI40161');
    const past = (await failureOf(
      writer.createCfdi(await newCfdi({ fecha: '2020-01-01T10:00:00' }), 'orden-4'),
    )) as Refused;
    expect(past.details.code).toBe('401');
    expect(await sandbox.facturacom.stamped()).toEqual([]);
  });

  test('fields and lists of sentences are refusals too', async () => {
    const cfdi = await newCfdi();
    expect(await failureOf(writer.createCfdi({ ...cfdi, serieId: 17318 }, 'o'))).toBeInstanceOf(Refused);
    await sandbox.facturacom.failNext('refuse', {
      message: ['El campo Serie es requerido.', 'El campo Moneda es requerido.'],
    });
    expect(await failureOf(writer.createCfdi(cfdi, 'o'))).toMatchObject({
      name: 'Refused',
      message: 'El campo Serie es requerido. El campo Moneda es requerido.',
    });
    await sandbox.facturacom.failNext('refuse', { message: { rfc: ['El campo rfc es requerido'] } });
    expect(await failureOf(writer.createCfdi(cfdi, 'o'))).toMatchObject({
      name: 'Refused',
      message: 'El campo rfc es requerido',
    });
    await sandbox.facturacom.failNext('refuse', { code: 'sellos' });
    expect(await failureOf(writer.createCfdi(cfdi, 'o'))).toMatchObject({
      name: 'Refused',
      details: { account: true },
    });
  });
});

describe('every way an answer can go wrong', () => {
  const cases: [
    mode: string,
    fault: { ms?: number; code?: string },
    error: new (...args: never[]) => Error,
    stamped: number,
  ][] = [
    ['429', {}, Unavailable, 0],
    ['503', {}, Unavailable, 0],
    ['reset', {}, Uncertain, 0],
    ['hang', { ms: 1_300 }, Uncertain, 0],
    ['refuse', {}, Refused, 0],
    ['hang-after-doing', { ms: 1_300 }, Uncertain, 1],
    ['reset-after-doing', {}, Uncertain, 1],
    ['500-after-doing', {}, Uncertain, 1],
    ['half-answer', {}, Uncertain, 1],
    ['html', {}, Uncertain, 1],
    ['html', { code: '404' }, Uncertain, 1],
    ['sin-uuid', {}, Uncertain, 1],
  ];
  for (const [mode, fault, error, count] of cases) {
    test(`${mode}${fault.code ?? ''}: ${error.name}, and the look-up tells ${count === 0 ? 'that it is absent' : 'which CFDI it is'}`, async () => {
      const cfdi = await newCfdi();
      await sandbox.facturacom.failNext(mode, fault);
      expect(await failureOf(writer.createCfdi(cfdi, 'orden-x'))).toBeInstanceOf(error);
      const [one, ...others] = await sandbox.facturacom.stamped('orden-x');
      expect(others).toEqual([]);
      const found = await lookUp('orden-x', cfdi);
      if (count === 0) expect([found, one]).toEqual(['absent', undefined]);
      else expect(found).toMatchObject({ uid: one!.uid, uuid: one!.UUID });
    });
  }

  test('slow is still well', async () => {
    await sandbox.facturacom.failNext('slow', { ms: 300 });
    expect(await writer.createCfdi(await newCfdi(), 'orden-lenta')).toMatchObject({ kind: 'stamped' });
  });

  test('an address where nobody listens surely did nothing', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await new Promise((resolve) => server.close(resolve));
    expect(
      await failureOf(createFacturacomWriter({ ...credentials, baseUrl }, options).createCfdi(await newCfdi(), 'o')),
    ).toBeInstanceOf(Unavailable);
  });

  test("a read that fails is Unavailable, and a look-up that fails is never 'absent'", async () => {
    const cfdi = await newCfdi();
    for (const mode of ['429', '503', 'reset', '500-after-doing', 'half-answer', 'html']) {
      // A page instead of a list is asked for the other way, too.
      await sandbox.facturacom.failNext(mode, { route: '/v4/cfdi/list' });
      expect(await failureOf(lookUp('nada', cfdi)), mode).toBeInstanceOf(Unavailable);
      await sandbox.clear();
    }
    expect(await lookUp('nada', cfdi)).toBe('absent');
    // The old list is evidence of what it names; its own trouble proves nothing.
    for (const mode of ['429', '503', 'reset', '500-after-doing', 'half-answer', 'html']) {
      await sandbox.facturacom.failNext(mode, { route: '/v1/invoices' });
      expect(await lookUp('nada', cfdi), mode).toBe('absent');
    }
  });

  test('a PDF that is not ready is Unavailable', async () => {
    const { uid } = await writer.createCfdi(await newCfdi(), 'o');
    await sandbox.facturacom.failNext('pdf-no-listo', { route: '/pdf' });
    expect(await failureOf(reader.downloadPdf(uid))).toBeInstanceOf(Unavailable);
    await sandbox.facturacom.failNext('html', { route: '/xml' });
    expect(await failureOf(reader.downloadXml(uid))).toBeInstanceOf(Unavailable);
    expect((await reader.downloadPdf(uid)).length).toBeGreaterThan(500);
  });
});

describe('wrong keys', () => {
  test('are an account problem, and the echoed keys are in no message, stack or trace', async () => {
    const [apiKey, secret] = ['$2y$10$LlaveEquivocada/Uno.0000', '$2y$10$SecretoEquivocado/Dos.0000'].map((text) =>
      Buffer.from(text).toString('base64'),
    ) as [string, string];
    const seen: string[] = [];
    const wrong = { ...credentials, apiKey, secret };
    const trace = { ...options, trace: (exchange: unknown) => void seen.push(JSON.stringify(exchange)) };
    for (const call of [
      () => createFacturacomReader(wrong, trace).account(),
      async () => createFacturacomWriter(wrong, trace).createCfdi(await newCfdi(), 'o'),
    ]) {
      const refused = (await failureOf(call())) as Refused;
      expect(refused).toBeInstanceOf(Refused);
      expect(refused.details.account).toBe(true);
      const everything = [refused.message, refused.stack, JSON.stringify(refused.details), ...seen].join('\n');
      for (const text of [apiKey, secret, 'LlaveEquivocada', 'SecretoEquivocado'])
        expect(everything).not.toContain(text);
    }
    expect(seen).toHaveLength(2);
    expect(seen[0]).toContain('[oculto]');
  });

  test('are also hidden as PHP writes them', () => {
    const key = Buffer.from('$2y$10$abc/def').toString('base64');
    const redact = redactorOf([key]);
    expect(redact(`{"Data":"$2y$10$abc\\/def","Secret":"x"} ${key} $2y$10$abc/def`)).toBe(
      '{"Data":"[oculto]","Secret":"[oculto]"} [oculto] [oculto]',
    );
  });
});

describe('clients, series, catalogues, account', () => {
  test('several legal names under one RFC are all listed; create and update keep every field', async () => {
    const before = (await reader.clientsByRfc(EMPRESA.rfc)).length;
    const { uid } = await writer.createClient(EMPRESA);
    await writer.createClient({ ...EMPRESA, razonSocial: 'OTRA RAZON' });
    const all = await reader.clientsByRfc(EMPRESA.rfc);
    expect(all).toHaveLength(before + 2);
    expect(all.find((one) => one.uid === uid)).toMatchObject({
      rfc: EMPRESA.rfc,
      razonSocial: EMPRESA.razonSocial,
      cp: '68000',
      regimen: '601',
      usoCfdi: 'G03',
      emails: EMPRESA.emails,
      calle: 'Reforma',
      pais: 'MEX',
    });
    expect(await writer.updateClient(uid, { ...EMPRESA, cp: '68010' })).toEqual({ uid });
    expect((await reader.clientByUid(uid))?.cp).toBe('68010');
  });

  test('an RFC with Ñ or & travels, and nobody there is an empty list', async () => {
    expect(await reader.clientsByRfc('ÑA&000229J61')).toEqual([]);
    await writer.createClient({ ...EMPRESA, rfc: 'ÑA&000229J61' });
    expect(await reader.clientsByRfc('ÑA&000229J61')).toHaveLength(1);
    expect(await reader.clientByUid('0000000000000')).toBeUndefined();
  });

  test('a client the PAC does not take is a refusal with its sentence', async () => {
    expect(await failureOf(writer.createClient({ ...EMPRESA, cp: '' }))).toMatchObject({
      name: 'Refused',
      message: 'El campo codpos es requerido',
    });
  });

  test('series, catalogues and account', async () => {
    expect(await reader.series()).toContainEqual({
      id: 17317,
      letra: 'F',
      tipo: 'factura',
      descripcion: 'Factura',
      activa: true,
    });
    expect(await reader.catalogue('UsoCfdi')).toContainEqual({ key: 'G03', name: 'Gastos en general' });
    expect(await reader.catalogue('FormaPago')).toContainEqual({ key: '04', name: 'Tarjeta de crédito' });
    expect(await reader.account()).toMatchObject({ rfc: 'EKU9003173C9', cp: '42501' });
  });
});

test('cancelling, and what the SAT says of it afterwards', async () => {
  const { uid } = await writer.createCfdi(await newCfdi(), 'o');
  expect(await reader.cancelStatus(uid)).toMatchObject({ estado: 'Vigente', estatusCancelacion: '' });
  expect((await writer.cancelCfdi(uid, { motivo: '02' })).acuse).toContain('<Acuse');
  expect(await reader.cancelStatus(uid)).toMatchObject({
    estado: 'Cancelado',
    estatusCancelacion: 'Cancelado sin aceptación',
  });
  expect((await reader.findByUid(uid))?.cancelada).toBe(true);
  expect(await failureOf(writer.cancelCfdi(uid, { motivo: '02' }))).toMatchObject({ name: 'Refused' });
});

test("the vendor's own letter goes to the addresses of the client", async () => {
  const { uid } = await writer.createCfdi(await newCfdi(), 'o');
  await writer.sendEmail(uid);
  await expect.poll(async () => (await sandbox.correo.inbox()).length).toBeGreaterThan(0);
});
