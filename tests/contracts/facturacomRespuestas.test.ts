import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import { folioOf } from '~/integrations/facturacom/answers';
import { messageOf, readEnvelope } from '~/integrations/facturacom/envelope';
import { createFacturacomReader } from '~/integrations/facturacom/read.server';
import { toWire } from '~/integrations/facturacom/wire';
import { createFacturacomWriter } from '~/integrations/facturacom/write.server';
import { cfdiFor, EMPRESA, failureOf } from './support/facturacom';

const textOf = async (request: IncomingMessage) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

const credentials = { apiKey: 'llave', secret: 'secreta' };
const options = { timeoutMs: 2_500, stampTimeoutMs: 2_500 };

describe('far sides the sandbox does not play', () => {
  const ok = JSON.stringify({
    response: 'success',
    data: { uid: '5c06fa8b3bbe6', UUID: '6f35d3b5-3651-5370-bc2c-14cdbe384cd7' },
  });
  const stub = async (listener: (...exchange: Parameters<RequestListener>) => unknown) => {
    const server = createServer((request, answer) => void listener(request, answer));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    return {
      reader: createFacturacomReader({ ...credentials, baseUrl }, options),
      writer: createFacturacomWriter({ ...credentials, baseUrl }, options),
    };
  };
  const answering = (status: number, body: string, headers: Record<string, string> = {}) =>
    stub((_, answer) => answer.writeHead(status, headers).end(body));

  test('ids inside data are found; a success without a UUID is not believed', async () => {
    expect(await (await answering(201, ok)).writer.createCfdi(cfdiFor('u'), 'o')).toEqual({
      kind: 'stamped',
      uid: '5c06fa8b3bbe6',
      uuid: '6F35D3B5-3651-5370-BC2C-14CDBE384CD7',
      serie: null,
      folio: null,
      fechaTimbrado: null,
    });
    for (const body of [
      { response: 'success', UUID: 'sin_uuid', uid: 'x' },
      { ok: true },
      {},
      null,
      [],
      'x',
      { response: 'success' },
    ])
      expect(
        await failureOf((await answering(200, JSON.stringify(body))).writer.createCfdi(cfdiFor('u'), 'o')),
        JSON.stringify(body),
      ).toBeInstanceOf(Uncertain);
  });

  test('an existing CFDI is recognised under any status, and a no that may hide a stamp is Uncertain', async () => {
    const uuid = '6F35D3B5-3651-5370-BC2C-14CDBE384CD7';
    for (const status of [200, 409])
      expect(
        await (
          await answering(
            status,
            JSON.stringify({
              response: 'error',
              message: 'Ya existe un CFDI con folio y serie [F-1]',
              uid: 'u',
              uuid,
              xml: '<x/>',
            }),
          )
        ).writer.createCfdi(cfdiFor('u'), 'o'),
      ).toEqual({ kind: 'exists', uid: 'u', uuid, xml: '<x/>' });
    for (const message of [
      'Ya existe un CFDI con folio y serie [F-1]',
      'Error de comunicación con el PAC',
      'cURL error 28: Operation timed out',
      'Ocurrió un error, inténtelo más tarde',
      '307 - El CFDI contiene un timbre previo',
    ])
      expect(
        await failureOf(
          (await answering(200, JSON.stringify({ response: 'error', message }))).writer.createCfdi(cfdiFor('u'), 'o'),
        ),
        message,
      ).toBeInstanceOf(Uncertain);
    for (const status of [500, 502, 503, 504])
      expect(
        await failureOf(
          (await answering(status, JSON.stringify({ response: 'error', message: 'Error interno' }))).writer.createCfdi(
            cfdiFor('u'),
            'o',
          ),
        ),
      ).toBeInstanceOf(Uncertain);
    expect(
      await failureOf(
        (await answering(503, 'mantenimiento', { 'retry-after': '20' })).writer.createCfdi(cfdiFor('u'), 'o'),
      ),
    ).toMatchObject({ name: 'Unavailable', details: { retryAfterMs: 20_000 } });
    const gateway = await answering(403, '<html>no</html>');
    expect(await failureOf(gateway.writer.createCfdi(cfdiFor('u'), 'o'))).toBeInstanceOf(Uncertain);
    expect(await failureOf(gateway.reader.account())).toMatchObject({ name: 'Refused', details: { account: true } });
  });

  test("every page of every month is read before saying absent, and a list of another shape is not 'absent'", async () => {
    const asked: string[] = [];
    const { reader: paged } = await stub(async (request, answer) => {
      const filter = JSON.parse((await textOf(request)) || '{}') as Record<string, unknown>;
      const { month = '', page = '', rfc = '' } = filter;
      asked.push(`${request.method} ${request.url} ${String(month)} ${String(page)} ${String(rfc)}`.trim());
      const row = {
        UID: 'u1',
        UUID: '6F35D3B5-3651-5370-BC2C-14CDBE384CD7',
        Folio: 'F 160',
        Receptor: 'X',
        Total: 10000,
        NumOrder: 77,
        Status: 'enviada',
      };
      const data =
        month === '12' && page === 2
          ? [
              { ...row, NumOrder: '777' },
              row,
              { ...row, UID: 'u2', Status: 'cancelada' },
              { ...row, UID: 'd', UUID: 'sin_uuid' },
            ]
          : [];
      answer.end(JSON.stringify({ last_page: 2, data }));
    });
    expect(await paged.findByNumOrder('77', { rfc: 'XIA190128J61', fecha: '2026-11-30T10:00:00' })).toMatchObject({
      uid: 'u1',
      serie: 'F',
      folio: 160,
      total: '10000.00',
      repetidos: [],
      cancelada: false,
    });
    expect(asked).toEqual(['11 1', '11 2', '12 1', '12 2'].map((page) => `POST /v4/cfdi/list ${page} XIA190128J61`));
    expect(await paged.findByNumOrder('78', { rfc: 'ÑIA190128J61', fecha: '2026-11-10T10:00:00' })).toBe('absent');
    expect(asked.slice(4)).toEqual([
      'POST /v4/cfdi/list 11 1',
      'POST /v4/cfdi/list 11 2',
      'GET /v1/invoices/%C3%91IA190128J61',
    ]);
    for (const body of [
      { status: 'success', data: [] },
      { status: 'success', last_page: null, data: [] },
      { status: 'success', last_page: 1, data: [{ id: 1 }] },
      { status: 'success', last_page: 1 },
      { last_page: 1, current_page: 2, data: [] },
      { last_page: 1, data: [{ UID: 'u', FechaTimbrado: '2026-03-04' }] },
    ])
      expect(
        await failureOf(
          (await answering(200, JSON.stringify(body))).reader.findByNumOrder('1', {
            rfc: 'XIA190128J61',
            fecha: '2026-11-10T10:00:00',
          }),
        ),
      ).toBeInstanceOf(UnexpectedShape);
  });

  test.each<[status: number, body: unknown]>([
    [200, { status: 'error', message: 'Tu plan no cuenta con acceso a la consulta de CFDI por API' }],
    [200, { response: 'error', message: 'No hay conexión con el servicio, intenta más tarde' }],
    [200, { status: 'error', message: 'No se encontraron CFDI' }],
    [404, { status: 'error', message: 'Recurso no encontrado' }],
    [404, { message: 'The route v4/cfdi/list could not be found.' }],
    [404, { error: 'default backend - 404' }],
    [200, ['No hay registros']],
    [200, { total: 3, last_page: 1, data: [] }],
    [405, '<html>405</html>'],
  ])('a list that the PAC does not hand over is never an empty one: %i %j', async (status, body) => {
    const failure = await failureOf(
      (await answering(status, typeof body === 'string' ? body : JSON.stringify(body))).reader.findByNumOrder('1', {
        rfc: 'XIA190128J61',
        fecha: '2026-11-10T10:00:00',
      }),
    );
    expect(
      [Unavailable, UnexpectedShape].some((kind) => failure instanceof kind),
      String(failure),
    ).toBe(true);
    // The old list is asked after the new one has said that it is empty: its no is how it says that there is nothing.
    const { reader: half } = await stub((request, answer) => {
      const old = request.url!.includes('/v1/invoices');
      answer.writeHead(old ? status : 200).end(JSON.stringify(old ? body : { last_page: 1, data: [] }));
    });
    expect(await half.findByNumOrder('1', { rfc: 'XIA190128J61', fecha: '2026-11-10T10:00:00' })).toBe('absent');
  });

  test('what only the old list names is found, or at least not absent', async () => {
    const row = {
      Uid: 5060788366,
      UUID: '6F35D3B5-3651-5370-BC2C-14CDBE384CD7',
      Folio: 'F 1',
      Receptor: 'X',
      Total: '1.000000',
      NumOrder: 1,
      Status: 'enviada',
    };
    let one: unknown = { status: 'success', message: '', data: row };
    const { reader: late } = await stub((request, answer) => {
      const body = request.url!.includes('/v1/invoices')
        ? { status: 'success', data: [{ NumOrder: '1', Status: 'enviada', UID: '5060788366', Receptor: 'X' }] }
        : request.url!.includes('/v4/cfdi/uid/5060788366')
          ? one
          : { last_page: 0, data: [] };
      answer.end(JSON.stringify(body));
    });
    const look = () => late.findByNumOrder('1', { rfc: 'XIA190128J61', fecha: '2026-11-10T10:00:00' });
    expect(await look()).toMatchObject({ uid: '5060788366', uuid: row.UUID });
    one = { status: 'error', message: 'No se encontró CFDI: 5060788366' };
    expect(await failureOf(look())).toBeInstanceOf(Unavailable);
    one = { status: 'error', message: 'Intente más tarde' };
    expect(await failureOf(look())).toBeInstanceOf(Unavailable);
  });

  test('our order without a UUID may be getting its stamp: it is not absent', async () => {
    const row = { UID: 'u1', UUID: '', Folio: 'F 1', Receptor: 'X', Total: 1, NumOrder: '77', Status: 'borrador' };
    const { reader: drafts } = await answering(200, JSON.stringify({ status: 'success', last_page: 1, data: [row] }));
    const look = (ref: string) => drafts.findByNumOrder(ref, { rfc: 'XIA190128J61', fecha: '2026-11-10T10:00:00' });
    expect(await failureOf(look('77'))).toMatchObject({
      name: 'Unavailable',
      message: 'factura.com tiene la orden 77 sin UUID',
    });
    expect(await look('78')).toBe('absent');
  });

  test("of a single CFDI 'there is none' is believed in the vendor's own words only, of clients in any", async () => {
    for (const [status, body] of [
      [200, { status: 'error', message: 'No se encontraron clientes con ese RFC' }],
      [404, { status: 'error', message: 'Sin datos' }],
    ] as const) {
      const { reader: none } = await answering(status, JSON.stringify(body));
      expect([
        await none.clientsByRfc('XIA190128J61'),
        await none.clientByUid('u'),
        await none.findByUuid('u'),
      ]).toEqual([[], undefined, undefined]);
    }
    for (const [status, body] of [
      [404, { message: 'The route v1/clients could not be found.' }],
      [404, { error: 'default backend - 404' }],
    ] as const) {
      const { reader: odd } = await answering(status, JSON.stringify(body));
      expect(await failureOf(odd.findByUid('u')), JSON.stringify(body)).toBeInstanceOf(Unavailable);
      expect([await odd.clientsByRfc('XIA190128J61'), await odd.clientByUid('u')]).toEqual([[], undefined]);
    }
    const { reader: mute } = await answering(200, JSON.stringify({ status: 'error' }));
    expect([await mute.clientsByRfc('XIA190128J61'), await mute.clientByUid('u')]).toEqual([[], undefined]);
    const { reader: down } = await saying('No existe conexión con el servicio');
    expect(await failureOf(down.clientByUid('u'))).toBeInstanceOf(Unavailable);
    expect(
      await failureOf(
        (
          await answering(200, JSON.stringify({ status: 'error', message: 'Tu plan no cuenta con acceso' }))
        ).reader.clientByUid('u'),
      ),
    ).toBeInstanceOf(Refused);
  });

  const saying = (message?: unknown) => answering(200, JSON.stringify({ response: 'error', message }));

  test.each<[message: unknown]>([
    ['504 - Gateway Time-out'],
    ['Error 500: tiempo de espera agotado al comunicarse con el PAC'],
    [undefined],
    [''],
    ['Error interno del servidor'],
    ['500 - Error'],
    ['SQLSTATE[HY000]: General error: 2006 MySQL server has gone away'],
    ['Ocurrió un error inesperado'],
    ['401 - Sin respuesta del SAT'],
    ['403: Gateway'],
    ['CFDI40999 - Error no clasificado: tiempo de espera agotado'],
    ['El CFDI ya fue timbrado previamente'],
    ['El comprobante no pudo ser timbrado'],
    [['Error interno del servidor']],
    [{ message: 'Server Error', messageDetail: 'cURL error 28' }],
    [{ error: ['Error interno'] }],
    [{ codpos: ['Error: tiempo de espera agotado'] }],
    ['La respuesta del PAC no es válida'],
  ])(
    'a no that names nothing of what was asked is Uncertain, of a stamp and of a cancellation: %j',
    async (message) => {
      const { writer: odd } = await saying(message);
      expect(await failureOf(odd.createCfdi(cfdiFor('u'), 'o'))).toBeInstanceOf(Uncertain);
      expect(await failureOf(odd.cancelCfdi('u', { motivo: '02' }))).toBeInstanceOf(Uncertain);
    },
  );

  test.each<[message: unknown, code?: string]>([
    ['CFDI40145 - El nombre no corresponde, intente de nuevo', 'CFDI40145'],
    [{ message: 'CFDI40999 - Error no clasificado', messageDetail: '/x' }, 'CFDI40999'],
    ['401 - Fecha y hora de generación fuera de rango', '401'],
    ['Error 402: RFC del emisor no se encuentra en el régimen', '402'],
    ['301 - XML mal formado', '301'],
    [{ codpos: ['El código postal no existe'] }],
    [['El campo Serie es requerido.', 'El campo Moneda es requerido.']],
    ['La solicitud no es válida'],
    ['El cliente no existe, verifique el UID del receptor'],
    ['La serie F no está activa'],
    ['La serie F no corresponde al tipo de documento nota_credito'],
    ['No hay timbres disponibles'],
  ])('a no that names it is clear: %j', async (message, code) => {
    const refused = await failureOf((await saying(message)).writer.createCfdi(cfdiFor('u'), 'o'));
    expect(refused).toBeInstanceOf(Refused);
    expect((refused as Refused).details.code).toBe(code);
  });

  test.each([
    '202 - El CFDI ya se encuentra cancelado',
    '205 - El CFDI no existe',
    'El CFDI no es cancelable, tiene documentos relacionados vigentes: X',
    'El SAT rechazó la solicitud de cancelación',
    'El CFDI no existe o no tiene permiso para acceder a él',
    'El folio sustituto X no es un CFDI vigente con relación 04 a este',
  ])('a clear no to a cancellation: %s', async (message) => {
    expect(await failureOf((await saying(message)).writer.cancelCfdi('u', { motivo: '02' }))).toBeInstanceOf(Refused);
  });

  test('a validation of the framework is a clear no with its fields; a client is told any no', async () => {
    const body = JSON.stringify({
      message: 'The given data was invalid.',
      errors: { Serie: ['El campo Serie es requerido.'] },
    });
    expect(await failureOf((await answering(422, body)).writer.createCfdi(cfdiFor('u'), 'o'))).toMatchObject({
      name: 'Refused',
      details: { detail: 'El campo Serie es requerido.' },
    });
    expect(
      await failureOf((await saying('El correo está en la lista negra')).writer.createClient(EMPRESA)),
    ).toBeInstanceOf(Refused);
    expect(await failureOf((await saying('Tiempo de espera agotado')).writer.createClient(EMPRESA))).toBeInstanceOf(
      Uncertain,
    );
  });

  test('files in base64, JSON errors and clients in a list are understood', async () => {
    const xml = '<?xml version="1.0"?><a/>';
    expect(
      (
        await (
          await answering(200, JSON.stringify({ data: Buffer.from(xml).toString('base64') }))
        ).reader.downloadXml('u')
      ).toString(),
    ).toBe(xml);
    expect(
      await failureOf((await answering(200, '{"response":"error","message":"no"}')).reader.downloadPdf('u')),
    ).toBeInstanceOf(Unavailable);
    const { reader: odd } = await answering(
      200,
      JSON.stringify({
        status: 'success',
        UID: 'u9',
        Data: [{ RazonSocial: 'X', RFC: 'XIA190128J61', CodigoPosal: '06600', RegimenId: 601, Contacto: null }],
      }),
    );
    expect(await odd.clientByUid('u9')).toMatchObject({ uid: 'u9', cp: '06600', regimen: '601', emails: [] });
  });
});

