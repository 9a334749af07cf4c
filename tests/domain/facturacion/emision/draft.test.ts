import { beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { effectView } from '~/platform/effects/effects.server';
import { runEffect } from '~/platform/effects/runEffect.server';
import { codigosOf, rememberCodigos } from '~/domain/facturacion/emision/codigosSku.server';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import {
  fromGuardado,
  openDraft,
  reopenDraft,
  requireDraft,
  saveDraft,
} from '~/domain/facturacion/emision/draft.server';
import { beginSaveCliente, lookUpCliente, readDraft } from '~/domain/facturacion/emision/draftSteps.server';
import { findClientes } from '~/domain/facturacion/receptores/clientes.server';
import { connectPacReader } from '~/domain/facturacion/cfdi/emisor.server';
import type { Usuario } from '~/core/usuario';
import { civilDay } from '~/core/time';
import {
  buildBorrador,
  buildPersona,
  buildVenta,
  CLIENTES,
  REVISION,
  type Venta,
} from '../../../support/builders/ventas';
import { testDatabase } from '../../../support/db';
import { withWorker } from '../../../support/jobs';
import { openEmisor } from '../../../support/pac';
import { startTestSandbox } from '../../../support/sandbox';

const sandbox = await startTestSandbox();
const { db } = testDatabase();
let usuario: Usuario;

beforeAll(async () => {
  usuario = await openEmisor(db, sandbox, 'admin');
});

const draftOf = async (venta: Venta) => requireDraft(db, await openDraft(db, venta.numOrden, usuario.id), usuario);
const setOrden = (venta: Venta, at: number, set: Record<string, unknown>) =>
  db.updateTable('orden').set(set).where('id', '=', venta.ordenIds[at]!).execute();
const create = (draft: Awaited<ReturnType<typeof draftOf>>, extra: Partial<Parameters<typeof createFactura>[2]> = {}) =>
  db.transaction().execute((trx) =>
    createFactura(trx, draft, {
      revision: REVISION(),
      diferenciaAceptada: false,
      usuarioId: usuario.id,
      now: new Date(),
      ...extra,
    }),
  );
const run = async (id: string) => {
  await runEffect(effectRuntime(db), id);
  return effectView(db, id);
};

test('a sale is found by its pack and by any order in it, trimmed', async () => {
  const venta = await buildVenta(db, { precios: ['99.99', '14.37'] });
  const [second] = await db.selectFrom('orden').select('marketId').where('id', '=', venta.ordenIds[1]!).execute();
  const byPack = await openDraft(db, ` ${venta.numOrden} `, usuario.id);
  expect(await openDraft(db, second!.marketId, usuario.id)).toBe(byPack);
  expect((await requireDraft(db, byPack, usuario)).articulos).toHaveLength(2);
});

test('an unknown number says what to do', async () => {
  await expect(openDraft(db, '999', usuario.id)).rejects.toThrow('No se encontró la orden.');
});

test.each([
  [{ clase: 'cancelada' }, 'La orden de la factura fue cancelada y no se puede facturar.'],
  [{ clase: 'devuelta' }, 'La orden fue devuelta y no se puede facturar.'],
  [{ meliResale: true }, 'Mercado Libre le factura esta venta al cliente; no se puede facturar aquí.'],
  [{ situacion: 'cobroPendiente' }, 'El pago de la orden todavía no está confirmado y no se puede facturar.'],
])('%o cannot be invoiced', async (set, texto) => {
  const venta = await buildVenta(db);
  await setOrden(venta, 0, set);
  await expect(openDraft(db, venta.numOrden, usuario.id)).rejects.toThrow(texto);
});

test('of a pack with a cancelled order, the rest is invoiced and the page says what is left out', async () => {
  const venta = await buildVenta(db, { precios: ['100.00', '200.00'] });
  await setOrden(venta, 0, { clase: 'cancelada' });
  const draft = await draftOf(venta);
  expect(draft.articulos.map(({ importe }) => importe)).toEqual(['200.00']);
  const vista = await readDraft(db, draft.id, usuario, '1');
  expect(vista.excluidas).toHaveLength(1);
});

test('shipping is one line per shipment, whatever the number of orders in it', async () => {
  const venta = await buildVenta(db, { precios: ['100.00', '200.00'] });
  const envio = await db
    .insertInto('envio')
    .values({
      market: 'ml',
      marketId: `e${venta.numOrden}`,
      estatus: 'pending',
      cobrado: '99.00',
      fechaCreacion: new Date(),
      actualizadoEn: new Date(),
      datos: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.updateTable('orden').set({ envioId: envio.id }).where('id', 'in', venta.ordenIds).execute();
  const lineas = (await draftOf(venta)).articulos.filter(({ codigoSat }) => codigoSat === '78102205');
  expect(lineas).toMatchObject([{ nombre: 'Servicio de Paqueteria Nacional', cantidad: 1, importe: '99.00' }]);
});

test('a step opens only when those before it are saved', async () => {
  const draft = await draftOf(await buildVenta(db));
  expect((await readDraft(db, draft.id, usuario, '3')).paso).toBe('2');
});

test('a draft is its owner’s; sa goes on with anybody’s', async () => {
  const draft = await draftOf(await buildVenta(db));
  const otro = await buildPersona(db);
  await expect(requireDraft(db, draft.id, { id: otro.id, rol: 'user' })).rejects.toThrow('Este borrador ya no existe.');
  expect((await requireDraft(db, draft.id, { id: otro.id, rol: 'sa' })).id).toBe(draft.id);
});

test('two windows on one draft: the second save is told', async () => {
  const draft = await draftOf(await buildVenta(db));
  await saveDraft(db, draft, { articulos: draft.articulos });
  await expect(saveDraft(db, draft, { articulos: draft.articulos })).rejects.toThrow(
    'Otra persona modificó este registro. Revísalo y vuelve a presionar el botón.',
  );
});

test('the key staff corrected is proposed the next time the product sells', async () => {
  const draft = await draftOf(await buildVenta(db));
  await rememberCodigos(db, codigosOf(draft.articulos.map((articulo) => ({ ...articulo, codigoSat: '46171610' }))));
  expect((await draftOf(await buildVenta(db))).articulos[0]!.codigoSat).toBe('46171610');
});

test('a total that is not what was paid needs a yes, and the yes is audited', async () => {
  const venta = await buildVenta(db, { precios: ['116.00'] });
  const draft = await buildBorrador(db, venta, usuario);
  const dearer = {
    ...draft,
    articulos: draft.articulos.map((articulo) => ({ ...articulo, precioUnitario: '120.00', importe: '120.00' })),
  };
  await expect(create(dearer)).rejects.toThrow('El total de la factura ($120.00) no es lo que se pagó ($116.00).');
  const id = await create(dearer, { diferenciaAceptada: true });
  expect((await run(id))?.state).toBe('done');
  const [hecho] = await db
    .selectFrom('bitacora')
    .select(['datos', 'usuarioId'])
    .where('entidadId', '=', venta.numOrden)
    .where('accion', '=', 'facturar')
    .execute();
  expect(hecho).toMatchObject({ usuarioId: usuario.id, datos: { pagado: '116.00', diferenciaAceptada: '4.00' } });
});

test.each([
  [3, 'La fecha de facturación puede ser hoy o hasta 2 días antes'],
  [-1, 'La fecha de facturación no puede ser futura.'],
])('a date %i days back is refused', async (dias, texto) => {
  const draft = await buildBorrador(db, await buildVenta(db), usuario);
  const fecha = civilDay(new Date(Date.now() - dias * 86_400_000));
  await expect(create(draft, { revision: { ...REVISION(), fecha } })).rejects.toThrow(texto);
});

test('a sale cancelled between the steps is not stamped', async () => {
  const venta = await buildVenta(db);
  const draft = await buildBorrador(db, venta, usuario);
  await setOrden(venta, 0, { clase: 'cancelada' });
  await expect(create(draft)).rejects.toThrow('fue cancelada');
  expect(await sandbox.facturacom.stamped(venta.numOrden)).toHaveLength(0);
});

test('what the PAC refuses opens the draft again, with its words under the detail', async () => {
  const venta = await buildVenta(db);
  const draft = await buildBorrador(db, venta, usuario);
  await sandbox.facturacom.failNext('refuse', { code: 'CFDI40145' });
  const id = await create(draft);
  expect((await run(id))?.state).toBe('refused');
  const vista = await readDraft(db, draft.id, usuario, null);
  expect(vista.estado).toMatchObject({ tipo: 'rechazada', paso: '2' });
  expect(vista.estado?.tipo === 'rechazada' && vista.estado.detalle).toContain('CFDI40145');
  await reopenDraft(db, await requireDraft(db, draft.id, usuario));
  const again = await create(await requireDraft(db, draft.id, usuario));
  expect((await run(again))?.state).toBe('done');
  expect(await sandbox.facturacom.stamped(venta.numOrden)).toHaveLength(1);
});

test('a sale already invoiced says its folio and is never stamped again', async () => {
  const venta = await buildVenta(db);
  const id = await create(await buildBorrador(db, venta, usuario));
  await run(id);
  const { serie, folio } = await db
    .selectFrom('factura')
    .select(['serie', 'folio'])
    .where('effectId', '=', id)
    .executeTakeFirstOrThrow();
  await expect(openDraft(db, venta.numOrden, usuario.id)).rejects.toThrow(
    `La orden ya está facturada con el folio ${serie}-${folio}.`,
  );
});

test('the sale freed by a cancelled factura gets a new reference at the PAC', async () => {
  const venta = await buildVenta(db);
  const first = await create(await buildBorrador(db, venta, usuario));
  await run(first);
  await sql`delete from fiscal_claim where orden_id = ${venta.ordenIds[0]!}`.execute(db);
  const second = await create(await buildBorrador(db, venta, usuario));
  expect((await effectView(db, second))?.ref).toBe(`${venta.numOrden}-2`);
});

test('an RFC of record fills the form read-only; several legal names are offered', async () => {
  const draft = await draftOf(await buildVenta(db));
  await lookUpCliente(db, draft, ` ${CLIENTES[1].rfc.toLowerCase()} `);
  expect((await requireDraft(db, draft.id, usuario)).cliente).toMatchObject({
    modo: 'lectura',
    rfc: CLIENTES[1].rfc,
    razonSocial: CLIENTES[1].razonSocial,
  });
  await lookUpCliente(db, await requireDraft(db, draft.id, usuario), 'SIC170824K90');
  const { cliente } = await requireDraft(db, draft.id, usuario);
  expect(cliente?.modo).toBe('nuevo');
  expect(cliente?.opciones.length).toBeGreaterThan(1);
});

test('a record without a regime opens for editing at once', async () => {
  const [guardado] = await findClientes(db, CLIENTES[0].rfc);
  expect(fromGuardado(CLIENTES[0].rfc, { ...guardado!, regimen: '' }, [], 'registro').modo).toBe('edicion');
});

test('editing the tax data from the invoice leaves phone, address and third e-mail as they were, here and at the PAC', async () => {
  const [guardado] = await findClientes(db, CLIENTES[2].rfc);
  const contacto = {
    telefono: '5512345678',
    calle: 'Reforma',
    numeroExterior: '222',
    colonia: 'Juárez',
    nombre: 'Sofía',
  };
  await db
    .updateTable('clienteFiscal')
    .set({ ...contacto, emails: ['uno@correo.test', 'dos@correo.test', 'tres@correo.test'] })
    .where('uid', '=', guardado!.uid)
    .execute();
  const draft = await draftOf(await buildVenta(db));
  await lookUpCliente(db, draft, CLIENTES[2].rfc);
  const found = await requireDraft(db, draft.id, usuario);
  await saveDraft(db, found, { cliente: { ...found.cliente!, modo: 'edicion' } });
  const { rfc, razonSocial, regimen } = CLIENTES[2];
  const editing = await requireDraft(db, draft.id, usuario);
  expect(
    await withWorker(() =>
      beginSaveCliente(
        db,
        editing,
        { rfc, razonSocial, regimen, cp: '44100', email: 'nuevo@correo.test', email2: 'dos@correo.test' },
        usuario.id,
      ),
    ),
  ).toBe(true);
  const emails = ['nuevo@correo.test', 'dos@correo.test', 'tres@correo.test'];
  expect(await (await connectPacReader(db)).clientByUid(guardado!.uid)).toMatchObject({ ...contacto, emails });
  expect(
    await db
      .selectFrom('clienteFiscal')
      .select(['telefono', 'calle', 'numeroExterior', 'colonia', 'nombre', 'emails'])
      .where('uid', '=', guardado!.uid)
      .executeTakeFirst(),
  ).toEqual({ ...contacto, emails });
});

test('saving a customer while the PAC is away waits in the page, and the draft goes on by itself once it is kept', async () => {
  const draft = await draftOf(await buildVenta(db));
  const saving = beginSaveCliente(
    db,
    draft,
    { rfc: 'XIA190128J61', razonSocial: 'XENON INDUSTRIAL ARTICLES', cp: '76343', regimen: '601', email: 'a@b.mx' },
    usuario.id,
  );
  await expect(saving).resolves.toBe(false);
  expect((await readDraft(db, draft.id, usuario, '2')).guardando).toBe(true);
  const { guardando } = (await requireDraft(db, draft.id, usuario)).cliente!;
  expect((await run(guardando!))?.state).toBe('done');
  const vista = await readDraft(db, draft.id, usuario, '2');
  expect(vista).toMatchObject({ guardando: false, cliente: { modo: 'lectura', rfc: 'XIA190128J61' } });
  expect(vista.cliente.uid).not.toBeNull();
});
