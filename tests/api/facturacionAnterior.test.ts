/** What the old client does about documents: a month's, notes, stored tax data, and what customers do with their link. */
import { beforeAll, expect, test, vi } from 'vitest';
import { sql } from 'kysely';
import { forgetEnv } from '~/core/env.server';
import { civilDay } from '~/core/time';
import { openDraft, requireDraft, saveDraft } from '~/domain/facturacion/emision/draft.server';
import { openSession } from '~/domain/personal/sesiones.server';
import { ask, avisoOf, get, post } from '../support/api';
import { buildEnlace } from '../support/builders/enlaces';
import { buildOrden } from '../support/builders/mes';
import { buildVenta, CLIENTES } from '../support/builders/ventas';
import { withWorker } from '../support/jobs';
import { openPac, settle } from '../support/pac';
import { wholeQuotas } from '../support/cuotas';

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
wholeQuotas(db);

/** What the flag tells: an old client shows the words of what comes with 200. */
const flag = (answer: { status: number; body: unknown }) => {
  expect(avisoOf(answer)).toBeTypeOf('string');
  return avisoOf(answer)!;
};

test('the general invoice of a month takes what was seen and nothing else, once', async () => {
  const [una, otra] = [
    await buildOrden(db, { fecha: '2026-08-03T18:00:00Z' }),
    await buildOrden(db, { fecha: '2026-08-04T18:00:00Z' }),
  ];
  const send = (datos: object[]) =>
    post('/api/factura.com/CFDI/general', { fecha: '2026-08-15T18:00:00.000Z', datos }, token);
  flag(await send([{ _id: una.id }]));
  const made = await send([{ _id: una.id }, { _id: otra.id }]);
  expect(made.body).toMatchObject({ error: false, lote: { total: 1, terminado: null } });
  await settle();
  const again = await post('/api/factura.com/CFDI/general', { fecha: '2026-08' }, token);
  expect(again.body).toMatchObject({ message: 'La factura Se genero correctamente', lote: { hechas: 1 } });
  expect(flag(await post('/api/factura.com/CFDI/notasCreditoC', { fecha: '2026-08', ordenes: [] }, token))).toBe(
    'No hay notas de crédito por emitir de agosto de 2026.',
  );
  expect(flag(await post('/api/factura.com/CFDI/notasCreditoR', { fecha: 'nunca' }, token))).toBe(
    'Algunos datos son incorrectos o necesarios, por favor revisar sus datos: Selecciona un mes. (fecha)',
  );
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
  flag(await send({ ...NOTA, fechaNota: '2020-01-01' }, 'n2'));
  expect(flag(await send({ ...NOTA, cliente: { ...NOTA.cliente, telefono: '55' } }, 'n3'))).toBe(
    'El teléfono tiene 10 dígitos (telefono)',
  );
  expect(await db.selectFrom('notaSencilla').select('id').execute()).toHaveLength(1);
});

