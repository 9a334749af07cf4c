import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { beforeAll, describe, expect, test } from 'vitest';
import { NotAllowed } from '~/core/errors';
import type { Rol } from '~/core/usuario';
import type { EnvioLeido } from '~/domain/mercados/venta';
import { saveShipment } from '~/domain/ventas/ordenes/internal/saveVentas.server';
import { action, loader } from '~/routes/ventas/ordenes/lista';
import { action as actActiva, loader as loadActivas } from '~/routes/ventas/ordenes/activas';
import { loader as leerFicha } from '~/routes/files/fichas';
import { action as canceladas, loader as loadCanceladas } from '~/routes/ventas/ordenes/canceladas';
import { buildOrden, buildQuien } from '../support/builders/ordenes';
import { buildOrdenDe } from '../support/builders/proveedores';
import { testDatabase } from '../support/db';

const { db } = testDatabase();
const people = new Map<Rol, Awaited<ReturnType<typeof buildQuien>>>();
let orden: { id: string; numOrden: string };

beforeAll(async () => {
  for (const rol of ['sa', 'admin', 'user', 'cont'] as const) people.set(rol, await buildQuien(db, rol));
  orden = await buildOrden(db, { fechaCreacion: new Date(Date.now() - 50 * 3_600_000), envio: { propio: true } });
});

function args(rol: Rol, path: string, body?: Record<string, string>): ActionFunctionArgs {
  const request = new Request(
    `http://trastienda.test/${rol}/${path}`,
    body && { method: 'POST', body: new URLSearchParams(body) },
  );
  return { request, params: {}, context: { usuario: people.get(rol) } as unknown as AppLoadContext };
}
const thrownBy = (answer: Promise<unknown>) =>
  answer.then(
    () => undefined,
    (error: unknown) => error,
  );
const ANY = 'desde=2026-01-01&hasta=2026-12-31';

describe('the panel of a sale', () => {
  test('opens on every list that shows sales', async () => {
    for (const [load, path] of [
      [loader, 'ordenes'],
      [loadActivas, 'ordenesActivas'],
      [loadCanceladas, 'ordenesCanceladas'],
    ] as const) {
      expect((await load(args('user', `${path}?ver=${orden.id}`))).abierta).toMatchObject({
        numOrden: orden.numOrden,
        puede: { operar: true, reintentar: false },
      });
    }
  });

  test('of a sale that does not exist is a 404 that says so', async () => {
    for (const ver of ['019a0000-0000-7000-8000-000000000000', 'nada']) {
      expect(await thrownBy(loader(args('sa', `ordenes?ver=${ver}`)))).toMatchObject({
        data: { titulo: 'La orden no existe' },
        init: { status: 404 },
      });
    }
  });
});

test('whose the money is of a sale that was not delivered is asked before it counts, and by who may act on sales', async () => {
  const { id, numOrden } = await buildOrden(db, {});
  const paid = { situacion: 'devuelta', clase: 'devuelta', enPie: '500.00', liquidado: '400.00' } as const;
  await db.updateTable('orden').set(paid).where('id', '=', id).execute();
  const { devuelta } = (await loadCanceladas(args('cont', `ordenesCanceladas?ver=${id}`))).abierta!;
  expect(devuelta).toMatchObject({ conservada: false, liquidado: '400.00', decision: null });
  const press = { intent: 'decidirDevuelta', orden: id, huella: devuelta!.huella, decision: 'facturar' };
  const path = `ordenesCanceladas?ver=${id}`;
  expect(await canceladas(args('user', path, press))).toMatchObject({
    data: { confirmar: { titulo: 'Contar como venta', hechos: expect.stringContaining(`Orden ${numOrden}`) } },
  });
  expect(await thrownBy(canceladas(args('cont', path, { ...press, confirmado: '1' })))).toBeInstanceOf(NotAllowed);
  await canceladas(args('user', path, { ...press, confirmado: '1' }));
  const { abierta } = await loadCanceladas(args('user', path));
  expect(abierta).toMatchObject({
    clase: 'normal',
    devuelta: { conservada: true, decision: { decision: 'facturar' } },
  });
});

