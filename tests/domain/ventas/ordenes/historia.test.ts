import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { forgetFailures } from '~/platform/connections/breaker.server';
import { readDocumento } from '~/domain/mercados/registro.server';
import { retryEffect } from '~/platform/effects/retry.server';
import { runEffect } from '~/platform/effects/runEffect.server';
import { readCronologia } from '~/domain/ventas/ordenes/cronologia.server';
import { readOrden } from '~/domain/ventas/ordenes/detalleOrden.server';
import { direccionCompuesta } from '~/domain/ventas/ordenes/datosEnvio';
import { DatosEnvioForm } from '~/domain/ventas/envios/forms';
import { saveDatosEnvio } from '~/domain/ventas/envios/savePropio.server';
import { changeToEntregado } from '~/domain/ventas/ordenes/changeToEntregado.server';
import { sendProveedorMail } from '~/domain/compras/directorio/mailProveedor.server';
import { buildFactura } from '../../../support/builders/facturas';
import { buildOrden, buildQuien, claimOrden, type OrdenSketch } from '../../../support/builders/ordenes';
import { testDatabase } from '../../../support/db';
import { startTestSandbox } from '../../../support/sandbox';

const sandbox = await startTestSandbox();
const { db } = testDatabase();
let quien: Awaited<ReturnType<typeof buildQuien>>;

beforeAll(async () => {
  quien = await buildQuien(db);
  await db.updateTable('proveedor').set({ email: 'ventas@proveedor.test' }).where('value', '=', 'syscom').execute();
});
beforeEach(async () => {
  await sandbox.clear();
  await forgetFailures(db, 'correo');
});

const whole = async (id: string) => (await readOrden(db, id))!;
const story = async (id: string) => readCronologia(db, await whole(id), EFFECTS);
const titles = async (id: string) => (await story(id)).map(({ titulo }) => titulo);
const HOURS = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOURS);

const PAGO = {
  id: 131900020002,
  status: 'approved',
  operation_type: 'regular_payment',
  payment_type: 'credit_card',
  payment_method_id: 'visa',
  transaction_amount: 1298,
  transaction_amount_refunded: 0,
  shipping_cost: 0,
  date_approved: '2026-11-04T18:02:14.000-04:00',
  date_created: '2026-11-04T18:02:13.000-04:00',
  date_last_modified: '2026-11-05T08:15:38.000-04:00',
};

describe('a sale whole', () => {
  test('has its articles, its shipment, its payments and every document made for it', async () => {
    const { id } = await buildOrden(db, { datos: { payments: [PAGO, { nada: true }] } });
    const factura = await buildFactura(db, { serie: 'HIS' });
    await claimOrden(db, id, factura);
    const orden = await whole(id);
    expect(orden).toMatchObject({
      articulos: [{ proveedor: 'syscom', modelo: 'IP2MP', cantidad: 1 }],
      envio: { nombreReceptor: 'María Demo' },
      facturas: [{ id: factura.id, tipo: 'individual' }],
      pagos: [{ id: '131900020002', estatus: 'approved', medio: 'credit_card' }],
    });
    expect(String(orden.pagos[0]!.monto)).toBe('1298.00');
  });

  test('is shown though the marketplace says strange things of its payments', async () => {
    for (const datos of [
      {},
      { payments: 'x' },
      { payments: [null, 3, { id: 1, transaction_amount: 'mucho' }] },
      { cancel_detail: 7 },
    ]) {
      expect((await whole((await buildOrden(db, { datos })).id)).pagos).toEqual([]);
    }
  });

  test('that does not exist is none', async () => {
    expect(await readOrden(db, '019a0000-0000-7000-8000-000000000000')).toBeUndefined();
    expect(await readOrden(db, 'x')).toBeUndefined();
  });
});

