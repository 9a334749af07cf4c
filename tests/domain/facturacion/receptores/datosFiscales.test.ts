import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Usuario } from '~/core/usuario';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { runEffect, sweepEffects } from '~/platform/effects/runEffect.server';
import type { ClienteFiscalEditado } from '~/domain/facturacion/receptores/forms';
import {
  correctClienteFiscal,
  datosFiscalesList,
  readClienteFiscal,
  documentosOfCliente,
} from '~/domain/facturacion/receptores/datosFiscales.server';
import { findClientes } from '~/domain/facturacion/receptores/clientes.server';
import { connectPacReader, linkFacturacom } from '~/domain/facturacion/cfdi/emisor.server';
import { action, loader } from '~/routes/facturacion/receptores/lista';
import { doBeside } from '../../../support/beside';
import { buildFactura } from '../../../support/builders/facturas';
import { buildClientes, buildPersona, CLIENTES } from '../../../support/builders/ventas';
import { testDatabase } from '../../../support/db';
import { startTestSandbox } from '../../../support/sandbox';

const sandbox = await startTestSandbox();
const { db } = testDatabase();
let admin: Usuario;
let id: string;

beforeAll(async () => {
  admin = await buildPersona(db, 'admin');
  const { apiKey, secretKey } = await sandbox.facturacom.keys();
  await linkFacturacom(db, { apiKey, secret: secretKey, usuarioId: admin.id });
  await buildClientes(db);
  id = (await db.selectFrom('clienteFiscal').select('id').where('rfc', '=', CLIENTES[0].rfc).executeTakeFirstOrThrow())
    .id;
});
beforeEach(() => sandbox.clear());

const read = async () => (await readClienteFiscal(db, id))!;
async function editado(change: Partial<ClienteFiscalEditado> = {}): Promise<ClienteFiscalEditado> {
  const { version, razonSocial, cp, regimen, emails } = await read();
  return {
    id,
    version,
    razonSocial,
    cp,
    regimen,
    email: emails[0]!,
    nombre: '',
    apellidos: '',
    telefono: '',
    colonia: '',
    calle: '',
    numeroExterior: '',
    numeroInterior: '',
    ciudad: '',
    municipio: '',
    estado: '',
    ...change,
  };
}
/** The worker's part, while the page waits. */
async function correct(change: Partial<ClienteFiscalEditado>, datos?: ClienteFiscalEditado) {
  const saving = correctClienteFiscal(db, datos ?? (await editado(change)), admin.id);
  const endRunning = doBeside(60, runLive);
  try {
    return await saving;
  } finally {
    await endRunning();
  }
}
async function runLive() {
  for (const { id: effectId } of await db
    .selectFrom('effect')
    .select('id')
    .where('type', '=', 'pac.client')
    .where('state', '=', 'queued')
    .execute())
    await runEffect(effectRuntime(db), effectId);
}

test('a correction reaches the PAC and then the record, and is audited by its fields', async () => {
  const change = {
    telefono: '5512345678',
    nombre: 'María Fernanda',
    colonia: 'Juárez',
    municipio: 'Cuauhtémoc',
    email2: 'otro@correo.test',
  };
  expect(await correct(change)).toBe(true);
  const cliente = await read();
  expect(cliente).toMatchObject({
    telefono: '5512345678',
    nombre: 'María Fernanda',
    colonia: 'Juárez',
    delegacion: 'Cuauhtémoc',
    emails: ['RAO@correo.test', 'otro@correo.test'],
    guardando: false,
  });
  const enPac = await (await connectPacReader(db)).clientByUid(cliente.uid!);
  expect(enPac).toMatchObject({
    telefono: '5512345678',
    colonia: 'Juárez',
    delegacion: 'Cuauhtémoc',
    emails: cliente.emails,
  });
  const [hecho] = await db
    .selectFrom('bitacora')
    .select(['datos', 'usuarioId'])
    .where('accion', '=', 'corregir')
    .where('entidadId', '=', id)
    .execute();
  expect(hecho).toEqual({
    usuarioId: admin.id,
    datos: { campos: expect.arrayContaining(['telefono', 'nombre', 'colonia', 'delegacion', 'emails']) },
  });
});

test('empty text clears what was there', async () => {
  await correct({ telefono: '5500000000' });
  expect(await correct({})).toBe(true);
  expect((await read()).telefono).toBe('');
});

