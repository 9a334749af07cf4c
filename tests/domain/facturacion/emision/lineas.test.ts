import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { listasDelMes } from '~/domain/facturacion/mes/mesLists.server';
import { clavesPorAprender, codigosOfSkus, rememberCodigos } from '~/domain/facturacion/emision/codigosSku.server';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import {
  refreshArticulos,
  requireDraft,
  saveDraft,
  type FacturaDraft,
} from '~/domain/facturacion/emision/draft.server';
import { beginSaveCliente } from '~/domain/facturacion/emision/draftSteps.server';
import { correctClienteFiscal, readClienteFiscal } from '~/domain/facturacion/receptores/datosFiscales.server';
import { effectView } from '~/platform/effects/effects.server';
import { up as importesDeAntes } from '~db/migrations/20261122_1400_importe_de_orden';
import { civilDay } from '~/core/time';
import { action as facturar } from '~/routes/facturacion/emision/facturacion';
import { action as anotar } from '~/routes/facturacion/notaSencilla/notaSencilla';
import { buildBorrador, buildVenta, REVISION } from '../../../support/builders/ventas';
import { openPac, settle } from '../../../support/pac';
import { runJobs } from '../../../support/jobs';

const { db, sandbox, sa } = await openPac({ publicoGeneral: true });
const create = (draft: FacturaDraft) =>
  db
    .transaction()
    .execute((trx) =>
      createFactura(trx, draft, { revision: REVISION(), diferenciaAceptada: true, usuarioId: sa.id, now: new Date() }),
    );
const again = (draft: FacturaDraft) => requireDraft(db, draft.id, sa);
const said = (call: Promise<unknown>) =>
  call.then(
    () => '',
    (error: Error) => error.message,
  );

async function conCodigo(codigoSat: string) {
  const draft = await buildBorrador(db, await buildVenta(db), sa);
  const sku = `AMS|CAM|SYSCOM|CODIGO-${codigoSat}`;
  await saveDraft(db, draft, { articulos: draft.articulos.map((articulo) => ({ ...articulo, sku, codigoSat })) });
  const effectId = await create(await again(draft));
  const known = () => db.selectFrom('codigoSatSku').select('codigoSat').where('sku', '=', sku).executeTakeFirst();
  return { effectId, known };
}

test('a SAT key is learnt when it was stamped, not when it was typed', async () => {
  const articulo = {
    ...(await buildBorrador(db, await buildVenta(db), sa)).articulos[0]!,
    sku: 'AMS|CAM|SYSCOM|CODIGO-46171610',
  };
  const porAprender = (codigoSat: string) => clavesPorAprender(db, [{ ...articulo, codigoSat }]);
  expect(await porAprender('46171610')).toBe(
    'Al timbrarse, estas claves SAT se propondrán en las próximas facturas: 46171610 para AMS|CAM|SYSCOM|CODIGO-46171610. Las facturas que ya existen no cambian.',
  );
  const { known } = await conCodigo('46171610');
  expect(await known()).toBeUndefined();
  await settle();
  expect(await known()).toEqual({ codigoSat: '46171610' });
  expect([await porAprender('46171610'), await porAprender('01010101')]).toEqual([null, null]);
});

test('a refused SAT key is neither learnt nor proposed again', async () => {
  await sandbox.facturacom.failNext('refuse', { code: 'CFDI40162' });
  const { effectId, known } = await conCodigo('46171699');
  // Somebody had typed it before keys were learnt by stamping.
  await db
    .insertInto('codigoSatSku')
    .values({ sku: 'AMS|CAM|SYSCOM|CODIGO-46171699', codigoSat: '46171699' })
    .execute();
  await settle();
  expect((await effectView(db, effectId))!.state).toBe('refused');
  expect(await known()).toBeUndefined();
});

test('a key that a whole catalogue does not have is refused before anything is sent', async () => {
  await sql`insert into sat_clave (catalogo, clave, texto)
    select 'productos', n::text, 'x' from generate_series(50000000, 50040000) n on conflict do nothing`.execute(db);
  expect(await said(conCodigo('46171611'))).toMatch(/^El código SAT 46171611 no existe/);

  // At its own row when it is typed, in the invoice and in the note; one that was learnt and is no key any more is not proposed.
  const escrito = { nombre: 'Cámara', claveUnidad: 'H87', cantidad: '1', precioUnitario: '10.00', tasaIva: '0.160000' };
  const campos = Object.entries({ ...escrito, codigoSat: '46171611' }).map(([name, value]) => [
    `articulos[1].${name}`,
    value,
  ]);
  const primero = Object.entries({ ...escrito, codigoSat: '50000001' }).map(([name, value]) => [
    `articulos[0].${name}`,
    value,
  ]);
  const draft = await buildBorrador(db, await buildVenta(db), sa);
  for (const [action, path] of [
    [facturar, `facturacion?borrador=${draft.id}&paso=1`],
    [anotar, 'notaSencilla'],
  ] as const) {
    const body = new URLSearchParams([['intent', 'articulos'], ['version', '1'], ...primero, ...campos]);
    const request = new Request(`http://trastienda.test/sa/${path}`, { method: 'POST', body });
    expect(
      await action({
        request,
        params: {},
        context: { usuario: sa } as unknown as AppLoadContext,
      } as ActionFunctionArgs),
      path,
    ).toMatchObject({ data: { error: { 'articulos[1].codigoSat': [expect.stringContaining('46171611 no existe')] } } });
  }
  const {
    rows: [articulo],
  } = await sql<{ sku: string }>`select sku from articulo where sku like 'AMS|%' limit 1`.execute(db);
  const propuesto = async (codigoSat: string) => {
    await rememberCodigos(db, [{ sku: articulo!.sku, codigoSat }]);
    return [...(await codigosOfSkus(db, [articulo!.sku])).values()];
  };
  expect(await propuesto('46171611')).toEqual([]);
  expect(await propuesto('50000001')).toEqual(['50000001']);
  await db.deleteFrom('codigoSatSku').where('sku', '=', articulo!.sku).execute();
  await db.deleteFrom('satClave').where('texto', '=', 'x').execute();
});