test('stored tax data are kept at the PAC and here, and corrected', async () => {
  const body = { ...NUEVO, emails: ['martha@correo.test'] };
  const made = await withWorker(() => post('/api/factura.com/datosFiscales', body, token));
  expect(made.body).toMatchObject({ ...body, _id: expect.any(String) as string });
  const change = { ...body, emails: ['otra@correo.test', 'dos@correo.test'] };
  const changed = await withWorker(() => ask('PUT', '/api/factura.com/datosFiscales', { token, body: change }));
  expect(changed.body).toMatchObject({ emails: change.emails, uid: (made.body as { uid: string }).uid });
  flag(await ask('PUT', '/api/factura.com/datosFiscales', { token, body: { ...change, rfc: 'PEGJ800101AB1' } }));
  expect(flag(await post('/api/factura.com/datosFiscales', { ...body, emails: ['x', ''] }, token))).toContain(
    '(emails.0)',
  );
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
  const sinDatos = await post(`/api/factura.com/CFDI/publico/${enlace}`, { usoCFDI: 'G03' });
  expect(sinDatos.body).toMatchObject({ response: 'error', error: true });
  const { opciones: _opciones, _id, ...datos } = hallado as { opciones: object[]; _id: null; rfc: string };
  const kept = await withWorker(() => post(`/api/factura.com/datosFiscales/publico/${enlace}`, datos));
  expect(kept.body).toEqual({ _id: null, ...datos });
  const made = await withWorker(() => post(`/api/factura.com/CFDI/publico/${enlace}`, { usoCFDI: 'G03' }));
  // Success is told with a folio and never before.
  if ((made.body as { error: boolean }).error) expect(flag(made)).toContain('La factura está en proceso.');
  await settle();
  const again = await post(`/api/factura.com/CFDI/publico/${enlace}`, { usoCFDI: 'G03' });
  expect(again.body).toMatchObject({ response: 'success', INV: { Folio: expect.any(String) as string } });
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
  expect((made.body as { message: string }).message).toMatch(/en proceso|con folio/);
  for (const rfc of ['PEGJ800101AB1', 'PEGJ800102AB2', 'PEGJ800103AB3', 'PEGJ800104AB4', 'PEGJ800105AB5'])
    flag(await get(`/api/factura.com/datosFiscales/publico/${rfc}/${enlace}`));
  const more = await get(`/api/factura.com/datosFiscales/publico/PEGJ800106AB6/${enlace}`);
  expect([more.status, Number(more.headers.get('Retry-After')) > 0]).toEqual([429, true]);
  expect((await get(`/api/ordenes/token/nada`)).status).toBe(401);
});

test('a sale that cannot be invoiced says why, in the words of its page', async () => {
  const venta = await buildOrden(db, { fecha: new Date(), clase: 'devuelta', marketStatus: 'paid' });
  const enlace = (await buildEnlace(db, venta)).token;
  expect(flag(await get(`/api/ordenes/token/${enlace}`))).toBe('La orden fue devuelta y no se puede facturar.');
});

/** A factura as the old client's third step asks for it. */
const pedida = (venta: { numOrden: string }, otro: object = {}, cliente: object = {}) => {
  const { rfc, razonSocial, cp, regimen } = CLIENTES[0];
  return {
    cliente: { rfc, razons: razonSocial, codpos: cp, regimen, email: 'RAO@correo.test', ...cliente },
    usoCFDI: 'G03',
    tipoPago: '04',
    ticket: venta.numOrden,
    expira: false,
    fechaFacturacion: new Date().toISOString(),
    ...otro,
  };
};
const facturar = (body: object) => post('/api/factura.com/CFDI', body, token);
const EDITADA = { nombre: 'DESCRIPCION EDITADA', codigoSat: '43222609', cantidad: 2, precioUnitario: 500, sku: '' };
const stamped = async (numOrden: string) =>
  db
    .selectFrom('effect')
    .innerJoin('facturaDraft', 'facturaDraft.effectId', 'effect.id')
    .select(['effect.state', sql<{ descripcion: string }[]>`effect.request -> 'cfdi' -> 'conceptos'`.as('conceptos')])
    .where('facturaDraft.numOrden', '=', numOrden)
    .orderBy('effect.createdAt')
    .execute();