describe('pure parts', () => {
  test("the request in factura.com's words", async () => {
    const cfdi = cfdiFor('u', {
      informacionGlobal: { periodicidad: '04', meses: '11', anio: '2026' },
      relacionados: { tipoRelacion: '04', uuids: ['6F35D3B5-3651-5370-BC2C-14CDBE384CD7'] },
      lugarExpedicion: '42501',
    });
    const wire = toWire(cfdi, 'ref-1');
    expect(wire).toMatchObject({
      Receptor: { UID: cfdi.receptor.uid },
      TipoDocumento: 'factura',
      Serie: 17317,
      MetodoPago: 'PUE',
      Moneda: 'MXN',
      NumOrder: 'ref-1',
      FechaFromAPI: cfdi.fecha,
      EnviarCorreo: false,
      InformacionGlobal: { Periodicidad: '04', Meses: '11', Año: '2026' },
      CfdiRelacionados: { TipoRelacion: '04' },
      LugarExpedicion: '42501',
    });
    expect((wire.Conceptos as unknown[])[0]).toEqual({
      ClaveProdServ: '01010101',
      NoIdentificacion: 'AMS-1-syscom-DS-2CE',
      Cantidad: '3',
      ClaveUnidad: 'H87',
      Unidad: 'Pieza',
      ValorUnitario: '86.198276',
      Importe: '258.594828',
      Descripcion: 'Cámara "domo" - 2 MP & fuente <12 V>',
      ObjetoImp: '02',
      Impuestos: {
        Traslados: [
          { Base: '258.594828', Impuesto: '002', TipoFactor: 'Tasa', TasaOCuota: '0.160000', Importe: '41.375172' },
        ],
        Retenidos: [],
        Locales: [],
      },
    });
  });

  test('messages are read whatever their shape, without tags and with their accents back', () => {
    expect(
      messageOf({ message: 'CFDI40145 - <strong>La razÃ³n</strong> social', messageDetail: '/a/b', data: null }),
    ).toEqual({ message: 'CFDI40145 - La razón social', detail: '/a/b' });
    expect(messageOf('<style>a{}</style><p>Factura invÃ¡lida</p><script>x()</script>').message).toBe(
      'Factura inválida',
    );
    expect(messageOf({ rfc: ['uno'], cp: ['dos', 'tres'] }).message).toBe('uno dos tres');
    expect(messageOf('x'.repeat(900)).message).toHaveLength(300);
    expect(messageOf('PEÑA Â© €').message).toBe('PEÑA Â© €'.replace('Â©', '©'));
    expect(readEnvelope(200, '["uno","dos"]')).toMatchObject({ kind: 'error', message: 'uno dos' });
    expect(readEnvelope(200, '{"response":"Error","message":""}')).toMatchObject({ kind: 'error', keys: false });
    expect(readEnvelope(200, '<html>')).toEqual({ kind: 'unreadable' });
  });

  test('folios as lists write them', () => {
    expect(['F 160', 'F-160', 'F160', 'A1 7', '12', 'X'].map(folioOf)).toEqual([
      { serie: 'F', folio: 160 },
      { serie: 'F', folio: 160 },
      { serie: 'F', folio: 160 },
      { serie: 'A1', folio: 7 },
      { serie: '', folio: 12 },
      { serie: 'X', folio: null },
    ]);
  });
});
