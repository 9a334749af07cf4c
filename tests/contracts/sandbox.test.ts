import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../sandbox/start';
import { createSandboxClient, startTestSandbox } from '../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });

beforeEach(async () => {
  await sandbox.reset();
});

const MESSAGE = {
  from: 'Trastienda <facturas@trastienda.test>',
  to: 'cliente@correo.test',
  cc: 'conta@correo.test',
  bcc: 'copia@trastienda.test',
  subject: 'Tu factura F-1 ñ',
  text: 'Adjunta',
  html: '<p>Adjunta</p>',
  attachments: [
    { filename: 'año.xml', content: '<a ñ="1"/>', contentType: 'application/xml' },
    { filename: 'f.pdf', content: Buffer.from('%PDF-1.4'), contentType: 'application/pdf' },
  ],
};

async function send(smtpPort = sandbox.smtpPort, timeoutMs = 5_000): Promise<string> {
  const transport = createTransport({ host: '127.0.0.1', port: smtpPort, ignoreTLS: true, socketTimeout: timeoutMs });
  try {
    return (await transport.sendMail(MESSAGE)).response.slice(0, 3);
  } catch (error) {
    const { responseCode, code } = error as { responseCode?: number; code?: string };
    return String(responseCode ?? code);
  } finally {
    transport.close();
  }
}

describe('the mail inbox', () => {
  test('keeps what was sent, with its attachments, and shows it', async () => {
    expect(await send()).toBe('250');
    const [mail] = await sandbox.correo.inbox({ to: 'cliente@correo.test' });
    expect(mail).toMatchObject({
      from: 'facturas@trastienda.test',
      to: ['cliente@correo.test', 'copia@trastienda.test'],
      cc: ['conta@correo.test'],
      subject: 'Tu factura F-1 ñ',
      text: expect.stringContaining('Adjunta'),
      attachments: [
        { filename: 'año.xml', type: 'application/xml', size: 11 },
        { filename: 'f.pdf', type: 'application/pdf', size: 8 },
      ],
    });
    const id = mail?.id ?? '';
    expect(await sandbox.correo.read(id)).toMatchObject({ html: expect.stringContaining('<p>Adjunta</p>') });
    expect((await sandbox.correo.attachment(id, 0)).toString('utf8')).toBe('<a ñ="1"/>');
    for (const path of ['/correo', `/correo/${id}`])
      expect(await (await fetch(sandbox.url + path)).text()).toContain('Tu factura F-1 ñ');
    expect((await fetch(`${sandbox.url}/control/correo/nada`)).status).toBe(404);
  });

  test.each([
    ['refuse', /^550$/, 0],
    ['refuse-one', /^250$/, 1],
    ['503', /^421$/, 0],
    ['429', /^450$/, 0],
    ['reset', /^E[A-Z]+$/, 0],
    ['hang', /^E[A-Z]+$/, 0],
    ['hang-after-doing', /^E[A-Z]+$/, 1],
    ['reset-after-doing', /^E[A-Z]+$/, 1],
    ['500-after-doing', /^451$/, 1],
    ['slow', /^250$/, 1],
  ])('fails as told: %s', async (mode, expected, kept) => {
    await sandbox.correo.failNext(mode, { ms: 100 });
    expect(await send()).toMatch(expected);
    expect(await sandbox.correo.inbox()).toHaveLength(kept);
    expect(await send()).toBe('250');
  });
});

