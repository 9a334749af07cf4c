import { createPublicKey, verify, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { civilDay } from '~/core/time';
import { cadenaOf, child, parseXml } from '../support/cadenaOriginal';
import { printed } from '../sandbox/facturacom/pdf';
import { startTestSandbox } from '../support/sandbox';

const sandbox = await startTestSandbox({ facturacom: { print: printed } });
const keys = await sandbox.facturacom.keys();
const headers = { 'F-PLUGIN': keys.plugin, 'F-Api-Key': keys.apiKey, 'F-Secret-Key': keys.secretKey };

type Json = Record<string, unknown>;
type Answer = Json & { response?: string; message?: unknown; UUID?: string; uid?: string };

async function pac(method: 'GET' | 'POST', path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(`${sandbox.url}/facturacom/api${path}`, {
    method,
    signal,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}
const pacJson = async (method: 'GET' | 'POST', path: string, body?: unknown) =>
  (await (await pac(method, path, body)).json()) as Answer;
const create = (body: unknown) => pacJson('POST', '/v4/cfdi40/create', body);

const PERSONA = {
  rfc: 'RAOF850412K20',
  razons: 'MARIA FERNANDA RAMIREZ OCHOA',
  codpos: '06600',
  regimen: '612',
  usocfdi: 'G03',
  email: 'persona@correo.test',
};
const EMPRESA = {
  rfc: 'CVS140305H19',
  razons: 'CONSTRUCTORA VALLE DEL SUR',
  codpos: '68000',
  regimen: '601',
  usocfdi: 'G03',
  email: 'empresa@correo.test',
};
const PUBLICO = {
  rfc: 'XAXX010101000',
  razons: 'PUBLICO EN GENERAL',
  codpos: '42501',
  regimen: '616',
  usocfdi: 'S01',
  email: 'publico@correo.test',
};
const INFORMACION_GLOBAL = { Periodicidad: '04', Meses: '11', Año: civilDay(new Date()).slice(0, 4) };

async function newCliente(data: Json): Promise<string> {
  const answer = await pacJson('POST', '/v1/clients/create', data);
  return (answer.Data as { UID: string }).UID;
}

let lastOrder = 0;
function concepto(changes: Json = {}, traslado: Json = {}): Json {
  return {
    ClaveProdServ: '46171610',
    NoIdentificacion: 'AMS-1',
    Cantidad: '3',
    ClaveUnidad: 'H87',
    Unidad: 'Pieza',
    ValorUnitario: '86.198276',
    Descripcion: 'Cámara "domo" 2 MP & fuente <12 V>',
    ObjetoImp: '02',
    Impuestos: {
      Traslados: [
        {
          Base: '258.594828',
          Impuesto: '002',
          TipoFactor: 'Tasa',
          TasaOCuota: '0.16',
          Importe: '41.375172',
          ...traslado,
        },
      ],
    },
    ...changes,
  };
}
function cfdi(uid: string, changes: Json = {}): Json {
  return {
    Receptor: { UID: uid },
    TipoDocumento: 'factura',
    UsoCFDI: 'G03',
    Serie: 17317,
    FormaPago: '31',
    MetodoPago: 'PUE',
    Moneda: 'MXN',
    NumOrder: `prueba-${++lastOrder}`,
    EnviarCorreo: false,
    Conceptos: [concepto()],
    ...changes,
  };
}
const global = (uid: string, info: Json = {}, changes: Json = {}) =>
  cfdi(uid, {
    UsoCFDI: 'S01',
    InformacionGlobal: { ...INFORMACION_GLOBAL, ...info },
    Conceptos: [concepto({ ClaveProdServ: '01010101', ClaveUnidad: 'ACT', Unidad: undefined, Descripcion: 'Venta' })],
    ...changes,
  });

/** As a stamper would say it: local time of Mexico City some hours from now. */
function localTime(hours: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Mexico_City', dateStyle: 'short', timeStyle: 'medium' })
    .format(Date.now() + hours * 3_600_000)
    .replace(' ', 'T');
}

beforeEach(async () => {
  await sandbox.reset();
});

describe('a stamped CFDI', () => {
  test('its seal verifies with its certificate over the cadena original rebuilt from the XML', async () => {
    const first = await create(cfdi(await newCliente(EMPRESA)));
    expect(first).toMatchObject({
      response: 'success',
      INV: { Serie: 'F', Folio: 1 },
      SAT: { Version: '1.1', UUID: first.UUID },
    });
    const note = await create(
      cfdi(await newCliente(EMPRESA), {
        TipoDocumento: 'nota_credito',
        Serie: 17318,
        UsoCFDI: 'G02',
        CondicionesDePago: 'Contado  y  rabioso',
        CfdiRelacionados: { TipoRelacion: '01', UUID: [first.UUID] },
      }),
    );
    const globalAnswer = await create(global(await newCliente(PUBLICO)));
    const mixed = await create(
      cfdi(await newCliente(PERSONA), {
        Conceptos: [
          concepto({ Descuento: '58.594828' }, { Base: '200.000000', Importe: '32.000000' }),
          concepto({}, { TasaOCuota: '0.080000', Importe: '20.687586' }),
          concepto({ ObjetoImp: '01', Impuestos: undefined }),
          concepto({
            Impuestos: {
              Traslados: [{ Base: '258.594828', Impuesto: '002', TipoFactor: 'Exento' }],
              Retenidos: [
                { Base: '258.594828', Impuesto: '001', TipoFactor: 'Tasa', TasaOCuota: '0.0125', Importe: '3.232435' },
              ],
            },
          }),
        ],
      }),
    );
    for (const { UUID } of [first, note, globalAnswer, mixed]) {
      const root = parseXml(await sandbox.facturacom.xml(String(UUID)));
      const certificate = new X509Certificate(Buffer.from(root.getAttribute('Certificado') ?? '', 'base64'));
      expect(Buffer.from(certificate.serialNumber, 'hex').toString('ascii')).toBe(root.getAttribute('NoCertificado'));
      expect(certificate.subject).toContain('SANDBOX');
      expect(
        verify(
          'sha256',
          Buffer.from(cadenaOf(root), 'utf8'),
          certificate.publicKey,
          Buffer.from(root.getAttribute('Sello') ?? '', 'base64'),
        ),
      ).toBe(true);
    }
  });

  test('the stamp is signed by the PAC, and the sums are those of the vectors', async () => {
    const { UUID } = await create(cfdi(await newCliente(EMPRESA)));
    const root = parseXml(await sandbox.facturacom.xml(String(UUID)));
    expect(['SubTotal', 'Total', 'Serie', 'Folio'].map((name) => root.getAttribute(name))).toEqual([
      '258.59',
      '299.97',
      'F',
      '1',
    ]);
    const stamp = child(root, 'Complemento', 'TimbreFiscalDigital');
    const value = (name: string) => stamp.getAttribute(name) ?? '';
    const cadena = `||${['Version', 'UUID', 'FechaTimbrado', 'RfcProvCertif', 'Leyenda', 'SelloCFD', 'NoCertificadoSAT'].map(value).join('|')}||`;
    const { pac: certificate } = (await (await fetch(`${sandbox.url}/control/facturacom/certificados`)).json()) as {
      pac: string;
    };
    expect(
      verify(
        'sha256',
        Buffer.from(cadena, 'utf8'),
        createPublicKey(certificate),
        Buffer.from(value('SelloSAT'), 'base64'),
      ),
    ).toBe(true);
    expect(value('UUID')).toBe(UUID);
  });

  const schemas = resolve('..', 'shared', 'reference', 'data', 'xsd', 'cfd');
  test.skipIf(!existsSync(schemas))("passes the SAT's schema", async () => {
    const { XmlDocument, XsdValidator } = await import('libxml2-wasm');
    const { xmlRegisterFsInputProviders } = await import('libxml2-wasm/lib/nodejs.mjs');
    xmlRegisterFsInputProviders();
    const file = join(schemas, 'cfdi40-con-timbre.xsd');
    const validator = XsdValidator.fromDoc(XmlDocument.fromBuffer(readFileSync(file), { url: file }));
    const empresa = await newCliente(EMPRESA);
    const first = await create(cfdi(empresa));
    const answers = [
      first,
      await create(global(await newCliente(PUBLICO))),
      await create(
        cfdi(empresa, {
          TipoDocumento: 'nota_credito',
          Serie: 17318,
          UsoCFDI: 'G02',
          CfdiRelacionados: [{ TipoRelacion: '01', UUID: [first.UUID] }],
        }),
      ),
      await create(
        cfdi(empresa, {
          Conceptos: Array.from({ length: 30 }, () =>
            concepto({ Descuento: '58.594828' }, { Base: '200.000000', Importe: '32.000000' }),
          ),
        }),
      ),
    ];
    for (const { UUID } of answers)
      validator.validate(XmlDocument.fromString(await sandbox.facturacom.xml(String(UUID))));
    expect(() =>
      validator.validate(XmlDocument.fromString('<cfdi:Comprobante xmlns:cfdi="http://www.sat.gob.mx/cfd/4"/>')),
    ).toThrow();
  });

  test('downloads as PDF and XML, and its errors arrive as JSON with 200', async () => {
    const { uid } = await create(cfdi(await newCliente(EMPRESA), { Comentarios: 'Pedido de prueba' }));
    const pdf = Buffer.from(await (await pac('GET', `/v4/cfdi40/${uid}/pdf`)).arrayBuffer());
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(await (await pac('GET', `/v4/cfdi40/${uid}/xml`)).text()).toMatch(/^<\?xml/);
    const missing = await pac('GET', '/v4/cfdi40/0000000000000/pdf');
    expect([missing.status, ((await missing.json()) as Answer).response]).toEqual([200, 'error']);
  });

  test('is found by list, uid, uuid, folio and RFC', async () => {
    const uid = await newCliente(EMPRESA);
    const { UUID, uid: cfdiUid } = await create(cfdi(uid, { NumOrder: 'orden-9' }));
    const [year, month] = localTime(0).split('-');
    const list = await pacJson('POST', '/v4/cfdi/list', { month, year, rfc: EMPRESA.rfc, page: 1, per_page: 5 });
    expect(list).toMatchObject({
      total: 1,
      last_page: 1,
      data: [{ NumOrder: 'orden-9', UUID, Receptor: EMPRESA.rfc, Status: 'enviada', Folio: 'F 1' }],
    });
    // Not a word of success, and none of the fields that only the older page has.
    expect(Object.keys(list)).toEqual(['total', 'per_page', 'current_page', 'last_page', 'from', 'to', 'data']);
    expect(Object.keys((list.data as Json[])[0]!)).not.toContain('Descuento');
    expect(await pacJson('POST', '/v4/cfdi/list', { month: '01', year: '2019' })).toMatchObject({ total: 0, data: [] });
    expect((await pac('GET', `/v4/cfdi/list?month=${month}&year=${year}`)).status).toBe(405);
    expect(await pacJson('GET', `/v4/cfdi/uid/${cfdiUid}`)).toMatchObject({ data: { UUID } });
    expect(await pacJson('GET', `/v4/cfdi/uuid/${UUID}`)).toMatchObject({ data: { UID: cfdiUid } });
    expect(await pacJson('GET', '/v4/cfdi/folio/F1')).toMatchObject({ data: { UUID } });
    expect(await pacJson('GET', '/v4/cfdi/folio/F99')).toEqual({
      status: 'error',
      message: 'No se encontró CFDI: F99',
    });
    expect(await pacJson('GET', `/v1/invoices/${EMPRESA.rfc}`)).toEqual({
      status: 'success',
      data: [{ NumOrder: 'orden-9', Status: 'enviada', UID: cfdiUid, Receptor: EMPRESA.rfc }],
    });
    expect(await pacJson('GET', '/v1/invoices/XIA190128J61')).toMatchObject({ status: 'error' });
  });

  test('an older account lists by GET, with its words and its fields, and tells one CFDI at the root', async () => {
    const { UUID } = await create(cfdi(await newCliente(EMPRESA), { NumOrder: 'orden-9' }));
    await sandbox.facturacom.forma({ edad: 'anterior' });
    const [year, month] = localTime(0).split('-');
    expect(await pacJson('GET', `/v4/cfdi/list?month=${month}&year=${year}`)).toMatchObject({
      status: 'success',
      response: 'success',
      data: [{ UUID, Descuento: '0.000000', TipoDocumento: 'factura' }],
    });
    expect((await pac('POST', '/v4/cfdi/list')).status).toBe(405);
    expect(await pacJson('GET', '/v4/cfdi/folio/F1')).toMatchObject({ UUID });
  });
});

describe('what a PAC refuses', () => {
  const cases: [code: string, what: string, request: (uid: string) => Json, cliente?: Json][] = [
    ['301', 'a pipe in a text', (uid) => cfdi(uid, { Conceptos: [concepto({ NoIdentificacion: 'AMS|1' })] })],
    ['401', 'a date more than 72 hours old', (uid) => cfdi(uid, { FechaFromAPI: localTime(-73) })],
    ['401', 'a date in the future', (uid) => cfdi(uid, { FechaFromAPI: localTime(1) })],
    ['CFDI40104', 'an unknown payment form', (uid) => cfdi(uid, { FormaPago: '77' })],
    ['CFDI40105', 'PPD without 99', (uid) => cfdi(uid, { MetodoPago: 'PPD' })],
    ['CFDI40124', 'an unknown payment method', (uid) => cfdi(uid, { MetodoPago: 'XXX' })],
    ['CFDI40126', 'a place of issue that is no postal code', (uid) => cfdi(uid, { LugarExpedicion: '1' })],
    ['CFDI40130', 'the general public without InformacionGlobal', (uid) => cfdi(uid, { UsoCFDI: 'S01' }), PUBLICO],
    [
      'CFDI40130',
      'InformacionGlobal with the name of a buyer',
      (uid) => global(uid),
      { ...PUBLICO, razons: 'JUANA PEREZ' },
    ],
    ['CFDI40131', 'an unknown period', (uid) => global(uid, { Periodicidad: '09' }), PUBLICO],
    [
      'CFDI40132',
      'a bimonthly period outside regime 621',
      (uid) => global(uid, { Periodicidad: '05', Meses: '13' }),
      PUBLICO,
    ],
    ['CFDI40133', 'unknown months', (uid) => global(uid, { Meses: '44' }), PUBLICO],
    ['CFDI40134', 'two months in a monthly period', (uid) => global(uid, { Meses: '13' }), PUBLICO],
    ['CFDI40136', 'a year long gone', (uid) => global(uid, { Año: '2019' }), PUBLICO],
    ['CFDI40137', 'an unknown relation', (uid) => cfdi(uid, { CfdiRelacionados: { TipoRelacion: '88', UUID: ['a'] } })],
    ['CFDI40143', 'an RFC the SAT does not know', (uid) => cfdi(uid), { ...PERSONA, rfc: 'ZEPJ900101AB1' }],
    [
      'CFDI40145',
      'a name with its company type',
      (uid) => cfdi(uid),
      { ...EMPRESA, razons: 'CONSTRUCTORA VALLE DEL SUR SA DE CV' },
    ],
    ['CFDI40146', 'InformacionGlobal for an RFC of its own', (uid) => global(uid, {}, { UsoCFDI: 'G03' })],
    ['CFDI40147', 'a postal code that does not exist', (uid) => cfdi(uid), { ...EMPRESA, codpos: '00000' }],
    ['CFDI40148', 'the postal code of another place', (uid) => cfdi(uid), { ...EMPRESA, codpos: '68010' }],
    [
      'CFDI40149',
      'a generic RFC with a postal code of its own',
      (uid) => cfdi(uid, { UsoCFDI: 'S01' }),
      { ...PUBLICO, razons: 'JUANA PEREZ', codpos: '06600' },
    ],
    ['CFDI40157', 'an unknown regime', (uid) => cfdi(uid, { Receptor: { UID: uid, RegimenFiscalR: '999' } })],
    [
      'CFDI40158',
      'the regime of a person in a company',
      (uid) => cfdi(uid, { Receptor: { UID: uid, RegimenFiscalR: '612' } }),
    ],
    [
      'CFDI40159',
      'a regime the RFC is not registered in',
      (uid) => cfdi(uid, { Receptor: { UID: uid, RegimenFiscalR: '603' } }),
    ],
    ['CFDI40160', 'an unknown use', (uid) => cfdi(uid, { UsoCFDI: 'P01' })],
    ['CFDI40161', 'a use the regime does not allow', (uid) => cfdi(uid, { UsoCFDI: 'D01' })],
    [
      'CFDI40162',
      'a product key that is none',
      (uid) => cfdi(uid, { Conceptos: [concepto({ ClaveProdServ: '123' })] }),
    ],
    ['CFDI40165', 'a unit key that is none', (uid) => cfdi(uid, { Conceptos: [concepto({ ClaveUnidad: 'ZZZZ' })] })],
    ['CFDI40166', 'a free line', (uid) => cfdi(uid, { Conceptos: [concepto({ ValorUnitario: '0' })] })],
    [
      'CFDI40167',
      'an amount outside its limits',
      (uid) => cfdi(uid, { Conceptos: [concepto({ Cantidad: '3.000000', Importe: '258.594900' })] }),
    ],
    [
      'CFDI40168',
      'a discount finer than its amount',
      (uid) => cfdi(uid, { Conceptos: [concepto({ Importe: '258.5948', Descuento: '1.000001' })] }),
    ],
    [
      'CFDI40169',
      'a discount above its amount',
      (uid) => cfdi(uid, { Conceptos: [concepto({ Descuento: '300.00' })] }),
    ],
    ['CFDI40170', 'an unknown tax object', (uid) => cfdi(uid, { Conceptos: [concepto({ ObjetoImp: '09' })] })],
    ['CFDI40171', 'taxable without taxes', (uid) => cfdi(uid, { Conceptos: [concepto({ Impuestos: undefined })] })],
    [
      'CFDI40172',
      'taxes where the object admits none',
      (uid) => cfdi(uid, { Conceptos: [concepto({ ObjetoImp: '06' })] }),
    ],
    [
      'CFDI40173',
      'an empty list of taxes',
      (uid) => cfdi(uid, { Conceptos: [concepto({ Impuestos: { Traslados: [] } })] }),
    ],
    ['CFDI40174', 'a tax base of zero', (uid) => cfdi(uid, { Conceptos: [concepto({}, { Base: '0' })] })],
    ['CFDI40175', 'an unknown tax', (uid) => cfdi(uid, { Conceptos: [concepto({}, { Impuesto: '009' })] })],
    ['CFDI40176', 'an unknown factor', (uid) => cfdi(uid, { Conceptos: [concepto({}, { TipoFactor: 'tasa' })] })],
    ['CFDI40177', 'exempt with a rate', (uid) => cfdi(uid, { Conceptos: [concepto({}, { TipoFactor: 'Exento' })] })],
    [
      'CFDI40178',
      'a rate that is missing',
      (uid) => cfdi(uid, { Conceptos: [concepto({}, { TasaOCuota: undefined })] }),
    ],
    [
      'CFDI40179',
      'a rate that is none',
      (uid) => cfdi(uid, { Conceptos: [concepto({}, { TasaOCuota: '0.15', Importe: '38.789224' })] }),
    ],
    [
      'CFDI40180',
      'a tax amount outside its limits',
      (uid) => cfdi(uid, { Conceptos: [concepto({}, { Importe: '41.375200' })] }),
    ],
    [
      'CFDI40999',
      'a relation to nothing',
      (uid) => cfdi(uid, { CfdiRelacionados: { TipoRelacion: '04', UUID: ['00000000-0000-4000-8000-000000000000'] } }),
    ],
  ];
  test.each(cases)('%s: %s', async (code, _what, request, cliente = EMPRESA) => {
    const answer = await create(request(await newCliente(cliente)));
    expect(answer).toMatchObject({ response: 'error', message: { status: 'error', data: null } });
    expect((answer.message as { message: string }).message).toMatch(new RegExp(`^${code} - `));
    expect(answer.xmlerror).toContain('<cfdi:Comprobante');
    expect(await sandbox.facturacom.stamped()).toHaveLength(0);
  });

  test('what is missing is named, field by field', async () => {
    const uid = await newCliente(EMPRESA);
    expect(await create({})).toMatchObject({
      response: 'error',
      message: { Conceptos: [expect.stringContaining('requerido')], TipoDocumento: [expect.any(String)] },
    });
    expect(await create(cfdi(uid, { Conceptos: [concepto({ ValorUnitario: '1.1234567' })] }))).toEqual([
      expect.stringContaining('ValorUnitario'),
    ]);
    expect(await create(cfdi('ffffffffffff0'))).toMatchObject({
      response: 'error',
      message: expect.stringContaining('cliente'),
    });
    expect(await create(cfdi(uid, { Serie: 17318 }))).toMatchObject({
      response: 'error',
      message: expect.stringContaining('serie'),
    });
  });

  test('wrong keys are answered with the keys repeated', async () => {
    const response = await fetch(`${sandbox.url}/facturacom/api/v1/current/account`, {
      headers: { ...headers, 'F-Secret-Key': Buffer.from('no es').toString('base64') },
    });
    expect(await response.json()).toMatchObject({
      status: 'error',
      message: 'La cuenta que intenta autenticarse no existe',
      Secret: 'no es',
    });
  });

  test('any well-formed RFC passes once told so, and a taxpayer can be added', async () => {
    const uid = await newCliente({ ...PERSONA, rfc: 'ZEPJ900101AB1', razons: 'JULIA ZEPEDA' });
    await sandbox.facturacom.aceptaTodo(true);
    expect(await create(cfdi(uid))).toMatchObject({ response: 'success' });
    await sandbox.facturacom.aceptaTodo(false);
    await sandbox.facturacom.addContribuyente({
      rfc: 'ZEPJ900101AB1',
      nombre: 'JULIA ZEPEDA',
      cp: '06600',
      regimenes: ['612'],
    });
    expect(await create(cfdi(uid))).toMatchObject({ response: 'success' });
  });
});

describe('an order number', () => {
  test('posted twenty times at once stamps one CFDI, and the others get it back', async () => {
    const body = cfdi(await newCliente(EMPRESA));
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(body)));
    const won = answers.filter(({ response }) => response === 'success');
    expect(won).toHaveLength(1);
    const lost = answers.filter(({ response }) => response === 'error');
    expect(lost).toHaveLength(19);
    for (const answer of lost)
      expect(answer).toMatchObject({
        message: 'Ya existe un CFDI con folio y serie [F-1]',
        uid: won[0]?.uid,
        uuid: won[0]?.UUID,
        xml: expect.stringContaining('<tfd:TimbreFiscalDigital'),
      });
    expect(await sandbox.facturacom.stamped()).toHaveLength(1);
  });
});

describe('faults', () => {
  const done = [
    'hang-after-doing',
    'reset-after-doing',
    '500-after-doing',
    'half-answer',
    'html',
    'slow',
    'sin-uuid',
    'mojibake',
  ];
  const undone = ['refuse', '429', '503', 'reset', 'hang'];
  test.each([...done, ...undone])('%s', async (mode) => {
    const body = cfdi(await newCliente(EMPRESA));
    await sandbox.facturacom.failNext(mode, { ms: 150 });
    const outcome = await pac('POST', '/v4/cfdi40/create', body).then(
      async (response) => `${response.status} ${await response.text().catch(() => 'cut')}`,
      () => 'no answer',
    );
    const expected: Record<string, RegExp> = {
      refuse: /^200 \{"response":"error"/,
      '429': /^429 /,
      '503': /^503 /,
      '500-after-doing': /^500 /,
      html: /^200 <!DOCTYPE html>/,
      'half-answer': /^200 cut$/,
      slow: /^200 \{"response":"success"/,
      'sin-uuid': /^200 \{"response":"success","message":"[^"]*"\}$/,
      mojibake: /^200 \{"response":"success"/,
    };
    expect(outcome).toMatch(expected[mode] ?? /^no answer$/);
    expect(await sandbox.facturacom.stamped()).toHaveLength(done.includes(mode) ? 1 : 0);
    expect((await sandbox.requests('facturacom')).at(-1)).toMatchObject({ method: 'POST', fault: mode });
    const again = await create(body);
    expect(again.response).toBe(done.includes(mode) ? 'error' : 'success');
    expect(await sandbox.facturacom.stamped()).toHaveLength(1);
  });

  test('hit the create unless a route says otherwise, as many times as told', async () => {
    await sandbox.facturacom.failNext('503', { times: 2, route: 'GET /v4/series' });
    const statuses = async () => (await pac('GET', '/v4/series')).status;
    expect(await create(cfdi(await newCliente(EMPRESA)))).toMatchObject({ response: 'success' });
    expect([await statuses(), await statuses(), await statuses()]).toEqual([503, 503, 200]);
    await sandbox.facturacom.failNext('pdf-no-listo');
    expect((await sandbox.faults()).faults).toMatchObject([
      { api: 'facturacom', mode: 'pdf-no-listo', route: '/pdf', times: 1 },
    ]);
    await sandbox.clear();
    expect((await sandbox.faults()).faults).toEqual([]);
  });

  test("a refusal speaks the API's words", async () => {
    const body = cfdi(await newCliente(EMPRESA));
    await sandbox.facturacom.failNext('refuse', { code: 'CFDI40145', message: 'El nombre no es ese' });
    expect(await create(body)).toMatchObject({ message: { message: 'CFDI40145 - El nombre no es ese' } });
    await sandbox.facturacom.failNext('refuse', { message: ['Primera razón', 'Segunda razón'] });
    expect(await create(body)).toEqual(['Primera razón', 'Segunda razón']);
    await sandbox.facturacom.failNext('refuse', { code: 'llaves' });
    expect(await create(body)).toMatchObject({ status: 'error', Data: expect.stringContaining('$2y$10$') });
  });

  test('latency delays every answer of an API', async () => {
    await sandbox.latency('facturacom', 120);
    const begun = performance.now();
    await pac('GET', '/v1/current/account');
    expect(performance.now() - begun).toBeGreaterThan(110);
  });
});

describe('clients and catalogues', () => {
  test('an RFC may have several legal names; update keeps what was not sent', async () => {
    const uid = await newCliente({ ...EMPRESA, calle: 'Reforma' });
    await newCliente({ ...EMPRESA, razons: 'OTRO NOMBRE' });
    expect(
      ((await pacJson('GET', `/v1/clients/rfc/${EMPRESA.rfc}`)).Data as Json[]).map(({ RazonSocial }) => RazonSocial),
    ).toContain('OTRO NOMBRE');
    expect(await pacJson('POST', `/v1/clients/${uid}/update`, { codpos: '68010' })).toMatchObject({
      Data: { CodigoPostal: '68010', Calle: 'Reforma', RFC: EMPRESA.rfc },
    });
    expect(await pacJson('GET', `/v1/clients/${uid}`)).toMatchObject({
      status: 'success',
      Data: { UID: uid, Regimen: 'General de Ley Personas Morales', RegimenId: '601' },
    });
    expect(await pacJson('GET', '/v1/clients/P%26M1207027V4')).toMatchObject({ Data: { RFC: 'P&M1207027V4' } });
    expect(await pacJson('POST', `/v1/clients/destroy/${uid}`)).toMatchObject({ response: 'success' });
    expect(await pacJson('GET', `/v1/clients/${uid}`)).toEqual({ status: 'error', message: 'El cliente no existe' });
    expect(await pacJson('POST', '/v1/clients/create', { rfc: 'X' })).toMatchObject({
      status: 'error',
      message: { rfc: [expect.any(String)], email: ['El campo email es requerido'] },
    });
  });

  test('series, catalogues, account and LCO answer', async () => {
    expect(await pacJson('GET', '/v4/series')).toMatchObject({
      data: [
        { SerieID: 17317, SerieName: 'F', SerieType: 'factura', SerieStatus: 'Activa' },
        { SerieType: 'nota_credito' },
      ],
    });
    for (const name of [
      'Aduana',
      'ClaveProductServ',
      'ClaveUnidad',
      'FormaPago',
      'Impuesto',
      'MetodoPago',
      'Moneda',
      'Pais',
      'RegimenFiscal',
      'Relacion',
      'UsoCfdi',
    ]) {
      expect(await pacJson('GET', `/v3/catalogo/${name}`)).toMatchObject({
        response: 'success',
        data: expect.arrayContaining(
          [{ key: expect.any(String), name: expect.any(String) }].map((row) => expect.objectContaining(row)),
        ),
      });
    }
    expect(await pacJson('GET', '/v1/current/account')).toMatchObject({
      data: { rfc: 'EKU9003173C9', codpos: '42501' },
    });
    expect(await pacJson('GET', `/v1/clients/lco/${EMPRESA.rfc}`)).toMatchObject([{ status: 'success' }]);
  });
});

describe('cancelling', () => {
  test('at once, once, with a receipt', async () => {
    const { uid } = await create(cfdi(await newCliente(EMPRESA)));
    expect(await pacJson('GET', `/v4/cfdi40/${uid}/cancel_status`)).toMatchObject({
      data: { Estado: 'Vigente', EstatusCancelacion: [] },
    });
    expect(await pacJson('POST', `/v4/cfdi40/${uid}/cancel`, { motivo: '02' })).toMatchObject({
      response: 'success',
      respuestaapi: { acuse: expect.stringContaining('<Acuse') },
    });
    expect(await pacJson('POST', `/v4/cfdi40/${uid}/cancel`, { motivo: '02' })).toMatchObject({
      response: 'error',
      message: expect.stringContaining('202'),
    });
    expect(await pacJson('GET', `/v4/cfdi40/${uid}/cancel_status`)).toMatchObject({
      data: { Estado: 'Cancelado', EstatusCancelacion: 'Cancelado sin aceptación' },
    });
    expect(await (await pac('GET', `/v4/cfdi40/${uid}/acuse`)).text()).toContain('EstatusUUID="201"');
    expect((await sandbox.facturacom.stamped())[0]?.estado).toBe('cancelada');
  });

  test('in process until the receiver answers', async () => {
    const { uid, UUID } = await create(cfdi(await newCliente(EMPRESA)));
    await sandbox.facturacom.cancelMode('in-process');
    await pacJson('POST', `/v4/cfdi40/${uid}/cancel`, { motivo: '03' });
    expect(await pacJson('GET', `/v4/cfdi40/${uid}/cancel_status`)).toMatchObject({
      data: { Estado: 'Vigente', EstatusCancelacion: 'En proceso' },
    });
    await sandbox.facturacom.settleCancel(String(UUID), 'rejected');
    expect(await pacJson('GET', `/v4/cfdi40/${uid}/cancel_status`)).toMatchObject({
      data: { Estado: 'Vigente', EstatusCancelacion: 'Solicitud rechazada' },
    });
    await pacJson('POST', `/v4/cfdi40/${uid}/cancel`, { motivo: '03' });
    await sandbox.facturacom.settleCancel(String(UUID), 'accepted');
    expect(await pacJson('GET', `/v4/cfdi40/${uid}/cancel_status`)).toMatchObject({
      data: { Estado: 'Cancelado', EstatusCancelacion: 'Cancelado con aceptación' },
    });
  });

  test('01 needs a substitute that relates, and a live credit note blocks', async () => {
    const empresa = await newCliente(EMPRESA);
    const old = await create(cfdi(empresa));
    const cancel = (body: Json) => pacJson('POST', `/v4/cfdi40/${old.uid}/cancel`, body);
    expect(await cancel({ motivo: '01' })).toEqual([expect.stringContaining('folioSustituto')]);
    const stranger = await create(cfdi(empresa));
    expect(await cancel({ motivo: '01', folioSustituto: stranger.UUID })).toMatchObject({ response: 'error' });
    const note = await create(
      cfdi(empresa, {
        TipoDocumento: 'nota_credito',
        Serie: 17318,
        UsoCFDI: 'G02',
        CfdiRelacionados: { TipoRelacion: '01', UUID: [old.UUID] },
      }),
    );
    expect(await cancel({ motivo: '02' })).toMatchObject({
      response: 'error',
      message: expect.stringContaining('no es cancelable'),
    });
    await pacJson('POST', `/v4/cfdi40/${note.uid}/cancel`, { motivo: '02' });
    const substitute = await create(cfdi(empresa, { CfdiRelacionados: { TipoRelacion: '04', UUID: [old.UUID] } }));
    expect(await cancel({ motivo: '01', folioSustituto: substitute.UUID })).toMatchObject({ response: 'success' });
  });
});

test('factura.com mails both files to every address of the client when asked', async () => {
  const uid = await newCliente({ ...EMPRESA, email2: 'conta@correo.test' });
  const stamped = await create(cfdi(uid));
  expect(await sandbox.correo.inbox()).toEqual([]);
  expect(await pacJson('GET', `/v4/cfdi40/${stamped.uid}/email`)).toMatchObject({ response: 'success' });
  const [mail] = await sandbox.correo.inbox({ to: 'conta@correo.test' });
  expect(mail).toMatchObject({ to: ['empresa@correo.test', 'conta@correo.test'], subject: 'Comprobante fiscal F1' });
  expect(mail?.attachments.map(({ type }) => type)).toEqual(['application/xml', 'application/pdf']);
  expect((await sandbox.correo.attachment(mail?.id ?? '', 0)).toString('utf8')).toBe(
    await sandbox.facturacom.xml(String(stamped.UUID)),
  );
});
