import { beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { defineOpenCall } from '~/api/call.server';
import { createDispatch } from '~/api/dispatch.server';
import { openSession } from '~/domain/personal/sesiones.server';
import { civilDay } from '~/core/time';
import { buildClientes, buildVenta, CLIENTES } from '../support/builders/ventas';
import { ask, avisoOf, get, post, type Asking } from '../support/api';
import { openPac, settle } from '../support/pac';

const { db, sandbox, sa } = await openPac({ pace: 0.02 });
let token: string;

beforeAll(async () => {
  token = await db.transaction().execute((trx) => openSession(trx, sa, true));
  await buildClientes(db);
});

const send = (address: string, body: unknown, llave: string, more: Asking = {}) =>
  ask('POST', address, { token, body, ...more, headers: { 'Idempotency-Key': llave } });

const empresasDe = (nombre: string) => db.selectFrom('empresa').select('id').where('nombre', '=', nombre).execute();

test('the same key gets the same answer, and the work is done once', async () => {
  const first = await send('/api/empresa', { nombre: 'Una' }, 'una');
  const again = await send('/api/empresa', { nombre: 'Una' }, 'una');
  expect(again.body).toEqual(first.body);
  expect(first.headers.get('Idempotency-Replayed')).toBeNull();
  expect(again.headers.get('Idempotency-Replayed')).toBe('true');
  expect(await empresasDe('Una')).toHaveLength(1);
});

test('a database that is away is told with the time to come back', async () => {
  const nameCall = vi.fn();
  const answer = z.object({});
  const lost = Object.assign(new Error('terminating connection'), { code: '57P01' });
  const call = defineOpenCall({ method: 'GET', path: '/api/x', resumen: '', answer, run: () => Promise.reject(lost) });
  const away = await createDispatch([call])({
    request: new Request('http://trastienda.test/api/x'),
    path: '/api/x',
    requestId: 'r',
    ip: '::1',
    nameCall,
  });
  // The log knows the call by its address alone.
  expect(nameCall).toHaveBeenCalledWith('/api/x');
  expect([away.status, away.headers.get('Retry-After')]).toEqual([503, '10']);
});

test('another request under the same key is refused', async () => {
  await send('/api/empresa', { nombre: 'Dos' }, 'dos');
  const { status, body } = await send('/api/empresa', { nombre: 'Tres' }, 'dos');
  expect([status, (body as { message: string }).message]).toEqual([
    200,
    'Esta llave ya se usó para otra petición. Cada petición lleva la suya.',
  ]);
  expect(await empresasDe('Tres')).toHaveLength(0);
});

test('a refusal of the business is kept too; what was not even read is not', async () => {
  await send('/api/empresa', { nombre: 'Cuatro' }, 'cuatro');
  const refused = await send('/api/empresa', { nombre: 'Cuatro' }, 'otra cuatro'.replace(' ', '-'));
  expect(avisoOf(refused)).toBeTypeOf('string');
  await db.deleteFrom('empresa').where('nombre', '=', 'Cuatro').execute();
  expect((await send('/api/empresa', { nombre: 'Cuatro' }, 'otra-cuatro')).body).toEqual(refused.body);
  expect(avisoOf(await send('/api/empresa', { nombre: '' }, 'cinco'))).toContain('(nombre)');
  expect((await send('/api/empresa', { nombre: 'Cinco' }, 'cinco')).status).toBe(200);
});

test('a key that a process left behind is taken over once its time is up', async () => {
  const [una] = await db.selectFrom('respuestaApi').selectAll().limit(1).execute();
  const left = { quien: una!.quien, llave: 'muerta', huella: una!.huella, tomadaHasta: new Date(Date.now() - 1_000) };
  await db.insertInto('respuestaApi').values(left).execute();
  expect((await send('/api/empresa', { nombre: 'Seis' }, 'muerta')).status).toBe(200);
});

test('keys are of a person: another may use the same word', async () => {
  const { id } = await db.selectFrom('usuario').select('id').where('id', '=', sa.id).executeTakeFirstOrThrow();
  const other = await db
    .insertInto('usuario')
    .values({ usuario: 'otro-sa', nombre: 'Otro', apellidos: 'Sa', email: 'o@o.mx', rol: 'sa', passwordHash: '-' })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect(other.id).not.toBe(id);
  const hers = await db.transaction().execute((trx) => openSession(trx, other, true));
  expect((await send('/api/empresa', { nombre: 'Siete' }, 'siete')).status).toBe(200);
  expect((await send('/api/empresa', { nombre: 'Ocho' }, 'siete', { token: hers })).status).toBe(200);
});

test.each(['', 'con espacio', 'x'.repeat(201), 'ñ'])('a key is short and plain: %j', async (llave) => {
  const sent = ask('POST', '/api/empresa', {
    token,
    body: { nombre: 'N' },
    headers: { 'Idempotency-Key': encodeURI(llave) },
  });
  if (llave === 'ñ' || llave === 'con espacio') expect((await sent).status).toBe(200);
  else expect(avisoOf(await sent)).toContain('Idempotency-Key');
  await db.deleteFrom('empresa').where('nombre', '=', 'N').execute();
});

test('the same key from fifty connections at once makes one factura', async () => {
  const { numOrden } = await buildVenta(db);
  const { rfc, razonSocial, cp, regimen } = CLIENTES[0];
  const body = {
    numOrden,
    cliente: { rfc, razonSocial, cp, regimen, email: 'RAO@correo.test' },
    usoCfdi: 'G03',
    formaPago: '04',
    fecha: civilDay(new Date()),
  };
  const answers = await Promise.all(Array.from({ length: 50 }, () => send('/api/v1/facturas', body, 'factura')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const effects = await db.selectFrom('effect').select('id').where('type', '=', 'cfdi.stamp').execute();
  expect(effects).toHaveLength(1);
  await settle();
  expect(await sandbox.facturacom.stamped()).toHaveLength(1);
  // Without a key it is the same factura, and its folio is told.
  const { status, body: again } = await post('/api/v1/facturas', body, token);
  expect([status, (again as { estado: string }).estado]).toEqual([202, 'lista']);
  // With its key too: what was said then has come to an end.
  expect((await send('/api/v1/facturas', body, 'factura')).body).toEqual(again);
  const [{ headers }] = answers as [(typeof answers)[0]];
  expect((await get(headers.get('Location')!, token)).body).toEqual(again);

  const otra = { ...body, numOrden: (await buildVenta(db)).numOrden };
  await sandbox.facturacom.failNext('refuse', { code: 'CFDI40145' });
  const no = await send('/api/v1/facturas', otra, 'otra');
  await settle();
  const { id } = no.body as { id: string };
  const location = `/api/v1/facturas/solicitudes/${id}`;
  expect([no.status, no.headers.get('Location')]).toEqual([202, location]);
  expect((await get(location, token)).body).toMatchObject({ id, numOrden: otra.numOrden, estado: 'rechazada' });
  expect((await ask('DELETE', location, { token })).status).toBe(422);
});
