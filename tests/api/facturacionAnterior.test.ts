/** What the old client does about documents: a month's, notes, stored tax data, and what customers do with their link. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import { openSession } from '~/domain/personal/sesiones.server';
import { ask, get, post } from '../support/api';
import { buildEnlace } from '../support/builders/enlaces';
import { buildOrden } from '../support/builders/mes';
import { buildVenta, CLIENTES } from '../support/builders/ventas';
import { withWorker } from '../support/jobs';
import { openPac, settle } from '../support/pac';

const { db, sandbox, sa } = await openPac({ publicoGeneral: true });
let token: string;

/** A taxpayer the PAC knows of and our records do not. */
const NUEVO = { rfc: 'LOGM790203R55', razonS: 'MARTHA LOPEZ GUERRERO', cp: '03100', regimen: '612' };

beforeAll(async () => {
  token = await db.transaction().execute((trx) => openSession(trx, sa, true));
  await sandbox.facturacom.addContribuyente({
    rfc: NUEVO.rfc,
    nombre: NUEVO.razonS,
    cp: NUEVO.cp,
    regimenes: [NUEVO.regimen],
  });
});
beforeEach(() => sql`delete from rate_limit`.execute(db));

const said = ({ status, body }: { status: number; body: unknown }) => [status, (body as { message: string }).message];

test('the general invoice of a month takes what was seen and nothing else, once', async () => {
  const [una, otra] = [
    await buildOrden(db, { fecha: '2026-08-03T18:00:00Z' }),
    await buildOrden(db, { fecha: '2026-08-04T18:00:00Z' }),
  ];
  const send = (datos: object[]) =>
    post('/api/factura.com/CFDI/general', { fecha: '2026-08-15T18:00:00.000Z', datos }, token);
  expect((await send([{ _id: una.id }])).status).toBe(409);
  const made = await send([{ _id: una.id }, { _id: otra.id }]);
  expect(made.body).toMatchObject({ error: false, lote: { total: 1, terminado: null } });
  await settle();
  const again = await post('/api/factura.com/CFDI/general', { fecha: '2026-08' }, token);
  expect(again.body).toMatchObject({ message: 'La factura Se genero correctamente', lote: { hechas: 1 } });
  expect(said(await post('/api/factura.com/CFDI/notasCreditoC', { fecha: '2026-08', ordenes: [] }, token))).toEqual([
    422,
    'No hay notas de crédito por emitir de agosto de 2026.',
  ]);
  expect((await post('/api/factura.com/CFDI/notasCreditoR', { fecha: 'nunca' }, token)).status).toBe(422);
});

const NOTA = {
  cliente: {
    nombre: 'Ana',
    apellidos: 'Pérez',
    email: 'ana@correo.test',
    telefono: '5512345678',
    codpos: '06700',
    colonia: 'Roma',
    calle: 'Orizaba',
    numero_exterior: '1',
  },
  articulos: [{ nombre: 'Cable', codigoSat: '26121600', cantidad: 2, precioUnitario: 58 }],
  ticket: 1,
};

test('a simple note is made once for its key, with the next folio', async () => {
  const send = (body: object, llave: string) =>
    ask('POST', '/api/factura/notaSecilla', { token, body, headers: { 'Idempotency-Key': llave } });
  const { body } = await send(NOTA, 'n1');
  const { folio } = body as { folio: string };
  expect(body).toMatchObject({ error: false, message: expect.stringContaining(`folio: ${folio}`) as string });
  expect((await send(NOTA, 'n1')).body).toEqual(body);
  expect((await send({ ...NOTA, fechaNota: '2020-01-01' }, 'n2')).status).toBe(422);
  expect(said(await send({ ...NOTA, cliente: { ...NOTA.cliente, telefono: '55' } }, 'n3'))).toEqual([
    422,
    'El teléfono tiene 10 dígitos',
  ]);
  expect(await db.selectFrom('notaSencilla').select('id').execute()).toHaveLength(1);
});

