import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Money } from '~/core/money';
import { articulosDe, conceptosDe } from '~/domain/facturas/articulos';
import { matchesRequest, readCfdiXml } from '~/domain/facturas/cfdiXml.server';
import { fechaDeFactura } from '~/domain/facturas/precheck';
import { civilDay } from '~/core/time';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import { folioOf } from '~/integrations/facturacom/answers';
import { redactorOf } from '~/integrations/facturacom/connection.server';
import { messageOf, readEnvelope } from '~/integrations/facturacom/envelope';
import { NewCfdi, type Stamped } from '~/integrations/facturacom/nouns';
import { createFacturacomReader } from '~/integrations/facturacom/read.server';
import { toWire } from '~/integrations/facturacom/wire';
import { createFacturacomWriter } from '~/integrations/facturacom/write.server';
import { startTestSandbox } from '../support/sandbox';
import { xsdFaults, xsdIsHere } from '../support/xsd';

const sandbox = await startTestSandbox();
const keys = await sandbox.facturacom.keys();
const credentials = { baseUrl: `${sandbox.url}/facturacom/api`, apiKey: keys.apiKey, secret: keys.secretKey };
const options = { timeoutMs: 2_500, stampTimeoutMs: 2_500 };
const reader = createFacturacomReader(credentials, options);
const writer = createFacturacomWriter(credentials, options);

const EMISOR = 'EKU9003173C9';
const EMPRESA = { rfc: 'CVS140305H19', razonSocial: 'CONSTRUCTORA VALLE DEL SUR', cp: '68000', regimen: '601', emails: ['pagos@vallesur.test', 'dos@vallesur.test'], usoCfdi: 'G03', calle: 'Reforma' };

/** Three cameras, seven connectors and the shipping: the amounts that break careless arithmetic. */
async function newCfdi(change: Partial<NewCfdi> = {}): Promise<NewCfdi> {
  const { uid } = await writer.createClient(EMPRESA);
  const { conceptos, subTotal, iva, total } = conceptosDe(articulosDe([{
    id: 'o', envio: { id: 'e', cobrado: Money.of('199.00') }, envioAdicional: Money.zero,
    articulos: [
      { nombre: 'Cámara "domo" | 2 MP & fuente <12 V>', cantidad: 3, precioUnitario: Money.of('99.99'), importe: Money.of('299.97'), sku: 'AMS|1|syscom|DS-2CE' },
      { nombre: 'Conector', cantidad: 7, precioUnitario: Money.of('14.37'), importe: Money.of('100.59'), sku: null },
    ],
  }]));
  const now = new Date();
  return NewCfdi.parse({
    tipo: 'factura', serieId: 17317, receptor: { uid, rfc: EMPRESA.rfc, nombre: EMPRESA.razonSocial, cp: EMPRESA.cp, regimen: EMPRESA.regimen },
    usoCfdi: 'G03', formaPago: '04', fecha: fechaDeFactura(civilDay(now), now), conceptos, subTotal, iva, total, ...change,
  });
}

