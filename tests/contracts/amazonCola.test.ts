/** Notices of sales by a queue of AWS: the signature against the published examples of AWS, and the queue from its first message to the sale. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { forgetEnv } from '~/core/env.server';
import { explainRechazo } from '~/core/rechazo';
import { colaAws } from '~/domain/mercados/amz/internal/cola.server';
import { linkEventBridge } from '~/domain/mercados/amz/linkEventBridge.server';
import { drainColas } from '~/domain/sync/colas.server';
import { createColaSqs } from '~/integrations/amazon/cola.server';
import { signAws } from '~/integrations/firmaAws.server';
import { RECHAZOS_AMZ } from '~/integrations/amazon/rechazos';
import { Refused } from '~/integrations/errors';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { AWS_KEY, AWS_SECRET, QUEUE_ARN, QUEUE_PATH, QUEUES } from '../sandbox/amazon/queue';
import { type AmazonFacts, linkSandboxAmazon } from '../support/amazon';
import { buildQuien } from '../support/builders/ordenes';
import { testDatabase } from '../support/db';
import { runJobs, runUntilSettled } from '../support/jobs';
import { startTestSandbox } from '../support/sandbox';

/** Published by AWS: 'get-vanilla' and 'post-vanilla' of its test suite, and the example of its manual. */
const EJEMPLOS = [
  [
    'GET',
    'https://example.amazonaws.com/',
    'service',
    {},
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  ],
  [
    'POST',
    'https://example.amazonaws.com/',
    'service',
    {},
    '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  ],
  [
    'GET',
    'https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08',
    'iam',
    { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    '5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
  ],
] as const;

test.each(EJEMPLOS)('%s %s (%s) is signed as AWS publishes it', (method, url, servicio, headers, firma) => {
  const { authorization } = signAws({
    method,
    url,
    servicio,
    headers,
    region: 'us-east-1',
    llave: { llave: 'AKIDEXAMPLE', secreto: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' },
    now: new Date('2015-08-30T12:36:00Z'),
  });
  expect(authorization).toContain(`Signature=${firma}`);
  expect(authorization).toContain('Credential=AKIDEXAMPLE/20150830/us-east-1/');
});

test('a key that may not read the queue is a matter of AWS, and not of Seller Central', () => {
  const palabras = 'AWS dijo que no (403 AccessDeniedException, cola ReceiveMessage)';
  const { remedio } = explainRechazo({ label: 'AWS', rechazos: RECHAZOS_AMZ }, { palabras });
  expect(remedio).toContain('sqs:ReceiveMessage');
});

const sandbox = await startTestSandbox({ amazon: { ventas: 3 } });
const { db } = testDatabase();
const amz = sandbox.proveedor('amazon');
const quien = (await buildQuien(db, 'sa')).id;
const COLA = `${sandbox.url}${QUEUES}${QUEUE_PATH}`;
const configure = (settings: Record<string, string>) => {
  Object.assign(process.env, settings);
  forgetEnv();
};
configure({
  EFFECT_PACE: '0.01',
  AMAZON_SQS_COLA: COLA,
  AMAZON_SQS_LLAVE: AWS_KEY,
  AMAZON_SQS_SECRETO: AWS_SECRET,
});
beforeAll(() => linkSandboxAmazon(db, sandbox));
beforeEach(() => sandbox.clear());

const espera = async () => (await amz.get<{ mensajes: number }>('/cola')).mensajes;
const vista = async () =>
  (await CONNECTIONS.of('amazon').seen!(db)).find(({ texto }) => texto.startsWith('Cola de avisos'))!;

test('Amazon is asked once to write to the queue, and the card says so', async () => {
  expect(colaAws()).toMatchObject({ arn: QUEUE_ARN });
  expect(await vista()).toMatchObject({ tono: 'aviso', nota: expect.stringContaining('Vincular event bridge') });
  for (let vez = 0; vez < 2; vez++) {
    await db.transaction().execute((trx) => linkEventBridge(trx, quien));
    await runUntilSettled({ connection: 'amazon' });
  }
  const there = await amz.get<{ destinations: object[]; subscriptions: object[] }>('/notificaciones');
  expect(there).toMatchObject({ destinations: [{ sqs: QUEUE_ARN }], subscriptions: [{ type: 'ORDER_CHANGE' }] });
  expect(await vista()).toMatchObject({ tono: 'ok' });
});

test('a sale that the queue tells of is read, once for any number of messages, and the queue is empty', async () => {
  const { id } = await amz.post<AmazonFacts>('/ventas', { escenario: 'simple' });
  await amz.post('/cola', { venta: id, dosVeces: 'si' });
  for (let n = 0; n < 12; n++) await amz.post('/cola', { venta: id });
  // Messages about other sellers, and texts that are no notice, are taken away and change nothing.
  await amz.post('/cola', { venta: '702-0000000-0000000', vendedor: 'A0OTRO' });
  for (const texto of ['{"NotificationType":"FEED_PROCESSING_FINISHED"}', 'no es JSON', '[]'])
    await amz.post('/cola', { texto });
  expect(await drainColas(db)).toBe(15);
  expect(await espera()).toBe(0);
  const avisos = await db.selectFrom('inbox').select(['topic', 'resource']).where('source', '=', 'amazon').execute();
  expect(avisos).toEqual([{ topic: 'venta', resource: id }]);
  await runJobs();
  expect(await db.selectFrom('orden').select('marketId').where('marketId', '=', id).execute()).toHaveLength(1);
});

test('a queue that cannot be read is told on the card, and its messages wait', async () => {
  await amz.post('/cola', { venta: '702-0000001-0000001' });
  configure({ AMAZON_SQS_SECRETO: 'otro' });
  try {
    expect(await drainColas(db)).toBe(0);
    expect(await vista()).toMatchObject({ tono: 'mal', texto: expect.stringContaining('SignatureDoesNotMatch') });
    expect((await vista()).nota).toContain('AMAZON_SQS_SECRETO');
    expect(await espera()).toBe(1);
  } finally {
    configure({ AMAZON_SQS_SECRETO: AWS_SECRET });
  }
  expect(await drainColas(db)).toBe(1);
  expect(await vista()).toMatchObject({ tono: 'ok' });
});

test('a message that was not deleted comes again once it was hidden long enough', async () => {
  const cola = (llave: string) => createColaSqs({ ...colaAws()!, llave: { llave, secreto: AWS_SECRET } });
  await amz.post('/cola', { venta: '702-0000002-0000002' });
  expect(await cola(AWS_KEY).recibe()).toHaveLength(1);
  expect(await cola(AWS_KEY).recibe()).toEqual([]);
  expect(await espera()).toBe(1);
  await expect(cola('AKIAOTRA').recibe()).rejects.toThrow(Refused);
});

test('without a queue the card says that sales are read every five minutes', async () => {
  configure({ AMAZON_SQS_COLA: '' });
  try {
    expect(await drainColas(db)).toBe(0);
    expect(await vista()).toMatchObject({ tono: 'neutro', texto: expect.stringContaining('cada cinco minutos') });
  } finally {
    configure({ AMAZON_SQS_COLA: COLA });
  }
});