describe('the address of a package of ours', () => {
  const leida = (calle: string, minutos: number, partes: object = {}): EnvioLeido => ({
    marketId: '45990000001',
    estatus: 'ready_to_ship',
    subestatus: null,
    modo: 'custom',
    tipoLogistico: null,
    propio: true,
    guia: null,
    paqueteria: null,
    fechaCreacion: new Date(),
    actualizadoEn: new Date(Date.now() + minutos * 60_000),
    pagos: null,
    costo: null,
    costoComprador: null,
    documento: {},
    nombreReceptor: 'María Demo',
    telefono: null,
    calle,
    numeroE: null,
    numeroI: null,
    referencia: null,
    colonia: 'Centro',
    ciudad: 'Guadalajara',
    municipio: 'Guadalajara',
    estado: 'Jalisco',
    cp: '44100',
    ...partes,
  });
  const leer = (envio: EnvioLeido) => db.transaction().execute((trx) => saveShipment(trx, 'ml', envio));
  const abrir = async (id: string, rol: Rol = 'user', mas = '') =>
    (await loader(args(rol, `ordenes?ver=${id}${mas}`))).abierta!;

  test('is proposed where its lines are not plain, and what a person saves stands beside what the marketplace says later', async () => {
    const { id } = await buildOrden(db, { envio: { propio: true, marketId: '45990000001' } });
    await leer(leida('Juárez 45 302', 1));
    const antes = await abrir(id, 'user', '&editar=propuesta');
    expect([antes.editar, antes.propuesta!.partes]).toEqual([
      'propuesta',
      { calle: 'Juárez', numeroE: '45', numeroI: '302', colonia: 'Centro', referencia: null },
    ]);
    const { huella, nombreReceptor, cp } = antes.envio!;
    const form = { intent: 'envio', orden: id, huella, nombreReceptor: nombreReceptor!, cp: cp!, estatus: '' };
    const partes = { calle: 'Juárez', numeroE: '45', numeroI: '302', colonia: 'Centro' };
    await action(args('user', `ordenes?ver=${id}&editar=propuesta`, { ...form, ...partes }));
    expect(await abrir(id)).toMatchObject({ propuesta: null, envio: { ...partes, ajena: null } });

    await leer(leida('Hidalgo', 2, { numeroE: '7' }));
    const { envio } = await abrir(id);
    expect(envio).toMatchObject({ ...partes, ajena: { direccion: { calle: 'Hidalgo', numeroE: '7' } } });
    const press = { intent: 'direccion', orden: id, huella: envio!.huella, ajena: envio!.ajena!.huella };
    expect(await action(args('user', 'ordenes', { ...press, decision: 'otra' }))).toMatchObject({
      init: { status: 422 },
    });
    expect(await thrownBy(action(args('cont', 'ordenes', { ...press, decision: 'tomar' })))).toBeDefined();
    await action(args('user', `ordenes?ver=${id}`, { ...press, decision: 'tomar' }));
    expect((await abrir(id)).envio).toMatchObject({ calle: 'Hidalgo', numeroE: '7', ajena: null });
    // The same press again is about an address that nobody shows any more.
    expect(await action(args('user', 'ordenes', { ...press, decision: 'dejar' }))).toMatchObject({
      init: { status: 422 },
    });
  });
});

describe('a sale read beside its list', () => {
  const leer = (rol: Rol, lista: string, id = orden.id) =>
    leerFicha({ ...args(rol, `fichas/${lista}/${id}`), params: { lista, id } });

  test('is what the page shows that is opened with it', async () => {
    const answer = await leer('user', 'ordenes');
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    const { abierta } = await loader(args('user', `ordenes?ver=${orden.id}`));
    // Each tells the hour of its reading, for the clocks.
    expect(await answer.json()).toEqual({ ...abierta, ahora: expect.any(String) as string });
  });

  test('is for who may read the list; what is no row, or no list, is not there', async () => {
    for (const [rol, lista, id] of [
      ['cont', 'ordenesActivas', orden.id],
      ['cont', 'cotizarEnvios', orden.id],
      ['sa', 'ordenes', '019a0000-0000-7000-8000-000000000000'],
      ['sa', 'ordenes', 'nada'],
      ['sa', 'usuarios', orden.id],
      ['sa', 'constructor', orden.id],
    ] as const)
      expect(await thrownBy(leer(rol, lista, id)), lista).toMatchObject({ status: 404 });
  });

  test('is not read with the list by a page that stands', async () => {
    const asked = args('user', `ordenes?ver=${orden.id}`);
    asked.request.headers.set('sec-fetch-dest', 'empty');
    expect((await loader(asked)).abierta).toBeNull();
  });
});

describe('who only looks', () => {
  test('sees no buttons, and is refused all the same', async () => {
    expect(await loader(args('cont', 'ordenes'))).toMatchObject({ puedeOperar: false });
    for (const body of [
      { intent: 'enlace', numero: orden.numOrden },
      { intent: 'correo', orden: orden.id },
      { intent: 'entregar', orden: orden.id },
      { intent: 'envio', orden: orden.id, huella: 'x' },
    ] as Record<string, string>[]) {
      const dicho = { ...body, confirmado: '1' };
      await expect(action(args('cont', 'ordenes', dicho)), body.intent).rejects.toThrow(NotAllowed);
      await expect(canceladas(args('cont', 'ordenesCanceladas', dicho)), body.intent).rejects.toThrow(NotAllowed);
    }
    await expect(
      action(args('user', 'ordenes', { intent: 'reintentar', efecto: orden.id, confirmado: '1' })),
    ).rejects.toThrow(NotAllowed);
  });
});

