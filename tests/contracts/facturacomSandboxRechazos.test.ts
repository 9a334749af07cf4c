import { describe, expect, test } from 'vitest';
import {
  openFacturacomSandbox,
  PERSONA,
  EMPRESA,
  PUBLICO,
  concepto,
  cfdi,
  global,
  localTime,
  type Json,
} from './support/facturacomSandbox';

const { sandbox, headers, create, newCliente } = await openFacturacomSandbox();

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