test('who opened the record before somebody else saved it is told', async () => {
  const old = await editado();
  await correct({ nombre: 'Primera' });
  await expect(correctClienteFiscal(db, old, admin.id)).rejects.toThrow(
    /^Otra persona modificó este registro\. .*Nombre: aquí «.+», ahora «Primera»\..* vuelve a presionar/,
  );
});

test('while one correction is on its way to the PAC nobody begins another', async () => {
  const datos = await editado({ nombre: 'En camino' });
  const saving = correctClienteFiscal(db, datos, admin.id);
  await expect.poll(async () => (await read()).guardando).toBe(true);
  await expect(
    correctClienteFiscal(db, { ...datos, nombre: 'Otra', razonSocial: 'OTRO NOMBRE' }, admin.id),
  ).rejects.toThrow('Otra persona está guardando los datos de este cliente.');
  await runLive();
  expect(await saving).toBe(true);
});

test('a no of the PAC changes nothing here and is told in its words', async () => {
  const before = await read();
  await sandbox.facturacom.failNext('refuse', {
    route: '/update',
    message: { codpos: ['El código postal no existe'] },
  });
  await expect(correct({ nombre: 'Nadie' })).rejects.toMatchObject({
    titulo: 'Error',
    message: expect.stringContaining('El código postal no existe'),
  });
  expect(await read()).toEqual(before);
});

test('a lost answer is looked up: what the PAC already has is not asked twice', async () => {
  await sandbox.facturacom.failNext('reset-after-doing', { route: '/update' });
  await correct({ nombre: 'Perdida' });
  await db
    .updateTable('effect')
    .set({ nextAt: new Date(0) })
    .where('state', '=', 'unknown')
    .execute();
  await sweepEffects(db);
  for (const { id: effectId } of await db.selectFrom('effect').select('id').where('state', '=', 'unknown').execute())
    await runEffect(effectRuntime(db), effectId);
  expect(await read()).toMatchObject({ nombre: 'Perdida', guardando: false });
  expect(
    (await sandbox.requests('facturacom', 500)).filter(
      ({ path, fault }) => path.endsWith('/update') && fault === 'reset-after-doing',
    ),
  ).toHaveLength(1);
});

test.each<[Partial<ClienteFiscalEditado>, string]>([
  [{ regimen: '601' }, 'regimen'],
  [{ razonSocial: 'PUBLICO EN GENERAL' }, 'razonSocial'],
])('%o is refused before the PAC is asked', async (change, campo) => {
  const asked = (await sandbox.requests('facturacom', 500)).length;
  await expect(correctClienteFiscal(db, await editado(change), admin.id)).rejects.toMatchObject({ campo });
  expect((await sandbox.requests('facturacom', 500)).length).toBe(asked);
});

test('a name that the RFC already has in another record is refused', async () => {
  await db
    .insertInto('clienteFiscal')
    .values({ rfc: CLIENTES[0].rfc, razonSocial: 'MARIA F RAMIREZ', cp: '06600', regimen: '612', uid: 'otro-uid' })
    .execute();
  await expect(
    correctClienteFiscal(db, await editado({ razonSocial: 'MARIA F RAMIREZ' }), admin.id),
  ).rejects.toMatchObject({ campo: 'razonSocial' });
  await db.deleteFrom('clienteFiscal').where('uid', '=', 'otro-uid').execute();
});

test('the list finds a customer by RFC, name without accents, code and phone', async () => {
  await correct({ telefono: '5599887766' });
  for (const q of ['RAOF85', 'fernanda ramirez', '5599887766', 'nuñez peña', 'P&M']) {
    expect((await datosFiscalesList.totals(db, datosFiscalesList.parse(new URLSearchParams({ q })))).registros, q).toBe(
      1,
    );
  }
});

const args = (query: string, body?: Record<string, string>) =>
  ({
    request: new Request(
      `http://trastienda.test/admin/datosFiscales${query}`,
      body && { method: 'POST', body: new URLSearchParams(body) },
    ),
    params: {},
    context: { usuario: admin } as unknown as AppLoadContext,
  }) as ActionFunctionArgs;

