import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/node';
import { afterEach, expect, test } from 'vitest';
import { findCp } from '~/platform/direccion/codigosPostales.server';
import { createCodigosPostales } from '~/integrations/codigosPostales/client.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import { loader as deStaff } from '~/routes/files/codigosPostales';
import { testDatabase } from '../../support/db';
import { startTestSandbox } from '../../support/sandbox';

const sandbox = await startTestSandbox();
const { db } = testDatabase();

const calls = async () => (await sandbox.requests('codigosPostales')).length;
const fail = (mode: string) =>
  fetch(`${sandbox.url}/control/fail`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api: 'codigosPostales', mode }),
  });
const clientOf = (token = 'sandbox-token-cp') =>
  createCodigosPostales({ baseUrl: `${sandbox.url}/codigosPostales`, token, timeoutMs: 500 });

afterEach(() => sandbox.reset('codigosPostales'));

test('our own table answers first, and nobody is asked', async () => {
  const lugar = {
    cp: '06700',
    municipio: 'Cuauhtémoc',
    estado: 'Ciudad de México',
    tipo: 'Colonia',
    origen: 'demo' as const,
  };
  await db
    .insertInto('codigoPostal')
    .values([
      { ...lugar, asentamiento: 'Roma Norte', ciudad: 'Ciudad de México' },
      { ...lugar, asentamiento: 'Ávila', ciudad: '' },
    ])
    .execute();
  expect(await findCp(db, '06700')).toEqual({
    tipo: 'encontrado',
    lugar: {
      cp: '06700',
      municipio: 'Cuauhtémoc',
      estado: 'Ciudad de México',
      ciudad: 'Ciudad de México',
      colonias: ['Ávila', 'Roma Norte'],
    },
  });
  expect(await calls()).toBe(0);
});

test('a code the table lacks is asked of the service once, and kept', async () => {
  const hallazgo = {
    tipo: 'encontrado',
    lugar: {
      cp: '98600',
      estado: 'Zacatecas',
      municipio: 'Guadalupe',
      ciudad: 'Guadalupe',
      colonias: ['Guadalupe Centro', 'Ejidal'],
    },
  };
  expect(await findCp(db, '98600')).toEqual(hallazgo);
  expect(await findCp(db, '98600')).toEqual(hallazgo);
  expect(await calls()).toBe(1);
});

test('a code nobody knows is remembered as such for some days', async () => {
  expect(await findCp(db, '99999')).toEqual({ tipo: 'desconocido' });
  expect(await findCp(db, '99999')).toEqual({ tipo: 'desconocido' });
  expect(await calls()).toBe(1);
  await db
    .updateTable('codigoPostalConsulta')
    .set({ consultadoEn: new Date(Date.now() - 8 * 86_400_000) })
    .where('cp', '=', '99999')
    .execute();
  await findCp(db, '99999');
  expect(await calls()).toBe(2);
});

test.each(['503', '429', 'reset', 'half-answer', 'html', '500-after-doing'])(
  'a service that fails (%s) leaves the address to be typed',
  async (mode) => {
    await fail(mode);
    expect(await findCp(db, '14000', clientOf())).toEqual({ tipo: 'sinRespuesta' });
  },
);

test('what was known before outlives a service that fails', async () => {
  await findCp(db, '67100');
  await db
    .updateTable('codigoPostalConsulta')
    .set({ consultadoEn: new Date(Date.now() - 100 * 86_400_000) })
    .where('cp', '=', '67100')
    .execute();
  await fail('503');
  expect(await findCp(db, '67100')).toMatchObject({ tipo: 'encontrado', lugar: { colonias: ['Guadalupe Centro'] } });
});

test('without a service the table is all there is', async () => {
  expect(await findCp(db, '01000', null)).toEqual({ tipo: 'desconocido' });
});

test('what is no postal code asks nobody', async () => {
  for (const text of ['', '123', '123456', "0' or", '../../x'])
    expect(await findCp(db, text)).toEqual({ tipo: 'desconocido' });
  expect(await calls()).toBe(0);
});

test('the client tells a wrong key, a service that is down and an answer it cannot read apart', async () => {
  await expect(clientOf('otra').find('98600')).rejects.toThrow(Refused);
  await fail('hang');
  await expect(clientOf().find('98600')).rejects.toThrow(Unavailable);
  await fail('html');
  await expect(clientOf().find('98600')).rejects.toThrow(UnexpectedShape);
});

const args = (cp: string) =>
  ({
    request: new Request('http://trastienda.test/'),
    params: { cp },
    context: {} as AppLoadContext,
  }) as unknown as LoaderFunctionArgs;

test('forms read it through our own address, and the key of the service stays here', async () => {
  const answer = await deStaff(args('45640'));
  const text = await answer.text();
  expect(JSON.parse(text)).toMatchObject({ tipo: 'encontrado', lugar: { municipio: 'Tlajomulco de Zúñiga' } });
  expect(text).not.toContain('sandbox-token-cp');
  expect([...answer.headers].flat().join(' ')).not.toContain('sandbox-token-cp');
});