test('a factura is of the rows that were sent, never of what the screen was left with, and its folio is told again', async () => {
  const venta = await buildVenta(db);
  const id = await openDraft(db, venta.numOrden, sa.id);
  const enPantalla = await requireDraft(db, id, sa);
  const [fila] = enPantalla.articulos;
  await saveDraft(db, enPantalla, { articulos: [{ ...fila!, nombre: 'EDITADO EN PANTALLA' }] });
  const body = pedida(venta, { articulos: [EDITADA] }, { email2: '', email3: null });
  const first = await facturar(body);
  if ((first.body as { error: boolean }).error)
    expect(first.body).toMatchObject({
      response: 'error',
      message: 'La factura está en proceso. Consulta la orden en un momento.',
    });
  await settle();
  const [{ conceptos }] = (await stamped(venta.numOrden)) as [Awaited<ReturnType<typeof stamped>>[0]];
  expect(conceptos).toMatchObject([
    { descripcion: 'DESCRIPCION EDITADA', claveProdServ: '43222609', cantidad: 2, valorUnitario: '431.034483' },
  ]);
  expect((await requireDraft(db, id, sa)).articulos[0]!.nombre).toBe('EDITADO EN PANTALLA');
  expect((await facturar(body)).body).toMatchObject({
    response: 'success',
    error: false,
    INV: { Serie: 'F', Folio: expect.any(String) as string },
  });
  expect(flag(await facturar({ ...body, articulos: [{ ...EDITADA, precioUnitario: 1 }] }))).toContain(
    'ya está facturada',
  );
});

test('a row of the sale keeps its cents, and one price without VAT is enough', async () => {
  const venta = await buildVenta(db);
  const [orden] = (await get(`/api/ordenes/${venta.numOrden}`, token)).body as [{ _id: string; productos: object[] }];
  const articulos = [
    ...orden.productos.map((producto) => ({ ...producto, orden: orden._id, codigoSat: '' })),
    { nombre: 'Funda', cantidad: '1', precioSinIva: '100', codigoSat: '43222609', sku: null },
  ];
  await facturar(pedida(venta, { articulos }));
  await settle();
  const [{ conceptos }] = (await stamped(venta.numOrden)) as [Awaited<ReturnType<typeof stamped>>[0]];
  expect(conceptos.at(-1)).toMatchObject({ descripcion: 'Funda', base: '100.000000' });
  expect(conceptos).toHaveLength(articulos.length);
});

test('a refusal of the PAC is of one request: the next one is asked anew, by both APIs', async () => {
  for (const v1 of [false, true]) {
    const venta = await buildVenta(db);
    const send = () => {
      const { cliente, usoCFDI: usoCfdi, tipoPago: formaPago, ticket: numOrden } = pedida(venta);
      const { razons: razonSocial, codpos: cp, ...resto } = cliente;
      const fecha = civilDay(new Date());
      const body = { numOrden, usoCfdi, formaPago, fecha, cliente: { ...resto, razonSocial, cp } };
      return v1 ? post('/api/v1/facturas', body, token) : facturar(pedida(venta));
    };
    await sandbox.facturacom.failNext('refuse', { route: '/create', message: 'CFDI40147 - El nombre no corresponde' });
    await send();
    await settle();
    await send();
    await settle();
    expect((await stamped(venta.numOrden)).map(({ state }) => state)).toEqual(['refused', 'done']);
    const again = await send();
    expect(again.body).toMatchObject(v1 ? { estado: 'lista' } : { response: 'success' });
  }
});

test('a refused factura says response error and which field is wrong', async () => {
  const venta = await buildVenta(db);
  const wrong = await facturar(pedida(venta, {}, { email2: 'x', codpos: '123' }));
  expect(flag(wrong)).toMatch(/\(cliente\.codpos\).*\(cliente\.email2\)/);
  expect(wrong.body).toMatchObject({ response: 'error', titulo: 'Error de llenado.' });
});

test('the statuses of before come back by their setting', async () => {
  vi.stubEnv('API_ESTADOS_ANTERIORES', '1');
  forgetEnv();
  try {
    expect((await get('/api/ordenes/no-existe', token)).status).toBe(422);
    expect((await post('/api/usuario/login', { user: 'nadie', password: 'mala' })).status).toBe(401);
  } finally {
    vi.unstubAllEnvs();
    forgetEnv();
  }
  flag(await get('/api/ordenes/no-existe', token));
  flag(await post('/api/usuario/login', { user: 'nadie', password: 'mala' }));
});