test('each orden of a factura says what it was charged: by its lines, together the total, and so does one stamped before', async () => {
  const venta = await buildVenta(db, { precios: ['99.99', '250.10', '14.37'] });
  const draft = await buildBorrador(db, venta, sa);
  const [first, ...others] = draft.articulos;
  const extra = { ...first!, ordenId: undefined, nombre: 'Instalación', precioUnitario: '50.00', importe: '50.00' };
  await saveDraft(db, draft, { articulos: [first!, ...others, extra] });
  await create(await again(draft));
  await settle();
  const importes = () =>
    db
      .selectFrom('facturaOrden')
      .innerJoin('orden', 'orden.id', 'facturaOrden.ordenId')
      .select('importe')
      .where('ordenId', 'in', venta.ordenIds)
      .orderBy('orden.marketId')
      .execute()
      .then((rows) => rows.map(({ importe }) => importe?.toFixed(2)));
  expect(await importes()).toEqual(['149.99', '250.10', '14.37']);
  await db.updateTable('facturaOrden').set({ importe: null }).where('ordenId', 'in', venta.ordenIds).execute();
  await importesDeAntes(db as never);
  expect(await importes()).toEqual(['149.99', '250.10', '14.37']);

  // What the buyer paid in all is another figure: the note takes back what was invoiced.
  const mes = civilDay(new Date()).slice(0, 7);
  await db
    .updateTable('orden')
    .set({ clase: 'devuelta', pagadoAbs: '900.00' })
    .where('id', '=', venta.ordenIds[1]!)
    .execute();
  const filtro = listasDelMes.devueltas.parse(new URLSearchParams({ mes, q: venta.numOrden }));
  const filas = await listasDelMes.devueltas.window(db, filtro, { indice: 0, total: 1, corte: null });
  expect(filas.map(({ importe }) => String(importe))).toEqual(['250.10']);
});

test('lines of an orden that was cancelled meanwhile are refused, and «Actualizar artículos» leaves what may be invoiced', async () => {
  const venta = await buildVenta(db, { precios: ['100.00', '200.00'] });
  const draft = await buildBorrador(db, venta, sa);
  await db.updateTable('orden').set({ clase: 'cancelada' }).where('id', '=', venta.ordenIds[1]!).execute();
  expect(await said(create(draft))).toMatch(/ya no se puede facturar.+«Actualizar artículos»/);
  await refreshArticulos(db, draft);
  const fresh = await again(draft);
  expect(fresh.articulos.map(({ ordenId }) => ordenId)).toEqual([venta.ordenIds[0]]);
  await create(fresh);
  await settle();
  expect((await sandbox.facturacom.stamped(venta.numOrden)).map(({ total }) => total)).toEqual(['100.00']);
});

test('of a generic RFC another name is another client: neither an edit nor an invoice renames it', async () => {
  await sandbox.facturacom.aceptaTodo(true);
  const guardar = async (razonSocial: string, before?: FacturaDraft) => {
    const draft = before ?? (await buildBorrador(db, await buildVenta(db), sa));
    const datos = { rfc: 'XAXX010101000', razonSocial, cp: '42501', regimen: '616', email: 'a@correo.test' };
    const saving = beginSaveCliente(db, draft, datos, sa.id);
    saving.catch(() => undefined);
    while (
      (await Promise.race([saving.then(() => true), new Promise<false>((ok) => setTimeout(() => ok(false), 50))])) ===
      false
    )
      await runJobs();
    return again(draft);
  };
  const pedro = await guardar('PEDRO LOPEZ');
  const { clienteFiscalId } = pedro.cliente!;
  await saveDraft(db, pedro, { cliente: { ...pedro.cliente!, modo: 'edicion' } });
  const susana = await guardar('SUSANA DIAZ', await again(pedro));
  expect(susana.cliente!.uid).not.toBe(pedro.cliente!.uid);
  expect(await readClienteFiscal(db, clienteFiscalId!)).toMatchObject({ razonSocial: 'PEDRO LOPEZ' });

  const editar = async (id: string, razonSocial: string) => {
    const { version, cp, regimen } = (await readClienteFiscal(db, id))!;
    const libres = {
      nombre: '',
      apellidos: '',
      telefono: '',
      colonia: '',
      calle: '',
      numeroExterior: '',
      numeroInterior: '',
    };
    const datos = {
      id,
      version,
      razonSocial,
      cp,
      regimen,
      email: 'a@correo.test',
      ciudad: '',
      municipio: '',
      estado: '',
    };
    return said(correctClienteFiscal(db, { ...libres, ...datos }, sa.id));
  };
  expect(await editar(clienteFiscalId!, 'SUSANA DIAZ')).toMatch(/es otro, no una corrección de «PEDRO LOPEZ»/);
  const publico = await db
    .selectFrom('clienteFiscal')
    .select('id')
    .where('razonSocial', '=', 'PUBLICO EN GENERAL')
    .executeTakeFirstOrThrow();
  expect(await editar(publico.id, 'PUBLICO EN GENERAL')).toMatch(/no se modifica/);
});