const failureOf = async (call: Promise<unknown>): Promise<unknown> => call.then((value) => Promise.reject(new Error(`answered ${JSON.stringify(value)}`)), (error: unknown) => error);
const lookUp = (ref: string, cfdi: NewCfdi) => reader.findByNumOrder(ref, { rfc: cfdi.receptor.rfc, fecha: cfdi.fecha });

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
    expect(xml.conceptos[0]).toMatchObject({ descripcion: 'Cámara "domo" - 2 MP & fuente <12 V>', noIdentificacion: 'AMS-1-syscom-DS-2CE' });
    if (xsdIsHere) expect(await xsdFaults(bytes.toString('utf8'))).toEqual([]);
    expect((await reader.downloadPdf(stamped.uid)).subarray(0, 4).toString()).toBe('%PDF');
    const row = { uid: stamped.uid, uuid: stamped.uuid, serie: 'F', folio: 1, rfc: EMPRESA.rfc, total: '599.56', numOrder: '2000009012345678', cancelada: false };
    expect(await lookUp('2000009012345678', cfdi)).toMatchObject({ ...row, repetidos: 0 });
    expect(await reader.findByUid(stamped.uid)).toMatchObject(row);
    expect(await reader.findByUuid(stamped.uuid)).toMatchObject(row);
    expect(await reader.findByUid('0000000000000')).toBeUndefined();
    expect(await sandbox.correo.inbox()).toEqual([]);
  });

  test('a big document is right whether the PAC multiplies by itself or not', async () => {
    for (const on of [false, true]) {
      await fetch(`${sandbox.url}/control/facturacom/ignora-importe`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ on }) });
      const base = await newCfdi();
      const { conceptos, subTotal, iva, total } = conceptosDe([{ nombre: 'Cable', codigoSat: '26121609', claveUnidad: 'MTR', cantidad: 5000, precioUnitario: '14.28', importe: '71400.00', tasaIva: '0.160000' }]);
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
    const past = (await failureOf(writer.createCfdi(await newCfdi({ fecha: '2020-01-01T10:00:00' }), 'orden-4'))) as Refused;
    expect(past.details.code).toBe('401');
    expect(await sandbox.facturacom.stamped()).toEqual([]);
  });

  test('fields and lists of sentences are refusals too', async () => {
    const cfdi = await newCfdi();
    expect(await failureOf(writer.createCfdi({ ...cfdi, serieId: 17318 }, 'o'))).toBeInstanceOf(Refused);
    await sandbox.facturacom.failNext('refuse', { message: ['El campo Serie es requerido.', 'El campo Moneda es requerido.'] });
    expect(await failureOf(writer.createCfdi(cfdi, 'o'))).toMatchObject({ name: 'Refused', message: 'El campo Serie es requerido. El campo Moneda es requerido.' });
    await sandbox.facturacom.failNext('refuse', { message: { rfc: ['El campo rfc es requerido'] } });
    expect(await failureOf(writer.createCfdi(cfdi, 'o'))).toMatchObject({ name: 'Refused', message: 'El campo rfc es requerido' });
    await sandbox.facturacom.failNext('refuse', { code: 'sellos' });
    expect(await failureOf(writer.createCfdi(cfdi, 'o'))).toMatchObject({ name: 'Refused', details: { account: true } });
  });
});

describe('every way an answer can go wrong', () => {
  const cases: [mode: string, fault: { ms?: number; code?: string }, error: new (...args: never[]) => Error, stamped: number][] = [
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
    expect(await failureOf(createFacturacomWriter({ ...credentials, baseUrl }, options).createCfdi(await newCfdi(), 'o'))).toBeInstanceOf(Unavailable);
  });

  test('a read that fails is Unavailable, and a look-up that fails is never \'absent\'', async () => {
    const cfdi = await newCfdi();
    for (const mode of ['429', '503', 'reset', '500-after-doing', 'half-answer', 'html']) {
      for (const route of ['/v4/cfdi/list', '/v1/invoices']) {
        await sandbox.facturacom.failNext(mode, { route });
        expect(await failureOf(lookUp('nada', cfdi)), `${mode} ${route}`).toBeInstanceOf(Unavailable);
      }
    }
    expect(await lookUp('nada', cfdi)).toBe('absent');
  });

  test('a PDF that is not ready is Unavailable', async () => {
    const { uid } = await writer.createCfdi(await newCfdi(), 'o');
    await sandbox.facturacom.failNext('pdf-no-listo', { route: '/pdf' });
    expect(await failureOf(reader.downloadPdf(uid))).toBeInstanceOf(Unavailable);
    await sandbox.facturacom.failNext('html', { route: '/xml' });
    expect(await failureOf(reader.downloadXml(uid))).toBeInstanceOf(Unavailable);
    expect((await reader.downloadPdf(uid)).length).toBeGreaterThan(1_000);
  });
});