test('what is asked wrong of the control is said', async () => {
  const fail = async (body: object) => {
    const response = await fetch(`${sandbox.url}/control/fail`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return [response.status, (await response.json()) as unknown];
  };
  expect(await fail({ api: 'nadie', mode: '503' })).toMatchObject([
    400,
    { apis: expect.arrayContaining(['mercadolibre', 'facturacom', 'correo']) },
  ]);
  expect(await fail({ api: 'facturacom', mode: 'nada' })).toMatchObject([
    400,
    { modes: expect.arrayContaining(['half-answer', 'sin-uuid']) },
  ]);
  expect(await fail({ api: 'facturacom', mode: '503', times: 0 })).toMatchObject([400, { error: 'bad_times' }]);
  expect((await fetch(`${sandbox.url}/nada`)).status).toBe(404);
});

test('the pages list every service and the forms work without JavaScript', async () => {
  const home = await (await fetch(`${sandbox.url}/`)).text();
  for (const text of ['Mercado Libre', 'factura.com', 'Correo', 'SIN', '/correo', '/control'])
    expect(home.toUpperCase()).toContain(text.toUpperCase());
  const answer = await fetch(`${sandbox.url}/control/fail`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ api: 'facturacom', mode: '503', times: '3', route: '', ms: '', code: '', message: '' }),
  });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/control']);
  expect((await sandbox.faults()).faults).toMatchObject([
    { api: 'facturacom', mode: '503', times: 3, route: 'POST /v4/cfdi40/create' },
  ]);
  expect(await (await fetch(`${sandbox.url}/control`)).text()).toContain('<code>POST /v4/cfdi40/create</code>');
});

describe('state on disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const start = () => startSandbox({ port: 0, smtpPort: 0, dataDir: folder, mercadolibre: { orders: 0 } });

  async function stamp(one: Sandbox, numOrder: string) {
    const { plugin, apiKey, secretKey } = await createSandboxClient(one.url).facturacom.keys();
    const impuestos = {
      Traslados: [{ Base: '100', Impuesto: '002', TipoFactor: 'Tasa', TasaOCuota: '0.16', Importe: '16' }],
    };
    const body = {
      Receptor: { UID: '5c06fa8b3b001' },
      TipoDocumento: 'factura',
      UsoCFDI: 'G03',
      Serie: 17317,
      FormaPago: '03',
      MetodoPago: 'PUE',
      Moneda: 'MXN',
      NumOrder: numOrder,
      EnviarCorreo: false,
      Conceptos: [
        {
          ClaveProdServ: '01010101',
          Cantidad: 1,
          ClaveUnidad: 'H87',
          Unidad: 'Pieza',
          ValorUnitario: 100,
          Descripcion: 'Venta',
          ObjetoImp: '02',
          Impuestos: impuestos,
        },
      ],
    };
    const response = await fetch(`${one.url}/facturacom/api/v4/cfdi40/create`, {
      method: 'POST',
      headers: {
        'F-PLUGIN': plugin,
        'F-Api-Key': apiKey,
        'F-Secret-Key': secretKey,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { response: string; UUID?: string };
  }

  test('CFDI, mails, keys and switches survive a restart, and a line cut half way is forgotten', async () => {
    const first = await start();
    const { UUID } = await stamp(first, 'A');
    expect(await send(first.smtpPort)).toBe('250');
    const client = createSandboxClient(first.url);
    await client.facturacom.cancelMode('reject');
    const xml = await client.facturacom.xml(UUID ?? '');
    await first.close();
    appendFileSync(join(folder, 'facturacom', 'journal.jsonl'), '{"t":"cfdi","cfdi":{"uid"');

    const second = await start();
    const again = createSandboxClient(second.url);
    expect(await stamp(second, 'A')).toMatchObject({ response: 'error' });
    expect(await stamp(second, 'B')).toMatchObject({ response: 'success', INV: { Folio: 2 } });
    expect(await again.facturacom.xml(UUID ?? '')).toBe(xml);
    const [mail] = await again.correo.inbox();
    expect((await again.correo.attachment(mail?.id ?? '', 1)).toString()).toBe('%PDF-1.4');
    expect(await (await fetch(`${second.url}/control/facturacom/switches`)).json()).toMatchObject({
      cancelar: 'reject',
    });
    await again.reset();
    await second.close();

    const third = await start();
    expect(await createSandboxClient(third.url).facturacom.stamped()).toEqual([]);
    expect(await createSandboxClient(third.url).correo.inbox()).toEqual([]);
    await third.close();
  });
});
