import { describe, expect, test } from 'vitest';
import { openFacturacomSandbox, EMPRESA, cfdi } from './support/facturacomSandbox';

const { sandbox, pac, create, newCliente } = await openFacturacomSandbox();

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