describe('wrong keys', () => {
  test('are an account problem, and the echoed keys are in no message, stack or trace', async () => {
    const [apiKey, secret] = ['$2y$10$LlaveEquivocada/Uno.0000', '$2y$10$SecretoEquivocado/Dos.0000'].map((text) => Buffer.from(text).toString('base64')) as [string, string];
    const seen: string[] = [];
    const wrong = { ...credentials, apiKey, secret };
    const trace = { ...options, trace: (exchange: unknown) => void seen.push(JSON.stringify(exchange)) };
    for (const call of [() => createFacturacomReader(wrong, trace).account(), async () => createFacturacomWriter(wrong, trace).createCfdi(await newCfdi(), 'o')]) {
      const refused = (await failureOf(call())) as Refused;
      expect(refused).toBeInstanceOf(Refused);
      expect(refused.details.account).toBe(true);
      const everything = [refused.message, refused.stack, JSON.stringify(refused.details), ...seen].join('\n');
      for (const text of [apiKey, secret, 'LlaveEquivocada', 'SecretoEquivocado']) expect(everything).not.toContain(text);
    }
    expect(seen).toHaveLength(2);
    expect(seen[0]).toContain('[oculto]');
  });

  test('are also hidden as PHP writes them', () => {
    const key = Buffer.from('$2y$10$abc/def').toString('base64');
    const redact = redactorOf([key]);
    expect(redact(`{"Data":"$2y$10$abc\\/def","Secret":"x"} ${key} $2y$10$abc/def`)).toBe('{"Data":"[oculto]","Secret":"[oculto]"} [oculto] [oculto]');
  });
});

describe('clients, series, catalogues, account', () => {
  test('several legal names under one RFC are all listed; create and update keep every field', async () => {
    const before = (await reader.clientsByRfc(EMPRESA.rfc)).length;
    const { uid } = await writer.createClient(EMPRESA);
    await writer.createClient({ ...EMPRESA, razonSocial: 'OTRA RAZON' });
    const all = await reader.clientsByRfc(EMPRESA.rfc);
    expect(all).toHaveLength(before + 2);
    expect(all.find((one) => one.uid === uid)).toMatchObject({ rfc: EMPRESA.rfc, razonSocial: EMPRESA.razonSocial, cp: '68000', regimen: '601', usoCfdi: 'G03', emails: EMPRESA.emails, calle: 'Reforma', pais: 'MEX' });
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
    expect(await failureOf(writer.createClient({ ...EMPRESA, cp: '' }))).toMatchObject({ name: 'Refused', message: 'El campo codpos es requerido' });
  });

  test('series, catalogues and account', async () => {
    expect(await reader.series()).toContainEqual({ id: 17317, letra: 'F', tipo: 'factura', descripcion: 'Factura', activa: true });
    expect(await reader.catalogue('UsoCfdi')).toContainEqual({ key: 'G03', name: 'Gastos en general' });
    expect(await reader.catalogue('FormaPago')).toContainEqual({ key: '04', name: 'Tarjeta de crédito' });
    expect(await reader.account()).toMatchObject({ rfc: 'EKU9003173C9', cp: '42501' });
  });
});

test('cancelling, and what the SAT says of it afterwards', async () => {
  const { uid } = await writer.createCfdi(await newCfdi(), 'o');
  expect(await reader.cancelStatus(uid)).toMatchObject({ estado: 'Vigente', estatusCancelacion: '' });
  expect((await writer.cancelCfdi(uid, { motivo: '02' })).acuse).toContain('<Acuse');
  expect(await reader.cancelStatus(uid)).toMatchObject({ estado: 'Cancelado', estatusCancelacion: 'Cancelado sin aceptación' });
  expect((await reader.findByUid(uid))?.cancelada).toBe(true);
  expect(await failureOf(writer.cancelCfdi(uid, { motivo: '02' }))).toMatchObject({ name: 'Refused' });
});

test('the vendor\'s own letter goes to the addresses of the client', async () => {
  const { uid } = await writer.createCfdi(await newCfdi(), 'o');
  await writer.sendEmail(uid);
  await expect.poll(async () => (await sandbox.correo.inbox()).length).toBeGreaterThan(0);
});

