import { beforeEach, describe, expect, test } from 'vitest';
import { Unavailable } from '~/integrations/errors';
import { createFacturacomReader, type ModoDeLista } from '~/integrations/facturacom/read.server';
import { createFacturacomWriter } from '~/integrations/facturacom/write.server';
import { startTestSandbox } from '../support/sandbox';
import { cfdiFor, EMPRESA, failureOf } from './support/facturacom';

/** Every reading of what no source fixes: the same client lives with each of them. */
const sandbox = await startTestSandbox();
const keys = await sandbox.facturacom.keys();
const credentials = { baseUrl: `${sandbox.url}/facturacom/api`, apiKey: keys.apiKey, secret: keys.secretKey };
const options = { timeoutMs: 2_500, stampTimeoutMs: 2_500 };
const writer = createFacturacomWriter(credentials, options);

beforeEach(async () => {
  await sandbox.reset();
  await fetch(`${sandbox.url}/control/facturacom/certificados`);
});

const FORMAS: Record<string, string | boolean>[] = [
  {},
  { edad: 'anterior' },
  { uid: 'uid' },
  { uid: 'Uid' },
  { numerosComoTexto: true },
  { bom: true },
  { contentType: 'text/html; charset=UTF-8' },
  { contentType: 'text/plain' },
  { mesVacio: 'cero' },
  { nada: 'otras-palabras' },
  { nada: '404' },
  { nada: '404-html' },
  {
    edad: 'anterior',
    uid: 'uid',
    numerosComoTexto: true,
    bom: true,
    contentType: 'text/plain',
    mesVacio: 'cero',
    nada: '404-html',
  },
];

test.each(FORMAS)('an account that speaks so is understood: %j', async (forma) => {
  await sandbox.facturacom.forma(forma);
  const reader = createFacturacomReader(credentials, options);
  expect(await reader.account()).toMatchObject({ rfc: 'EKU9003173C9' });
  expect((await reader.series()).map(({ id }) => id)).toContain(17317);
  expect([await reader.clientsByRfc('XIA190128J61'), await reader.clientByUid('0000000000000')]).toEqual([
    [],
    undefined,
  ]);
  const { uid } = await writer.createClient(EMPRESA);
  expect((await reader.clientsByRfc(EMPRESA.rfc)).map((one) => one.uid)).toContain(uid);
  expect(await reader.clientByUid(uid)).toMatchObject({ rfc: EMPRESA.rfc, cp: EMPRESA.cp });

  const cfdi = cfdiFor(uid);
  const look = (ref: string) => reader.findByNumOrder(ref, { rfc: cfdi.receptor.rfc, fecha: cfdi.fecha });
  expect(await look('orden-1')).toBe('absent');
  const stamped = await writer.createCfdi(cfdi, 'orden-1');
  const row = { uid: stamped.uid, uuid: stamped.uuid, folio: 1, total: cfdi.total, numOrder: 'orden-1' };
  expect(await look('orden-1')).toMatchObject({ ...row, repetidos: [] });
  expect([await look('orden-2'), await reader.findByUid('0000000000000')]).toEqual(['absent', undefined]);
  expect(await reader.findByUid(stamped.uid)).toMatchObject(row);
  expect(await reader.findByUuid(stamped.uuid)).toMatchObject(row);
  const ofMonth = [];
  for await (const one of reader.cfdisOfMonth(cfdi.fecha.slice(0, 7))) ofMonth.push(one.uuid);
  expect(ofMonth).toEqual([stamped.uuid]);
  await writer.cancelCfdi(stamped.uid, { motivo: '02' });
  expect(await look('orden-1')).toMatchObject({ cancelada: true });
});

describe('the list', () => {
  const remembering = (modo?: ModoDeLista) => {
    const learnt: ModoDeLista[] = [];
    const learn = async (one: ModoDeLista) => void (await Promise.resolve(learnt.push(one)));
    return { learnt, reader: createFacturacomReader(credentials, { ...options, lista: { modo, learn } }) };
  };
  const methods = async () =>
    (await sandbox.requests('facturacom')).filter(({ path }) => path.includes('cfdi/list')).map(({ method }) => method);
  const look = { rfc: EMPRESA.rfc, fecha: '2026-11-10T10:00:00' };

  test('is asked as the account answers: the other way once, and remembered', async () => {
    await sandbox.facturacom.forma({ edad: 'anterior' });
    const { learnt, reader } = remembering();
    expect(await reader.findByNumOrder('1', look)).toBe('absent');
    expect(await reader.findByNumOrder('2', look)).toBe('absent');
    expect([learnt, (await methods()).toSorted()]).toEqual([['get'], ['GET', 'GET', 'POST']]);
    // Years later the account speaks the current way.
    await sandbox.reset();
    const later = remembering('get');
    expect(await later.reader.learnList('2026-11')).toBe('post');
    expect(later.learnt).toEqual(['post']);
  });

  test('who hears what is known asks one way only', async () => {
    const { learnt, reader } = remembering('post');
    await reader.findByNumOrder('1', look);
    expect([learnt, await methods()]).toEqual([[], ['POST']]);
  });

  test('an empty month told as an error is no proof that there is nothing', async () => {
    await sandbox.facturacom.forma({ mesVacio: 'error' });
    expect(await failureOf(remembering().reader.findByNumOrder('1', look))).toBeInstanceOf(Unavailable);
  });

  test('two that live under one reference are both told', async () => {
    await sandbox.facturacom.admiteRepetidos(true);
    const cfdi = cfdiFor((await writer.createClient(EMPRESA)).uid);
    const both = [await writer.createCfdi(cfdi, 'doble'), await writer.createCfdi(cfdi, 'doble')];
    const found = await createFacturacomReader(credentials, options).findByNumOrder('doble', {
      rfc: EMPRESA.rfc,
      fecha: cfdi.fecha,
    });
    if (found === 'absent') throw new Error('absent');
    expect([found, ...found.repetidos].map(({ uid }) => uid).toSorted()).toEqual(both.map(({ uid }) => uid).toSorted());
  });
});
