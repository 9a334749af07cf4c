import { describe, expect, test } from 'vitest';
import { openFacturacomSandbox, EMPRESA, cfdi, type Json } from './support/facturacomSandbox';

const { sandbox, pac, pacJson, create, newCliente } = await openFacturacomSandbox();

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
