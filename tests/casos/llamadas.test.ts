/** What people who do this work reported, told over HTTP: each file beside this one is a case, and the tables add its brothers. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { isEmail } from '~/core/email';
import { addDays, civilDay, nombreOfMes, readDay, readEnd, readInstant, readMonth, toInstant } from '~/core/time';
import { isPublicoGeneral } from '~/domain/facturacion/cfdi/nombreFiscal';
import { openSession } from '~/domain/personal/sesiones.server';
import { ask, get, post } from '../support/api';
import { buildOrden } from '../support/builders/mes';
import { withWorker } from '../support/jobs';
import { openPac } from '../support/pac';

const { db, sa, sandbox } = await openPac();
const read = <T>(name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as T;
let token: string;
beforeAll(async () => {
  token = await db.transaction().execute((trx) => openSession(trx, sa, true));
});
const message = ({ body }: { body: unknown }) => (body as { message: string }).message;

test('01: the month of a day is that of the day, in the three calls that close a month', async () => {
  const { body, POST, brothers } = read<{ POST: string; body: { fecha: string }; brothers: { POST?: string }[] }>(
    '01-mes-solo-fecha.json',
  );
  expect(readMonth(body.fecha)).toBe('2026-12');
  // The first day of a month that has not begun: one evening earlier was read before, and closed the month that runs.
  const proximo = `${addDays(`${civilDay(new Date()).slice(0, 7)}-28`, 4).slice(0, 7)}-01`;
  await buildOrden(db, { fecha: new Date() });
  for (const path of [POST, ...brothers.flatMap((brother) => brother.POST ?? [])])
    expect(message(await post(path, { fecha: proximo }, token)).toLowerCase()).toContain(
      `${nombreOfMes(proximo.slice(0, 7))} todavía no empieza`,
    );
});

test('08: a range of a day alone is the whole day, in every call with a range', async () => {
  const dia = '2026-08-20';
  const antes = addDays(dia, -1);
  const casos = read<{ GET: string[] }>('08-rango-solo-fecha.json').GET;
  expect(casos).toHaveLength(6);
  await buildOrden(db, { fecha: `${dia}T06:00:00.000Z` });
  await buildOrden(db, { fecha: '2026-08-21T05:59:59.999Z' });
  const paths = {
    '/api/ordenes/rangoFecha': '',
    '/api/ordenes/rangoFechaV2': `/${encodeURIComponent('{}')}`,
    '/api/facturas': '',
    '/api/envios': '',
    '/api/preguntas2': '',
    '/api/internalStocks': '/todos/todos',
  };
  for (const [path, end] of Object.entries(paths)) {
    const rows = async (from: string, to: string) => (await get(`${path}/${from}/${to}${end}`, token)).text;
    expect(await rows(dia, dia), path).toBe(await rows(`${dia}T06:00:00.000Z`, '2026-08-21T05:59:59.999Z'));
    expect((await rows(antes, antes)).length, path).toBeLessThanOrEqual((await rows(dia, dia)).length);
  }
  expect((await get(`/api/ordenes/rangoFecha/${dia}/${dia}`, token)).body).toHaveLength(2);
  const query = encodeURIComponent(JSON.stringify({ search: { dateCreated: { $gte: dia, $lte: dia } } }));
  expect((await get(`/api/ordenesActivas?query=${query}`, token)).body).toMatchObject({ docs: { length: 2 } });
});

test.each([
  ['2026-12-01', '2026-12-01', '2026-12', '2026-12-01T06:00:00.000Z'],
  ['2026-12', null, '2026-12', null],
  ['2026-12-01T00:00:00Z', '2026-11-30', '2026-11', '2026-12-01T00:00:00.000Z'],
  ['2026-12-01T00:00:00', '2026-12-01', '2026-12', '2026-12-01T06:00:00.000Z'],
  ['2026-12-01 00:00:00.5-0600', '2026-12-01', '2026-12', '2026-12-01T06:00:00.500Z'],
  ['2026-02-30', null, null, null],
  ['01/12/2026', null, null, null],
  ['', null, null, null],
])('a day, a month and an instant are told apart by their form: %s', (text, day, month, from) => {
  expect([readDay(text), readMonth(text), readEnd(text, 'from')?.toISOString() ?? null]).toEqual([day, month, from]);
});

test('the last millisecond of a day ends a range, and no day is an instant', () => {
  expect(readEnd('2026-11-26', 'to')!.toISOString()).toBe('2026-11-27T05:59:59.999Z');
  expect(readInstant('2026-11-26')).toBeNull();
  expect(() => toInstant('2026-11-26')).toThrow(RangeError);
});

test('12: PUBLICO EN GENERAL however written is that receiver, which no sale is invoiced to', async () => {
  const { POST, body } = read<{ POST: string; body: { cliente: object } }>('12-publico-en-general-punto.json');
  const { numOrden } = await buildOrden(db, { fecha: new Date() });
  const cliente = { ...body.cliente, cp: '06700' };
  const refused = await ask('POST', POST, { token, body: { ...body, cliente, numOrden, fecha: civilDay(new Date()) } });
  expect(refused.text).toContain('es solo para la factura global');
  const brothers = ['PUBLICO  EN  GENERAL', 'publico en general', '"Público en General".', 'PUBLICO, EN GENERAL'];
  expect(brothers.map(isPublicoGeneral)).toEqual([true, true, true, true]);
  expect(['PUBLICO EN GENERAL SA DE CV', 'PUBLICIDAD EN GENERAL'].map(isPublicoGeneral)).toEqual([false, false]);
});

test('13: an address whose domain has letters of any script is taken, and kept as mail servers write it', async () => {
  const { POST, body } = read<{ POST: string; body: { rfc: string; razonS: string; cp: string; emails: string[] } }>(
    '13-correo-idn.json',
  );
  await sandbox.facturacom.addContribuyente({ rfc: body.rfc, nombre: body.razonS, cp: body.cp, regimenes: ['601'] });
  expect((await withWorker(() => post(POST, body, token))).body).toMatchObject({
    emails: ['compras@xn--muoz-hqa.com'],
  });
  expect(['a@münchen.de', 'a@correo.日本', 'a@ñandú.com.mx'].map(isEmail)).toEqual([true, true, true]);
  expect(['a@muñoz', 'a@mu ñoz.com', 'a@muñoz.com/x', 'ñ@muñoz.com', 'a@@muñoz.com'].map(isEmail)).toEqual(
    Array<boolean>(5).fill(false),
  );
});