describe('what is done to a sale', () => {
  test('is asked first, in the agreed words, with what will happen', async () => {
    const { id, numOrden } = await buildOrdenDe(db, [
      { modelo: 'A1', proveedor: 'SYSCOM' },
      { modelo: 'A2', proveedor: 'TVC' },
    ]);
    await db
      .insertInto('agenteVenta')
      .values([
        { nombre: 'Ana', apellidos: 'Ruiz', email: 'ana@syscom.mx', proveedor: 'syscom' },
        { nombre: 'Luis', apellidos: 'Sosa', email: 'luis@syscom.mx', proveedor: 'syscom', activo: false },
      ])
      .execute();
    await db.updateTable('proveedor').set({ email: 'ventas@tvc.mx' }).where('value', '=', 'tvc').execute();
    await db
      .updateTable('orden')
      .set({ fechaCreacion: new Date(Date.now() - 50.5 * 3_600_000), comprador: 'COMPRA_TODO' })
      .where('id', '=', id)
      .execute();
    for (const [body, texto, hechos] of [
      [
        { intent: 'enlace', numero: numOrden },
        '¿Está seguro que desea enviar el link al cliente?',
        /^Orden \d+ · .+\. Lo recibe COMPRA_TODO como mensaje de Mercado Libre, o el asistente de Mercado Libre si contesta en su lugar\.$/,
      ],
      [
        { intent: 'correo', orden: id },
        '¿Está seguro que desea enviar el correo?',
        /^Orden \d.*\. Se envía a SYSCOM \(ana@syscom\.mx\) y a TVC \(ventas@tvc\.mx\)\.$/i,
      ],
      [
        { intent: 'entregar', orden: id },
        '¿Está seguro que desea cambiar el estatus de la orden a Entregado?',
        /^Orden \d+ · .+ · vendida hace 50 h$/,
      ],
    ] as const) {
      const asked = await action(args('user', 'ordenes', body));
      expect(asked, body.intent).toMatchObject({
        data: { confirmar: { texto, hechos: expect.stringMatching(hechos) as string } },
      });
    }
  });

  test('makes sense or is refused', async () => {
    const wrong: Record<string, string>[] = [
      { intent: 'entregar', orden: 'x' },
      { intent: 'reintentar' },
      { intent: 'enlace', numero: ' ' },
    ];
    for (const body of wrong)
      expect(await action(args('sa', 'ordenes', body)), body.intent).toMatchObject({ init: { status: 422 } });
    const unknown: Record<string, string>[] = [{ orden: orden.id }, { intent: 'borrar' }];
    for (const body of unknown)
      expect(await thrownBy(action(args('sa', 'ordenes', body)))).toMatchObject({ init: { status: 400 } });
  });

  test('is told when the state is no longer what the page showed', async () => {
    const deliver = () =>
      actActiva(args('user', `ordenesActivas?index&${ANY}`, { intent: 'entregar', orden: orden.id, confirmado: '1' }));
    const done = (await deliver()) as Response;
    expect(done.headers.get('Location')).toBe(`?${new URLSearchParams(ANY)}`);
    expect(await deliver()).toMatchObject({
      data: {
        titulo: 'Error al realizar el cambio de estatus.',
        error: { '': [expect.stringContaining('Otra persona modificó este registro. Vuelve a cargarlo.')] },
      },
      init: { status: 422 },
    });
  });

  test('keeps what was typed of a shipment when it cannot be right', async () => {
    const { abierta } = await loader(args('sa', `ordenes?ver=${orden.id}`));
    const form = { intent: 'envio', orden: orden.id, huella: abierta!.envio!.huella };
    expect(await action(args('sa', 'ordenes', { ...form, cp: '12' }))).toMatchObject({
      data: { error: { cp: ['Código Postal No Valido'] }, formId: 'envio' },
      init: { status: 422 },
    });
    expect(
      (
        (await action(
          args('sa', `ordenes?ver=${orden.id}&editar=envio`, { ...form, cp: '01000', calle: 'Nueva' }),
        )) as Response
      ).headers.get('Location'),
    ).toBe(`?ver=${orden.id}`);
    expect(await action(args('sa', 'ordenes', { ...form, cp: '02000' }))).toMatchObject({
      data: {
        choque: {
          cambios: expect.arrayContaining([{ campo: 'Código postal', mio: '02000', suyo: '01000' }]),
          marcas: { huella: (await loader(args('sa', `ordenes?ver=${orden.id}`))).abierta!.envio!.huella },
        },
      },
    });
  });
});