test('the screen opens one record, asks before it saves, and fills an address without JavaScript', async () => {
  expect((await loader(args(`?ver=${id}`))).abierto).toMatchObject({
    cliente: { rfc: CLIENTES[0].rfc },
    porVenta: null,
  });
  expect((await loader(args('?ver=nada'))).abierto).toBe('ausente');
  const { id: _id, version, ...datos } = await editado();
  const body = { ...datos, id, version: String(version), intent: 'guardar' } as unknown as Record<string, string>;
  expect(await action(args(`?ver=${id}&editar=1`, body))).toMatchObject({
    data: { confirmar: { texto: '¿Esta seguro que desea guardar la información?' } },
  });
  expect(
    await action(args(`?ver=${id}&editar=1`, { ...body, cp: '1', telefono: '55', confirmado: '1' })),
  ).toMatchObject({
    data: { error: { cp: ['Código Postal No Valido'], telefono: ['El teléfono tiene 10 dígitos'] } },
    init: { status: 422 },
  });
  expect(await action(args(`?ver=${id}&editar=1`, { ...body, cp: '98600', intent: 'buscarCp' }))).toMatchObject({
    data: {
      initialValue: { municipio: 'Guadalupe', estado: 'Zacatecas', razonSocial: datos.razonSocial },
      resultado: { colonias: ['Guadalupe Centro', 'Ejidal'] },
    },
  });
});

test('before a client is corrected it is told which documents keep what they say', async () => {
  const { uid, rfc } = await read();
  expect(await documentosOfCliente(db, { uid, rfc })).toBeNull();
  for (const [serie, folio, estatus] of [
    ['DOC', 7, 'vigente'],
    ['DOC', 8, 'cancelada'],
  ] as const) {
    const factura = await buildFactura(db, { serie, folio, rfc, estatus });
    await db.updateTable('factura').set({ receptorUid: uid }).where('id', '=', factura.id).execute();
  }
  // Of the same RFC, and of another receiver.
  await buildFactura(db, { serie: 'DOC', folio: 9, rfc });
  const fijos =
    'Este cliente ya tiene la factura DOC-7: no cambia. Las notas de crédito que se emitan después llevan los datos nuevos.';
  expect(await documentosOfCliente(db, { uid, rfc })).toBe(fijos);
  const form = Object.entries(await editado()).filter(([, value]) => value !== undefined) as [string, string][];
  const request = new Request('http://trastienda.test/admin/datosFiscales', {
    method: 'POST',
    body: new URLSearchParams([['intent', 'guardar'], ...form]),
  });
  expect(
    await action({
      request,
      params: {},
      context: { usuario: admin } as unknown as AppLoadContext,
    } as ActionFunctionArgs),
  ).toMatchObject({
    data: {
      confirmar: {
        texto: '¿Esta seguro que desea guardar la información?',
        hechos: expect.stringContaining(fijos) as string,
      },
    },
  });
});

test('who was invoiced by what they typed is listed as of a sale, with its documents, and offered to nobody', async () => {
  const typed = {
    uid: 'uid-por-venta',
    rfc: 'PEMA850203QX5',
    razonSocial: 'AMALIA PEÑA MUÑIZ',
    cp: '44100',
    regimen: '612',
  };
  await db.insertInto('clientePublico').values(typed).execute();
  const factura = await buildFactura(db, { serie: 'PVE', folio: 1, rfc: typed.rfc, numOrden: '2000016000000999' });
  await db.updateTable('factura').set({ receptorUid: typed.uid }).where('id', '=', factura.id).execute();
  const listed = async (query: string) => (await loader(args(`?q=${query}`))).lista;
  const { ventana, totales } = await listed('amalia pena');
  expect(ventana.filas).toMatchObject([{ rfc: typed.rfc, origen: 'venta', telefono: null, emails: [] }]);
  expect(totales).toMatchObject({ registros: 1, porVenta: 1 });
  expect((await listed(`${typed.rfc}&origen=registro`)).ventana.filas).toEqual([]);
  const registro = (await listed('&origen=registro')).ventana.filas;
  expect(registro.length).toBeGreaterThan(0);
  expect(registro.every(({ origen }) => origen === 'registro')).toBe(true);
  const { abierto } = await loader(args(`?ver=${ventana.filas[0]!.id}&editar=1`));
  expect(abierto).toMatchObject({
    cliente: null,
    editar: false,
    porVenta: { rfc: typed.rfc, facturas: [{ folio: 'PVE-1', numOrden: '2000016000000999' }] },
  });
  expect(await findClientes(db, typed.rfc)).toEqual([]);
});