test('stored tax data are kept at the PAC and here, and corrected', async () => {
  const body = { ...NUEVO, emails: ['martha@correo.test'] };
  const made = await withWorker(() => post('/api/factura.com/datosFiscales', body, token));
  expect(made.body).toMatchObject({ ...body, _id: expect.any(String) as string });
  const change = { ...body, emails: ['otra@correo.test', 'dos@correo.test'] };
  const changed = await withWorker(() => ask('PUT', '/api/factura.com/datosFiscales', { token, body: change }));
  expect(changed.body).toMatchObject({ emails: change.emails, uid: (made.body as { uid: string }).uid });
  expect(
    (await ask('PUT', '/api/factura.com/datosFiscales', { token, body: { ...change, rfc: 'PEGJ800101AB1' } })).status,
  ).toBe(404);
  expect(said(await post('/api/factura.com/datosFiscales', { ...body, emails: ['x'] }, token))[0]).toBe(422);
});

test('a customer invoices with their link alone: what is on record stays masked, and the sale is invoiced once', async () => {
  const venta = await buildVenta(db);
  const enlace = (await buildEnlace(db, venta)).token;
  const { body: suya } = await get(`/api/ordenes/token/${enlace}`);
  expect(suya).toMatchObject({
    ordeni: venta.numOrden,
    orden: [{ productos: [{ cantidad: expect.any(Number) as number }] }],
  });
  expect(JSON.stringify(suya)).not.toContain(venta.ordenIds[0]!);
  const [cliente] = CLIENTES;
  const { body: hallado } = await get(`/api/factura.com/datosFiscales/publico/${cliente.rfc}/${enlace}`);
  expect(hallado).toMatchObject({ _id: null, rfc: cliente.rfc, emails: [expect.stringContaining('•••')] });
  expect((await post(`/api/factura.com/CFDI/publico/${enlace}`, { usoCFDI: 'G03' })).status).toBe(422);
  const { opciones: _opciones, _id, ...datos } = hallado as { opciones: object[]; _id: null; rfc: string };
  const kept = await withWorker(() => post(`/api/factura.com/datosFiscales/publico/${enlace}`, datos));
  expect(kept.body).toEqual({ _id: null, ...datos });
  const made = await withWorker(() => post(`/api/factura.com/CFDI/publico/${enlace}`, { usoCFDI: 'G03' }));
  expect(made.body).toMatchObject({ response: 'success', error: false });
  await settle();
  const again = await post(`/api/factura.com/CFDI/publico/${enlace}`, { usoCFDI: 'G03' });
  expect(again.body).toMatchObject({ INV: { Folio: expect.any(String) as string } });
  const suyas = await db.selectFrom('factura').select('emails').where('numOrden', '=', venta.numOrden).execute();
  expect(suyas).toEqual([{ emails: ['RAO@correo.test'] }]);
});

test('a customer types who they are, and asks no more often than on the page', async () => {
  const venta = await buildVenta(db);
  const enlace = (await buildEnlace(db, venta)).token;
  const cliente = {
    rfc: NUEVO.rfc,
    razons: NUEVO.razonS,
    codpos: NUEVO.cp,
    regimen: NUEVO.regimen,
    email: 'yo@correo.test',
  };
  const made = await withWorker(() =>
    post(`/api/factura.com/CFDI/publico/${enlace}`, { cliente, usoCFDI: 'G03', articulos: [{ precio: 1 }] }),
  );
  expect(made.body).toMatchObject({ response: 'success' });
  for (const rfc of ['PEGJ800101AB1', 'PEGJ800102AB2', 'PEGJ800103AB3', 'PEGJ800104AB4', 'PEGJ800105AB5'])
    expect((await get(`/api/factura.com/datosFiscales/publico/${rfc}/${enlace}`)).status).toBe(404);
  const more = await get(`/api/factura.com/datosFiscales/publico/PEGJ800106AB6/${enlace}`);
  expect([more.status, Number(more.headers.get('Retry-After')) > 0]).toEqual([429, true]);
  expect((await get(`/api/ordenes/token/nada`)).status).toBe(401);
});

test('a sale that cannot be invoiced says why, in the words of its page', async () => {
  const venta = await buildOrden(db, { fecha: new Date(), clase: 'devuelta', marketStatus: 'paid' });
  const enlace = (await buildEnlace(db, venta)).token;
  expect(said(await get(`/api/ordenes/token/${enlace}`))).toEqual([
    422,
    'La orden fue devuelta y no se puede facturar.',
  ]);
});