describe('the story of a sale', () => {
  test('tells what happened at the marketplace, newest first', async () => {
    const { id } = await buildOrden(db, {
      fechaCreacion: new Date('2026-11-04T22:02:11Z'),
      clase: 'cancelada',
      estatus: 'cancelado',
      marketStatus: 'cancelled',
      envio: null,
      datos: {
        payments: [{ ...PAGO, status: 'refunded', transaction_amount_refunded: 1298 }],
        cancel_detail: { description: 'Se arrepintió', requested_by: 'buyer', date: '2026-11-05T08:15:37.000-04:00' },
      },
    });
    const sucesos = await story(id);
    expect(sucesos.map(({ titulo, detalle, monto }) => [titulo, detalle, monto && String(monto)])).toEqual([
      ['Pago devuelto', null, '1298.00'],
      ['Venta cancelada en Mercado Libre', 'Se arrepintió', null],
      ['Pago aprobado', null, '1298.00'],
      ['Venta creada en Mercado Libre', null, null],
    ]);
  });

  test('says why a sale was cancelled by the code that Mercado Libre gives, whose words are English', () => {
    const datos = { cancel_detail: { code: 'mediations', description: 'There is a mediation', requested_by: 'meli' } };
    expect(readDocumento('ml', datos).cancelacion?.motivo).toBe('Se canceló en un reclamo');
  });

  test('shows a mail server that refuses in its own words, with a way to try again', async () => {
    const { id } = await buildOrden(db);
    await sandbox.correo.failNext('refuse', { message: '550 5.1.1 El buzón no existe' });
    const [carta] = await db.transaction().execute((trx) => sendProveedorMail(trx, id, quien.id));
    await runEffect(effectRuntime(db), carta!.id);
    const [refused] = await story(id);
    expect(refused).toMatchObject({ titulo: 'Correo al proveedor: rechazado', tono: 'mal', reintentar: carta!.id });
    expect(refused!.detalle).toContain('El buzón no existe');

    const again = await db.transaction().execute((trx) => retryEffect(trx, EFFECTS, carta!.id, quien.id));
    expect(again).toMatchObject({ created: true });
    await runEffect(effectRuntime(db), again.id);
    const told = await story(id);
    expect(told.map(({ titulo }) => titulo)).toEqual(
      expect.arrayContaining([
        'Se envió el correo al proveedor',
        'Correo al proveedor: hecho',
        'Se pidió intentar otra vez',
        'Correo al proveedor: rechazado',
      ]),
    );
    expect(told.filter(({ reintentar }) => reintentar !== null)).toEqual([]);
    expect(await sandbox.correo.inbox()).toHaveLength(1);
  });

  test('shows a mail server that is away with its next try, which a person may ask for now', async () => {
    const { id } = await buildOrden(db);
    await sandbox.correo.failNext('503');
    const [carta] = await db.transaction().execute((trx) => sendProveedorMail(trx, id, quien.id));
    await runEffect(effectRuntime(db), carta!.id);
    const [waits] = await story(id);
    expect(waits).toMatchObject({
      titulo: 'Correo al proveedor: en espera',
      tono: 'aviso',
      reintentar: carta!.id,
      proximo: expect.any(Date),
    });
    await forgetFailures(db, 'correo');
    await db.transaction().execute((trx) => retryEffect(trx, EFFECTS, carta!.id, quien.id));
    await runEffect(effectRuntime(db), carta!.id);
    expect(await titles(id)).toContain('Correo al proveedor: hecho');
  });

  test('keeps one letter in flight, however often it is asked for', async () => {
    const { id } = await buildOrden(db);
    const ask = () => db.transaction().execute((trx) => sendProveedorMail(trx, id, quien.id));
    const [one, two] = await Promise.all([ask(), ask()]);
    expect(one[0]!.id).toBe(two[0]!.id);
  });

  test('knows nothing to try again of what is done, or of what does not exist', async () => {
    const { effectId } = await buildFactura(db, { serie: 'RET' });
    await expect(db.transaction().execute((trx) => retryEffect(trx, EFFECTS, effectId, quien.id))).rejects.toThrow(
      'no se puede repetir',
    );
    await expect(
      db.transaction().execute((trx) => retryEffect(trx, EFFECTS, '019a0000-0000-7000-8000-000000000000', quien.id)),
    ).rejects.toThrow('ya se está atendiendo');
  });
});