describe('far sides the sandbox does not play', () => {
  const ok = JSON.stringify({ response: 'success', data: { uid: '5c06fa8b3bbe6', UUID: '6f35d3b5-3651-5370-bc2c-14cdbe384cd7' } });
  const stub = async (listener: RequestListener) => {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    return { reader: createFacturacomReader({ ...credentials, baseUrl }, options), writer: createFacturacomWriter({ ...credentials, baseUrl }, options) };
  };
  const answering = (status: number, body: string, headers: Record<string, string> = {}) => stub((_, answer) => answer.writeHead(status, headers).end(body));

  test('ids inside data are found; a success without a UUID is not believed', async () => {
    expect(await (await answering(201, ok)).writer.createCfdi(await newCfdi(), 'o')).toEqual({ kind: 'stamped', uid: '5c06fa8b3bbe6', uuid: '6F35D3B5-3651-5370-BC2C-14CDBE384CD7', serie: null, folio: null, fechaTimbrado: null });
    for (const body of [{ response: 'success', UUID: 'sin_uuid', uid: 'x' }, { ok: true }, {}, null, [], 'x', { response: 'success' }])
      expect(await failureOf((await answering(200, JSON.stringify(body))).writer.createCfdi(await newCfdi(), 'o')), JSON.stringify(body)).toBeInstanceOf(Uncertain);
  });

  test('an existing CFDI is recognised under any status, and a no that may hide a stamp is Uncertain', async () => {
    const uuid = '6F35D3B5-3651-5370-BC2C-14CDBE384CD7';
    for (const status of [200, 409]) expect(await (await answering(status, JSON.stringify({ response: 'error', message: 'Ya existe un CFDI con folio y serie [F-1]', uid: 'u', uuid, xml: '<x/>' }))).writer.createCfdi(await newCfdi(), 'o')).toEqual({ kind: 'exists', uid: 'u', uuid, xml: '<x/>' });
    for (const message of ['Ya existe un CFDI con folio y serie [F-1]', 'Error de comunicación con el PAC', 'cURL error 28: Operation timed out', 'Ocurrió un error, inténtelo más tarde', '307 - El CFDI contiene un timbre previo'])
      expect(await failureOf((await answering(200, JSON.stringify({ response: 'error', message }))).writer.createCfdi(await newCfdi(), 'o')), message).toBeInstanceOf(Uncertain);
    for (const status of [500, 502, 503, 504]) expect(await failureOf((await answering(status, JSON.stringify({ response: 'error', message: 'Error interno' }))).writer.createCfdi(await newCfdi(), 'o'))).toBeInstanceOf(Uncertain);
    expect(await failureOf((await answering(503, 'mantenimiento', { 'retry-after': '20' })).writer.createCfdi(await newCfdi(), 'o'))).toMatchObject({ name: 'Unavailable', details: { retryAfterMs: 20_000 } });
    const gateway = await answering(403, '<html>no</html>');
    expect(await failureOf(gateway.writer.createCfdi(await newCfdi(), 'o'))).toBeInstanceOf(Uncertain);
    expect(await failureOf(gateway.reader.account())).toMatchObject({ name: 'Refused', details: { account: true } });
  });

  test('every page of every month is read before saying absent, and a list of another shape is not \'absent\'', async () => {
    const asked: string[] = [];
    const { reader: paged } = await stub((request, answer) => {
      const url = new URL(request.url!, 'http://x');
      asked.push(`${url.pathname} ${url.searchParams.get('month') ?? ''} ${url.searchParams.get('page') ?? ''} ${url.searchParams.get('rfc') ?? ''}`.trim());
      const row = { UID: 'u1', UUID: '6F35D3B5-3651-5370-BC2C-14CDBE384CD7', Folio: 'F 160', Receptor: 'X', Total: 10000, NumOrder: 77, Status: 'enviada' };
      const data = url.searchParams.get('month') === '12' && url.searchParams.get('page') === '2' ? [{ ...row, NumOrder: '777' }, row, { ...row, UID: 'u2', Status: 'cancelada' }, { ...row, UID: 'd', UUID: 'sin_uuid' }] : [];
      answer.end(JSON.stringify({ status: 'success', response: 'success', last_page: 2, data }));
    });
    expect(await paged.findByNumOrder('77', { rfc: 'XIA190128J61', fecha: '2026-11-30T10:00:00' })).toMatchObject({ uid: 'u1', serie: 'F', folio: 160, total: '10000.00', repetidos: 0, cancelada: false });
    expect(asked).toEqual(['11 1', '11 2', '12 1', '12 2'].map((page) => `/v4/cfdi/list ${page} XIA190128J61`));
    expect(await paged.findByNumOrder('78', { rfc: 'ÑIA190128J61', fecha: '2026-11-10T10:00:00' })).toBe('absent');
    expect(asked.slice(4)).toEqual(['/v4/cfdi/list 11 1', '/v4/cfdi/list 11 2', '/v1/invoices/%C3%91IA190128J61']);
    for (const body of [{ status: 'success', data: [] }, { status: 'success', last_page: 1, data: [{ id: 1 }] }, { status: 'success', last_page: 1 }])
      expect(await failureOf((await answering(200, JSON.stringify(body))).reader.findByNumOrder('1', { rfc: 'XIA190128J61', fecha: '2026-11-10T10:00:00' }))).toBeInstanceOf(UnexpectedShape);
  });

  test.each<[status: number, body: unknown]>([
    [200, { status: 'error', message: 'Tu plan no cuenta con acceso a la consulta de CFDI por API' }],
    [200, { response: 'error', message: 'No hay conexión con el servicio, intenta más tarde' }],
    [200, { status: 'error', message: 'No se encontraron CFDI' }],
    [404, { status: 'error', message: 'Recurso no encontrado' }],
    [404, { message: 'The route v4/cfdi/list could not be found.' }],
    [404, { error: 'default backend - 404' }],
    [200, { last_page: 1, data: [] }],
    [200, ['No hay registros']],
  ])('a list that the PAC does not hand over is never an empty one: %i %j', async (status, body) => {
    const failure = await failureOf((await answering(status, JSON.stringify(body))).reader.findByNumOrder('1', { rfc: 'XIA190128J61', fecha: '2026-11-10T10:00:00' }));
    expect([Unavailable, UnexpectedShape].some((kind) => failure instanceof kind), String(failure)).toBe(true);
    // The old list is asked after the new one has said that it is empty.
    const { reader: half } = await stub((request, answer) => {
      const old = request.url!.includes('/v1/invoices');
      answer.writeHead(old ? status : 200).end(JSON.stringify(old ? body : { status: 'success', last_page: 1, data: [] }));
    });
    const looked = half.findByNumOrder('1', { rfc: 'XIA190128J61', fecha: '2026-11-10T10:00:00' }).catch((error: unknown) => error);
    expect(await looked).not.toBe('absent');
  });

  test('our order without a UUID may be getting its stamp: it is not absent', async () => {
    const row = { UID: 'u1', UUID: '', Folio: 'F 1', Receptor: 'X', Total: 1, NumOrder: '77', Status: 'borrador' };
    const { reader: drafts } = await answering(200, JSON.stringify({ status: 'success', last_page: 1, data: [row] }));
    const look = (ref: string) => drafts.findByNumOrder(ref, { rfc: 'XIA190128J61', fecha: '2026-11-10T10:00:00' });
    expect(await failureOf(look('77'))).toMatchObject({ name: 'Unavailable', message: 'factura.com tiene la orden 77 sin UUID' });
    expect(await look('78')).toBe('absent');
  });

  test('of a client or a single CFDI \'there is none\' is believed in the vendor\'s own words only', async () => {
    for (const [status, body] of [[200, { status: 'error', message: 'No se encontraron clientes con ese RFC' }], [404, { status: 'error', message: 'Sin datos' }]] as const) {
      const { reader: none } = await answering(status, JSON.stringify(body));
      expect([await none.clientsByRfc('XIA190128J61'), await none.clientByUid('u'), await none.findByUuid('u')]).toEqual([[], undefined, undefined]);
    }
    for (const [status, body] of [[404, { message: 'The route v1/clients could not be found.' }], [404, { error: 'default backend - 404' }], [200, { status: 'error', message: 'No existe conexión con el servicio' }]] as const)
      expect(await failureOf((await answering(status, JSON.stringify(body))).reader.clientByUid('u')), JSON.stringify(body)).toBeInstanceOf(Unavailable);
    expect(await failureOf((await answering(200, JSON.stringify({ status: 'error', message: 'Tu plan no cuenta con acceso' }))).reader.clientByUid('u'))).toBeInstanceOf(Refused);
  });

  const saying = (message?: unknown) => answering(200, JSON.stringify({ response: 'error', message }));

  test.each<[message: unknown]>([
    ['504 - Gateway Time-out'], ['Error 500: tiempo de espera agotado al comunicarse con el PAC'], [undefined], [''], ['Error interno del servidor'], ['500 - Error'],
    ['SQLSTATE[HY000]: General error: 2006 MySQL server has gone away'], ['Ocurrió un error inesperado'], ['401 - Sin respuesta del SAT'], ['403: Gateway'],
    ['CFDI40999 - Error no clasificado: tiempo de espera agotado'], ['El CFDI ya fue timbrado previamente'], ['El comprobante no pudo ser timbrado'], [['Error interno del servidor']],
    [{ message: 'Server Error', messageDetail: 'cURL error 28' }], [{ error: ['Error interno'] }], [{ codpos: ['Error: tiempo de espera agotado'] }], ['La respuesta del PAC no es válida'],
  ])('a no that names nothing of what was asked is Uncertain, of a stamp and of a cancellation: %j', async (message) => {
    const { writer: odd } = await saying(message);
    expect(await failureOf(odd.createCfdi(await newCfdi(), 'o'))).toBeInstanceOf(Uncertain);
    expect(await failureOf(odd.cancelCfdi('u', { motivo: '02' }))).toBeInstanceOf(Uncertain);
  });

  test.each<[message: unknown, code?: string]>([
    ['CFDI40145 - El nombre no corresponde, intente de nuevo', 'CFDI40145'], [{ message: 'CFDI40999 - Error no clasificado', messageDetail: '/x' }, 'CFDI40999'],
    ['401 - Fecha y hora de generación fuera de rango', '401'], ['Error 402: RFC del emisor no se encuentra en el régimen', '402'], ['301 - XML mal formado', '301'],
    [{ codpos: ['El código postal no existe'] }], [['El campo Serie es requerido.', 'El campo Moneda es requerido.']], ['La solicitud no es válida'],
    ['El cliente no existe, verifique el UID del receptor'], ['La serie F no está activa'], ['La serie F no corresponde al tipo de documento nota_credito'], ['No hay timbres disponibles'],
  ])('a no that names it is clear: %j', async (message, code) => {
    const refused = await failureOf((await saying(message)).writer.createCfdi(await newCfdi(), 'o'));
    expect(refused).toBeInstanceOf(Refused);
    expect((refused as Refused).details.code).toBe(code);
  });

  test.each([
    '202 - El CFDI ya se encuentra cancelado', '205 - El CFDI no existe', 'El CFDI no es cancelable, tiene documentos relacionados vigentes: X', 'El SAT rechazó la solicitud de cancelación',
    'El CFDI no existe o no tiene permiso para acceder a él', 'El folio sustituto X no es un CFDI vigente con relación 04 a este',
  ])('a clear no to a cancellation: %s', async (message) => {
    expect(await failureOf((await saying(message)).writer.cancelCfdi('u', { motivo: '02' }))).toBeInstanceOf(Refused);
  });

  test('a validation of the framework is a clear no with its fields; a client is told any no', async () => {
    const body = JSON.stringify({ message: 'The given data was invalid.', errors: { Serie: ['El campo Serie es requerido.'] } });
    expect(await failureOf((await answering(422, body)).writer.createCfdi(await newCfdi(), 'o'))).toMatchObject({ name: 'Refused', details: { detail: 'El campo Serie es requerido.' } });
    expect(await failureOf((await saying('El correo está en la lista negra')).writer.createClient(EMPRESA))).toBeInstanceOf(Refused);
    expect(await failureOf((await saying('Tiempo de espera agotado')).writer.createClient(EMPRESA))).toBeInstanceOf(Uncertain);
  });

  test('files in base64, JSON errors and clients in a list are understood', async () => {
    const xml = '<?xml version="1.0"?><a/>';
    expect((await (await answering(200, JSON.stringify({ data: Buffer.from(xml).toString('base64') }))).reader.downloadXml('u')).toString()).toBe(xml);
    expect(await failureOf((await answering(200, '{"response":"error","message":"no"}')).reader.downloadPdf('u'))).toBeInstanceOf(Unavailable);
    const { reader: odd } = await answering(200, JSON.stringify({ status: 'success', UID: 'u9', Data: [{ RazonSocial: 'X', RFC: 'XIA190128J61', CodigoPosal: '06600', RegimenId: 601, Contacto: null }] }));
    expect(await odd.clientByUid('u9')).toMatchObject({ uid: 'u9', cp: '06600', regimen: '601', emails: [] });
  });
});

