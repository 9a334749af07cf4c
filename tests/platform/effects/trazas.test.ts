/** Traces: one from the press to the far side and its call. `tests/bin/trazas.test.ts` tells it of two processes. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, expect, test, vi } from 'vitest';
import { forgetEnv } from '~/core/env.server';
import { log } from '~/core/log.server';
import { inPeticion } from '~/core/peticion.server';
import { placeOf, trazaActual, trazar } from '~/core/traza.server';
import { startTrazas, type Trazas } from '~/core/trazas.server';
import { identify } from '~/http/requestLog.server';
import { traceRequests } from '~/http/trazas.server';
import { exchange } from '~/integrations/http.server';
import { acceptFacturas } from '../../faults/support/scene';
import { openStage } from '../../faults/support/stage';
import { CLIENTES } from '../../support/builders/ventas';
import { openColector, type Tramo } from '../../support/colector';
import { runUntilSettled } from '../../support/jobs';

const { db, sandbox, usuario } = await openStage({ pace: 0.05 });
const { url, tramos } = await openColector();
/** Packages of OpenTelemetry that this process has loaded, by their files. */
const loaded = () =>
  Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes('/@opentelemetry/sdk-trace'));
const labor = { nombre: 'prueba', clase: 'interno' } as const;

/** Microseconds that a span costs. */
async function cost(): Promise<number> {
  const times = 20_000;
  const began = performance.now();
  for (let at = 0; at < times; at++) await trazar(labor, () => Promise.resolve());
  return ((performance.now() - began) * 1_000) / times;
}

async function begin(endpoint: string): Promise<Trazas> {
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = endpoint;
  forgetEnv();
  return await startTrazas('web');
}
afterAll(() => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  forgetEnv();
});

test('without the setting nothing is loaded and nothing is told', async () => {
  const { stop } = await begin('');
  expect(await trazar(labor, () => Promise.resolve(trazaActual()))).toBeUndefined();
  await stop();
  expect(loaded()).toEqual([]);
  const off = await cost();
  const [ms, rss] = [performance.now(), process.memoryUsage().rss];
  const on = await begin(url);
  const began = `${Math.round(performance.now() - ms)} ms, ${((process.memoryUsage().rss - rss) / 2 ** 20).toFixed(0)} MB`;
  expect(loaded().length).toBeGreaterThan(5);
  console.log(
    `trazas: ${off.toFixed(2)} µs por tramo sin colector, ${(await cost()).toFixed(2)} con él; cargarlas ${began}`,
  );
  await on.stop();
  expect(off).toBeLessThan(20);
});

test('one trace goes from the press to the call of the far side, through job and effect, and says nothing of anybody', async () => {
  tramos.length = 0;
  const trazas = await begin(url);
  const app = express();
  app.use(identify, traceRequests);
  app.post('/sa/facturar', (_req, res) => {
    log.info('i');
    acceptFacturas(db, usuario, 1).then(
      () => res.end(),
      () => res.status(500).end(),
    );
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const lines: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  const press = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/sa/facturar`, {
    method: 'POST',
  });
  const requestId = press.headers.get('X-Request-Id')!;
  await runUntilSettled({ connection: 'facturacom' });
  vi.restoreAllMocks();
  await new Promise((resolve) => server.close(resolve));
  await trazas.stop();

  expect(press.status).toBe(200);
  const { traceId } = placeOf(requestId);
  expect(traceId).toBe(requestId.replaceAll('-', ''));
  const mine = tramos.filter((one) => one.traceId === traceId);
  const named = (name: string) => mine.find((one) => one.name === name);
  const pressed = named('POST /:rol/facturar')!;
  const job = named('trabajo effect.facturacom')!;
  const effect = named('efecto cfdi.stamp')!;
  const call = mine.find(
    ({ name, datos }) => name === 'llamada facturacom POST' && /create/.test(String(datos['url.template'])),
  )!;
  const parents = ([pressed, job, effect, call] satisfies Tramo[]).map(({ parentSpanId }) => parentSpanId ?? '');
  expect(parents).toEqual(['', pressed.spanId, job.spanId, effect.spanId]);
  expect([pressed.datos, job.datos, effect.datos, call.datos]).toEqual([
    {
      'http.request.method': 'POST',
      'trastienda.peticion': requestId,
      'http.route': '/:rol/facturar',
      'http.response.status_code': 200,
    },
    { 'trastienda.trabajo': 'effect.facturacom', 'trastienda.intento': 1 },
    {
      'trastienda.efecto': 'cfdi.stamp',
      'trastienda.efecto.id': expect.any(String) as string,
      'trastienda.efecto.antes': 'queued',
      'trastienda.efecto.despues': 'done',
      'trastienda.envios': 0,
    },
    {
      'peer.service': 'facturacom',
      'http.request.method': 'POST',
      'url.template': '/v4/cfdi40/create',
      'http.response.status_code': 200,
    },
  ]);
  expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({ message: 'i', requestId, traceId }),
  );
  const told = JSON.stringify(tramos);
  const { apiKey, secretKey } = await sandbox.facturacom.keys();
  for (const secret of [...CLIENTES.map(({ rfc }) => rfc), apiKey, secretKey]) expect(told).not.toContain(secret);
});

test('a far side hears nothing of a trace, and its address is told without ids', async () => {
  tramos.length = 0;
  const trazas = await begin(url);
  let heads: IncomingHttpHeaders = {};
  const far = createServer((req, res) => {
    heads = req.headers;
    res.end();
  }).listen(0, '127.0.0.1');
  await once(far, 'listening');
  const root = `http://127.0.0.1:${(far.address() as AddressInfo).port}`;
  await exchange({ side: { name: 'lado', root }, method: 'GET', url: `${root}/orders/2000016200010001?buyer=77` });
  await new Promise((resolve) => far.close(resolve));
  await trazas.stop();
  expect(tramos.map(({ name, datos }) => [name, datos['url.template']])).toEqual([['llamada lado GET', '/orders/{}']]);
  expect(Object.keys(heads).filter((name) => /trace|baggage|b3/.test(name))).toEqual([]);
});

test('what fails is told by its kind, and work of another request stands in that request', async () => {
  tramos.length = 0;
  const trazas = await begin(url);
  const failed = trazar({ ...labor, nombre: 'afuera' }, () =>
    inPeticion('otra-peticion', () =>
      trazar({ ...labor, nombre: 'adentro' }, () => Promise.reject(new TypeError('RFC de alguien'))),
    ),
  );
  await expect(failed).rejects.toThrow(TypeError);
  await trazas.stop();
  const [inner, outer] = ['adentro', 'afuera'].map((name) => tramos.find((one) => one.name === name)!);
  expect(inner).toMatchObject({
    traceId: placeOf('otra-peticion').traceId,
    parentSpanId: placeOf('otra-peticion').spanId,
    status: { code: 2 },
    datos: { 'error.type': 'TypeError' },
  });
  expect(outer!.traceId).not.toBe(inner!.traceId);
  expect(JSON.stringify(tramos)).not.toContain('RFC de alguien');
});

test('a collector that is away loses spans and holds up nothing', async () => {
  const trazas = await begin('http://127.0.0.1:1');
  expect(await trazar(labor, () => Promise.resolve('hecho'))).toBe('hecho');
  const began = performance.now();
  await trazas.stop();
  expect(performance.now() - began).toBeLessThan(5_000);
});