describe('change to delivered', () => {
  const deliver = (id: string) => db.transaction().execute((trx) => changeToEntregado(trx, id, quien.id));
  const estatusOf = async (id: string) => (await whole(id)).estatus;

  test('is for a sale in preparation of 48 hours, and leaves its line', async () => {
    const { id } = await buildOrden(db, { fechaCreacion: ago(49) });
    await deliver(id);
    expect(await estatusOf(id)).toBe('entregado');
    expect((await story(id))[0]).toMatchObject({ titulo: 'Estatus: de En preparación a Entregado', quien: 'Ana Ríos' });
  });

  test('needs no wait when the delivery was agreed with the buyer, and no shipment', async () => {
    const { id } = await buildOrden(db, { fechaCreacion: ago(1) });
    await expect(deliver(id)).rejects.toThrow('48 horas');
    await db.updateTable('orden').set({ acordada: true }).where('id', '=', id).execute();
    await deliver(id);
    expect(await whole(id)).toMatchObject({ estatus: 'entregado', acordada: true });
  });

  test('is refused to a younger one, to one in another state and to one that is not there', async () => {
    for (const [sketch, said] of [
      [{ fechaCreacion: ago(47) }, '48 horas'],
      [{ fechaCreacion: ago(99), estatus: 'enviado' }, 'Otra persona modificó este registro'],
    ] as [OrdenSketch, string][]) {
      const { id } = await buildOrden(db, sketch);
      await expect(deliver(id)).rejects.toMatchObject({
        titulo: 'Error al realizar el cambio de estatus.',
        message: expect.stringContaining(said),
      });
    }
    await expect(deliver('019a0000-0000-7000-8000-000000000000')).rejects.toThrow('ya no existe');
  });

  test('asked for by two people at once happens once', async () => {
    const { id } = await buildOrden(db, { fechaCreacion: ago(72) });
    const answers = await Promise.allSettled([deliver(id), deliver(id), deliver(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect((await titles(id)).filter((titulo) => titulo.startsWith('Estatus'))).toHaveLength(1);
  });
});

describe('data of a shipment of ours', () => {
  const edit = async (id: string, changes: Record<string, string>, huella?: string) => {
    const { envio } = await whole(id);
    const { estatus: _, ...escrito } = envio!;
    const form = Object.fromEntries(
      Object.entries({ ...escrito, ...changes }).filter(([, value]) => typeof value === 'string' && value !== ''),
    );
    await db
      .transaction()
      .execute((trx) =>
        saveDatosEnvio(trx, DatosEnvioForm.parse({ ...form, orden: id, huella: huella ?? envio!.huella }), quien.id),
      );
  };

  test('are changed, and who changed what is told', async () => {
    const { id } = await buildOrden(db, { envio: { propio: true } });
    await edit(id, { calle: 'Av. Juárez', numeroE: 'SN', paqueteria: 'DHL', guia: '999' });
    const { envio } = await whole(id);
    expect(direccionCompuesta(envio!)).toBe('Av. Juárez, Centro, Guadalajara, C.P. 44100, Jalisco');
    expect((await story(id))[0]).toMatchObject({
      titulo: 'Se modificaron los datos del envío',
      detalle: 'Cambió: Calle, Número exterior, Paquetería, Guía',
    });
  });

  test('that somebody else changed meanwhile are loaded again first', async () => {
    const { id } = await buildOrden(db, { envio: { propio: true } });
    const { huella } = (await whole(id)).envio!;
    await edit(id, { calle: 'La primera' });
    await expect(edit(id, { calle: 'La segunda' }, huella)).rejects.toThrow(
      'Otra persona modificó este registro. Calle: aquí «La segunda», ahora «La primera».',
    );
    expect((await whole(id)).envio!.calle).toBe('La primera');
  });

  test('of a shipment of the marketplace stay as they are', async () => {
    const { id } = await buildOrden(db);
    await expect(edit(id, { calle: 'Otra' })).rejects.toThrow('El marketplace lleva este envío');
  });

  test('are refused when they cannot be right', () => {
    const parse = (fields: Record<string, string>) =>
      DatosEnvioForm.safeParse({
        orden: '019a0000-0000-7000-8000-000000000000',
        huella: 'x',
        ...fields,
      }).error?.issues.map(({ message }) => message);
    expect(parse({ telefono: '12a' })).toEqual(['Telefono no valido']);
    expect(parse({ cp: '1234' })).toEqual(['Código Postal No Valido']);
    expect(parse({ telefono: '5512345678', cp: '06000' })).toBeUndefined();
  });
});
