import { createPublicKey, verify, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cadenaOf, child, parseXml } from '../support/cadenaOriginal';
import { printed } from '../sandbox/facturacom/pdf';
import {
  openFacturacomSandbox,
  PERSONA,
  EMPRESA,
  PUBLICO,
  concepto,
  cfdi,
  global,
  localTime,
  type Answer,
  type Json,
} from './support/facturacomSandbox';

const { sandbox, pac, pacJson, create, newCliente } = await openFacturacomSandbox({ facturacom: { print: printed } });

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
