import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { capturedOf, type Captured } from '~/integrations/captura.server';
import { createFacturacomReader } from '~/integrations/facturacom/read.server';
import { startTestSandbox } from '../support/sandbox';
import { compareCaptures, onlyOneHas, readCaptures } from './support/capturas';

const folder = mkdtempSync(join(tmpdir(), 'capturas-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const sandbox = await startTestSandbox();
process.env.CAPTURAS = folder;

const captured = (body: unknown, url = 'https://api.test/base/orders/2000003508897196?caller=7') =>
  capturedOf({
    side: { name: 'mercadolibre', root: 'https://api.test/base/' },
    method: 'GET',
    url,
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  });

test('nothing of a person, a key or an amount is kept, wherever it stands', () => {
  const secret = 'APP_USR-5503-secreto';
  const kept = JSON.stringify(
    captured(
      {
        buyer: { nickname: 'juanperez', email: 'juan@correo.test', phone: { number: '5512345678' } },
        access_token: secret,
        'juan@correo.test': 1,
        XAXX010101000: { total: 1519.99 },
        2000003508897196: [],
        tags: ['paid'],
      },
      `https://api.test/base/clients/XAXX010101000/juan@correo.test?access_token=${secret}&2000003508897196=1`,
    ),
  );
  expect(kept).not.toMatch(/juan|correo|5512345678|secreto|XAXX|1519|2000003508897196|"paid"/);
  expect(JSON.parse(kept)).toEqual({
    side: 'mercadolibre',
    method: 'GET',
    route: '/clients/{}/{}?access_token',
    status: 200,
    contentType: 'application/json',
    shape: {
      buyer: { nickname: 'texto', email: 'texto', phone: { number: 'texto de dígitos' } },
      access_token: 'texto',
      '{}': [],
      tags: ['texto'],
    },
  });
});

test('what is no JSON is kept as what it is, and nothing of it', () => {
  const shapes = ['<html>Juan</html>', '%PDF-1.7 Juan', '<?xml version="1.0"?><a/>', ''].map(
    (body) => captured(body).shape,
  );
  expect(shapes).toEqual(['texto que no es JSON', 'PDF', 'XML', 'vacío']);
});

test('a client that answers over HTTP leaves each shape of its answers once', async () => {
  const { apiKey, secretKey: secret } = await sandbox.facturacom.keys();
  const reader = createFacturacomReader({ baseUrl: `${sandbox.url}/facturacom/api`, apiKey, secret });
  const files = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /json$/.test(name));
  await reader.account();
  const once = files();
  await reader.account();
  expect(once.length).toBeGreaterThan(0);
  expect(files()).toEqual(once);
  const [kept] = readCaptures(folder);
  expect(kept).toMatchObject({ side: 'facturacom', method: 'GET', status: 200 });
  expect(JSON.stringify(kept)).not.toContain('EKU9003173C9');
  expect(readFileSync(join(folder, once[0]!), 'utf8')).not.toContain(apiKey);
});

test('what the impostor invents, sends as something else or leaves out is told by its field', () => {
  const real = [
    captured({ id: 1, payments: [{ id: 1, net: 2.5 }], note: null }),
    captured({ id: 1, payments: [], note: 'a' }),
  ];
  const played = [captured({ id: '1', payments: [{ id: 1, courtesy: { a: 1 } }], note: 'b' })];
  const answer = 'mercadolibre GET /orders/{} 200';
  expect(compareCaptures(real, played)).toEqual([
    { answer, field: 'id', what: 'otherKind', impostor: 'texto', real: 'número' },
    { answer, field: 'payments[].courtesy', what: 'invented', impostor: 'objeto', real: 'nunca' },
    { answer, field: 'payments[].net', what: 'unknown', impostor: 'nunca', real: 'número' },
  ]);
  expect(compareCaptures(real, real)).toEqual([]);
});

test('an answer that only one of them was seen to give is not compared, and is named', () => {
  const failed: Captured = { ...captured({ error: 'x' }), status: 404 };
  expect(compareCaptures([captured({ id: 1 })], [failed])).toEqual([]);
  expect(onlyOneHas([captured({ id: 1 })], [failed])).toEqual({
    notPlayed: ['mercadolibre GET /orders/{} 200'],
    notCaptured: ['mercadolibre GET /orders/{} 404'],
  });
});

/** `npm run capturas -- comparar`: the impostors played their part in the suites of the clients just before. */
const { CAPTURAS_REALES, CAPTURAS_IMPOSTORES } = process.env;
test.runIf(CAPTURAS_REALES && CAPTURAS_IMPOSTORES)('the impostors send what the real ones were seen to send', () => {
  const [real, played] = [readCaptures(CAPTURAS_REALES!), readCaptures(CAPTURAS_IMPOSTORES!)];
  const differences = compareCaptures(real, played);
  console.log(JSON.stringify({ ...onlyOneHas(real, played), soloDelReal: differences.filter(isUnknown) }, null, 2));
  expect(differences.filter((one) => !isUnknown(one))).toEqual([]);
});

const isUnknown = ({ what }: { what: string }) => what === 'unknown';