describe('pure parts', () => {
  test('the request in factura.com\'s words', async () => {
    const cfdi = await newCfdi({ informacionGlobal: { periodicidad: '04', meses: '11', anio: '2026' }, relacionados: { tipoRelacion: '04', uuids: ['6F35D3B5-3651-5370-BC2C-14CDBE384CD7'] }, lugarExpedicion: '42501' });
    const wire = toWire(cfdi, 'ref-1');
    expect(wire).toMatchObject({
      Receptor: { UID: cfdi.receptor.uid }, TipoDocumento: 'factura', Serie: 17317, MetodoPago: 'PUE', Moneda: 'MXN', NumOrder: 'ref-1', FechaFromAPI: cfdi.fecha, EnviarCorreo: false,
      InformacionGlobal: { Periodicidad: '04', Meses: '11', Año: '2026' }, CfdiRelacionados: { TipoRelacion: '04' }, LugarExpedicion: '42501',
    });
    expect((wire.Conceptos as unknown[])[0]).toEqual({
      ClaveProdServ: '01010101', NoIdentificacion: 'AMS-1-syscom-DS-2CE', Cantidad: '3', ClaveUnidad: 'H87', Unidad: 'Pieza', ValorUnitario: '86.198276', Importe: '258.594828',
      Descripcion: 'Cámara "domo" - 2 MP & fuente <12 V>', ObjetoImp: '02',
      Impuestos: { Traslados: [{ Base: '258.594828', Impuesto: '002', TipoFactor: 'Tasa', TasaOCuota: '0.160000', Importe: '41.375172' }], Retenidos: [], Locales: [] },
    });
  });

  test('messages are read whatever their shape, without tags and with their accents back', () => {
    expect(messageOf({ message: 'CFDI40145 - <strong>La razÃ³n</strong> social', messageDetail: '/a/b', data: null })).toEqual({ message: 'CFDI40145 - La razón social', detail: '/a/b' });
    expect(messageOf('<style>a{}</style><p>Factura invÃ¡lida</p><script>x()</script>').message).toBe('Factura inválida');
    expect(messageOf({ rfc: ['uno'], cp: ['dos', 'tres'] }).message).toBe('uno dos tres');
    expect(messageOf('x'.repeat(900)).message).toHaveLength(300);
    expect(messageOf('PEÑA Â© €').message).toBe('PEÑA Â© €'.replace('Â©', '©'));
    expect(readEnvelope(200, '["uno","dos"]')).toMatchObject({ kind: 'error', message: 'uno dos' });
    expect(readEnvelope(200, '{"response":"Error","message":""}')).toMatchObject({ kind: 'error', keys: false });
    expect(readEnvelope(200, '<html>')).toEqual({ kind: 'unreadable' });
  });

  test('folios as lists write them', () => {
    expect(['F 160', 'F-160', 'F160', 'A1 7', '12', 'X'].map(folioOf)).toEqual([
      { serie: 'F', folio: 160 }, { serie: 'F', folio: 160 }, { serie: 'F', folio: 160 }, { serie: 'A1', folio: 7 }, { serie: '', folio: 12 }, { serie: 'X', folio: null },
    ]);
  });
});
