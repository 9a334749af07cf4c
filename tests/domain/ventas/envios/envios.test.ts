import { beforeAll, describe, expect, test } from 'vitest';
import { Stale } from '~/core/errors';
import { enLetrasOfForm } from '~/domain/ventas/envios/datosCliente';
import { CostoForm, datosClienteForm, DatosEnvioForm, OcurreForm, PaqueteriaForm } from '~/domain/ventas/envios/forms';
import { readDatosCliente, saveDatosCliente } from '~/domain/ventas/envios/datosCliente.server';
import { readEnvio } from '~/domain/ventas/envios/detalleEnvio.server';
import { hasLeft, nombreAparte, PAQUETERIAS, rastreoUrl, type EstatusPropio } from '~/domain/ventas/envios/envio';
import { askSendCorreo } from '~/routes/ventas/ordenes/questions';
import { ordenesList, readFila } from '~/domain/ventas/ordenes/listOrdenes.server';
import { ventaUrl } from '~/domain/ventas/ordenes/orden';
import { cotizarList } from '~/domain/ventas/envios/listCotizar.server';
import { enviosList, enviosPendientesList } from '~/domain/ventas/envios/listEnvios.server';
import { readPropio } from '~/domain/ventas/envios/propios.server';
import { saveCosto, saveDatosEnvio, saveOcurre, savePaqueteria } from '~/domain/ventas/envios/savePropio.server';
import { openList } from '~/platform/lists/list.server';
import { buildOrden, buildQuien, type OrdenSketch } from '../../../support/builders/ordenes';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();
let quien: Awaited<ReturnType<typeof buildQuien>>;
const RANGO = 'desde=2026-10-01&hasta=2026-10-31';
const en = (day: number) => new Date(`2026-10-${String(day).padStart(2, '0')}T18:00:00Z`);

beforeAll(async () => {
  quien = await buildQuien(db);
});

const open = (list: typeof enviosList, query: string) =>
  openList(db, list, new Request(`http://trastienda.test/sa/envios?${query}`), quien);
const propia = (sketch: OrdenSketch = {}) => buildOrden(db, { envioPropio: true, envio: null, ...sketch });
const huella = async (id: string) => (await readPropio(db, id))!.huella;
const costo = async (id: string, pesos: string) =>
  db
    .transaction()
    .execute(async (trx) => saveCosto(trx, { orden: id, huella: await huella(id), costo: pesos }, quien.id));
const paqueteria = async (id: string, estatus: EstatusPropio) =>
  db.transaction().execute(async (trx) =>
    savePaqueteria(
      trx,
      {
        orden: id,
        huella: await huella(id),
        estatus,
        paqueteria: 'DHL',
        guia: '1234567890',
        paqueteriaUrl: undefined,
      },
      quien.id,
    ),
  );

describe('the lists of shipments', () => {
  test('show every one of a range, and as pending those that have neither arrived nor ended', async () => {
    const estados = [
      'ready_to_ship',
      'shipped',
      'delivered',
      'cancelled',
      'entregado',
      'devuelto',
      'not_delivered',
      'enCamino',
    ];
    for (const [at, estatus] of estados.entries())
      await buildOrden(db, { fechaCreacion: en(at + 1), envio: { estatus } });
    await buildOrden(db, { fechaCreacion: en(20), envio: { estatus: 'not_delivered', subestatus: 'returned' } });
    await db
      .updateTable('envio')
      .set({ costo: '10.50' })
      .where('fechaCreacion', '>=', en(1))
      .where('fechaCreacion', '<=', en(20))
      .execute();
    const todos = await open(enviosList, RANGO);
    expect(todos.totales).toMatchObject({ registros: 9, costo: '94.50' });
    expect(todos.ventana.filas[0]).toMatchObject({ estado: 'Jalisco', localidad: 'Guadalajara' });
    const pendientes = await open(enviosPendientesList, RANGO);
    expect(pendientes.ventana.filas.map(({ estatus }) => estatus)).toEqual([
      'enCamino',
      'not_delivered',
      'shipped',
      'ready_to_ship',
    ]);
    expect(pendientes.totales).toMatchObject({ registros: 4, costo: '42.00' });
    const { marketId } = todos.ventana.filas[2]!;
    const agosto = 'desde=2026-08-01&hasta=2026-08-31';
    for (const range of [RANGO, agosto])
      expect((await open(enviosList, `${range}&q=${marketId}`)).ventana.filas).toHaveLength(1);
    expect((await open(enviosList, `${agosto}&q=${marketId.slice(0, -1)}`)).ventana.filas).toEqual([]);
    const { numOrden, envioId } = await buildOrden(db, { fechaCreacion: en(30) });
    expect((await open(enviosList, `${agosto}&q=${numOrden}`)).ventana.filas.map(({ id }) => id)).toEqual([envioId]);
  });

  test('open who receives it, where, and what travels in it from every sale of the shipment', async () => {
    const { envioId, id } = await buildOrden(db, { titulo: 'Grabador', envio: { calle: 'Av. Juárez' } });
    const other = await buildOrden(db, { titulo: 'Cámara', envio: null });
    await db.updateTable('orden').set({ envioId }).where('id', '=', other.id).execute();
    await db.updateTable('envio').set({ numeroE: 'SN' }).where('id', '=', envioId!).execute();
    const abierto = await readEnvio(db, envioId!);
    expect(abierto).toMatchObject({
      nombreReceptor: 'María Demo',
      direccion: 'Av. Juárez, Centro, Guadalajara, C.P. 44100, Jalisco',
    });
    expect(abierto!.articulos.map(({ nombre, ordenId }) => [nombre, ordenId]).sort()).toEqual([
      ['Cámara', other.id],
      ['Grabador', id],
    ]);
    expect(await readEnvio(db, 'nada')).toBeUndefined();
  });

  test('link the carrier where its page is known, and never anything that is no web address', () => {
    expect(rastreoUrl({ guia: '12', paqueteria: 'Estafeta', paqueteriaUrl: 'https://estafeta.example/12' })).toBe(
      'https://estafeta.example/12',
    );
    expect(rastreoUrl({ guia: '1 2', paqueteria: 'DHL', paqueteriaUrl: null })).toContain('tracking-id=1%202');
    expect(
      PAQUETERIAS.map((paqueteria) => rastreoUrl({ guia: 'MEX01PP34', paqueteria, paqueteriaUrl: null })).every(
        (url) => url?.startsWith('https://') && url.includes('MEX01PP34'),
      ),
    ).toBe(true);
    expect(rastreoUrl({ guia: '1234567890', paqueteria: 'Estafeta', paqueteriaUrl: null })).toContain('wayBillType=1');
    expect(rastreoUrl({ guia: '12', paqueteria: 'Otra', paqueteriaUrl: 'javascript:alert(1)' })).toBeNull();
    // A carrier of the marketplace has no page of its own: the seller's page of the sale follows the package.
    const delMercado = { guia: '12', paqueteria: 'MEL Distribution', paqueteriaUrl: null, market: 'ml' as const };
    expect(rastreoUrl({ ...delMercado, numOrden: '2000' })).toBe(ventaUrl('ml', '2000'));
    expect(rastreoUrl({ ...delMercado, numOrden: '2000', propio: true })).toBeNull();
  });
});

describe('own shipping', () => {
  test('is listed while it waits, of the marketplace whose shipping people price: alive, and not on its way', async () => {
    const agosto = new Date('2026-08-10T18:00:00Z');
    const espera = await propia({ fechaCreacion: agosto });
    const cobro = await propia({ fechaCreacion: agosto, estatus: 'cobroRequerido' });
    await propia({ fechaCreacion: agosto, market: 'amz' as const });
    const calladas: OrdenSketch[] = [
      { envioPropio: false },
      { estatus: 'entregado' },
      { marketStatus: 'cancelled' },
      { estatus: 'cancelado', clase: 'cancelada' },
      { envio: { estatus: 'enCamino', propio: true } },
    ];
    for (const sketch of calladas) await propia({ fechaCreacion: agosto, ...sketch });
    const { ventana, totales } = await openList(
      db,
      cotizarList,
      new Request('http://trastienda.test/?desde=2026-08-01&hasta=2026-08-31'),
      quien,
    );
    expect(ventana.filas.map(({ id }) => id).sort()).toEqual([espera.id, cobro.id].sort());
    expect(totales).toMatchObject({ registros: 2, costo: '0.00' });
    // Noon in Mexico City is the last minute of the range, or the one after it.
    const hasta = (minute: string) => open(cotizarList as never, `desde=2026-08-10T11:00&hasta=2026-08-10T${minute}`);
    expect((await hasta('12:00')).totales).toMatchObject({ registros: 2 });
    expect((await hasta('11:59')).totales).toMatchObject({ registros: 0 });
  });

  test('gets its shipment with its price, which is quoted too and charged to nobody, and the whole cart with it', async () => {
    const orden = await propia({ packId: '2000009000000901', numOrden: '2000009000000901' });
    const { id: hermana } = await db
      .insertInto('orden')
      .columns([
        'market',
        'marketId',
        'numOrden',
        'fechaCreacion',
        'actualizadaEn',
        'estatus',
        'marketStatus',
        'clase',
        'titulo',
        'total',
        'pagadoAbs',
        'envioPropio',
        'datos',
      ])
      .values({
        market: 'ml',
        marketId: '20000090000009012',
        numOrden: orden.numOrden,
        fechaCreacion: en(1),
        actualizadaEn: en(1),
        estatus: 'enPreparacion',
        marketStatus: 'paid',
        situacion: 'pagada',
        clase: 'normal',
        titulo: 'Otra',
        total: '1',
        pagadoAbs: '1',
        envioPropio: true,
        datos: '{}',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await costo(orden.id, '185.50');
    const { envio } = (await readPropio(db, orden.id))!;
    const { marketId } = await db
      .selectFrom('orden')
      .select('marketId')
      .where('id', '=', orden.id)
      .executeTakeFirstOrThrow();
    expect(envio).toMatchObject({ marketId: `propio-${marketId}`, estatus: 'enPreparacion' });
    // That number is ours alone: nobody reads it, in Excel and in a letter either.
    const fila = (await readFila(db, orden.id))!;
    for (const lista of [ordenesList, cotizarList])
      expect(JSON.stringify(lista.excel.columnas.map(({ valor }) => valor(fila as never)))).not.toContain('propio-');
    expect(askSendCorreo({ numOrden: orden.numOrden, envio: envio!.marketId }, []).hechos).not.toContain('propio-');
    expect(String(envio!.costo)).toBe('185.50');
    expect((await readPropio(db, hermana))!.envio!.id).toBe(envio!.id);
    expect(String(envio!.cotizado)).toBe('185.50');
    expect(
      await db.selectFrom('envio').select('cobrado').where('id', '=', envio!.id).executeTakeFirstOrThrow(),
    ).toEqual({ cobrado: null });
    expect(
      await db.selectFrom('bitacora').select('accion').where('entidadId', '=', envio!.id).orderBy('id').execute(),
    ).toEqual([{ accion: 'crear' }, { accion: 'modificar' }]);
  });

  test('keeps the whole of a branch pick-up, or its price alone where there is no postal code', async () => {
    const [una, otra] = [await propia(), await propia()];
    const datos = {
      nombreReceptor: 'Juana',
      apellidos: 'Garza Ríos',
      telefono: '3312345678',
      colonia: 'Centro',
      ciudad: 'Guadalajara',
      municipio: 'Guadalajara',
      estado: 'Jalisco',
    };
    const form = (over: object) => OcurreForm.parse({ huella: 'nuevo', costo: '99', ...datos, ...over });
    await db.transaction().execute((trx) => saveOcurre(trx, form({ orden: una.id, cp: '44100' }), quien.id));
    await db.transaction().execute((trx) => saveOcurre(trx, form({ orden: otra.id }), quien.id));
    const { envio } = (await readPropio(db, una.id))!;
    expect(envio).toMatchObject({ ocurre: true, nombreReceptor: 'Juana Garza Ríos', cp: '44100' });
    expect(nombreAparte(envio!)).toEqual({ nombre: 'Juana', apellidos: 'Garza Ríos' });
    expect((await readPropio(db, otra.id))!.envio).toMatchObject({ ocurre: false, nombreReceptor: null, cp: null });
    expect(
      OcurreForm.safeParse({ orden: una.id, huella: 'nuevo', costo: '99', cp: '44100' }).error!.issues.map(
        ({ path }) => path[0],
      ),
    ).toEqual(['nombreReceptor', 'apellidos', 'telefono', 'colonia']);
  });

  test('says who carries it and how far it got; its sales go along and leave the list', async () => {
    const orden = await propia();
    await costo(orden.id, '100');
    await paqueteria(orden.id, 'enCamino');
    expect(await readPropio(db, orden.id)).toMatchObject({
      estatus: 'enCamino',
      envio: { estatus: 'enCamino', paqueteria: 'DHL', guia: '1234567890' },
    });
    expect(
      (
        await db
          .selectFrom('bitacora')
          .select('datos')
          .where('entidadId', '=', orden.id)
          .where('accion', '=', 'estado')
          .executeTakeFirstOrThrow()
      ).datos,
    ).toMatchObject({ antes: { estatus: 'enPreparacion' }, despues: { estatus: 'enCamino' } });
  });

  test('two people at once: one shipment, and the second is told that it changed', async () => {
    const orden = await propia();
    const save = () =>
      db.transaction().execute((trx) => saveCosto(trx, { orden: orden.id, huella: 'nuevo', costo: '50' }, quien.id));
    const answers = await Promise.allSettled([save(), save()]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((answers.find(({ status }) => status === 'rejected') as PromiseRejectedResult).reason).toBeInstanceOf(Stale);
  });

  test('is one thing for the dialog of the sale and for the quotes: what one form changed, the other has to load again', async () => {
    const orden = await propia();
    await costo(orden.id, '80');
    const { huella: before } = (await readPropio(db, orden.id))!;
    const form = (over: object) =>
      DatosEnvioForm.parse({
        orden: orden.id,
        huella: before,
        calle: 'Orizaba',
        paqueteria: 'DHL',
        guia: '1',
        estatus: 'enSucursal',
        ...over,
      });
    await db.transaction().execute((trx) => saveDatosEnvio(trx, form({}), quien.id));
    expect(await readPropio(db, orden.id)).toMatchObject({
      estatus: 'enSucursal',
      envio: { estatus: 'enSucursal', calle: 'Orizaba', paqueteria: 'DHL', guia: '1' },
    });
    const { huella: after } = (await readPropio(db, orden.id))!;
    await expect(
      db.transaction().execute((trx) => saveCosto(trx, { orden: orden.id, huella: before, costo: '90' }, quien.id)),
    ).rejects.toMatchObject({
      choque: {
        cambios: expect.arrayContaining([{ campo: 'Costo del envío', mio: '$90.00', suyo: '$80.00' }]),
        marcas: { huella: after },
      },
    });
    await expect(
      db.transaction().execute((trx) => saveDatosEnvio(trx, form({ huella: after, paqueteria: 'Correos' }), quien.id)),
    ).rejects.toMatchObject({ campo: 'paqueteria' });
    expect(
      DatosEnvioForm.safeParse({ orden: orden.id, huella: after, guia: '1' }).error!.issues.map(({ path }) => path[0]),
    ).toEqual(['paqueteria']);
  });

  test('of a cancelled sale does not change', async () => {
    const orden = await propia({ clase: 'cancelada', estatus: 'cancelado', marketStatus: 'cancelled' });
    await expect(costo(orden.id, '10')).rejects.toThrow('La orden fue cancelada');
    const ajena = await buildOrden(db, {});
    await expect(
      db.transaction().execute((trx) => saveCosto(trx, { orden: ajena.id, huella: 'nuevo', costo: '5' }, quien.id)),
    ).rejects.toThrow('El marketplace lleva este envío');
  });

  test('refuses what is no price, no courier and no state of ours', () => {
    const orden = '019a0000-0000-7000-8000-000000000000';
    for (const costo of ['', '0', '-5', 'doce', '1.234'])
      expect(CostoForm.safeParse({ orden, huella: 'x', costo }).success, costo).toBe(false);
    expect(CostoForm.parse({ orden, huella: 'x', costo: '$1,250.50' }).costo).toBe('1250.50');
    const bien = { orden, huella: 'x', estatus: 'enSucursal', paqueteria: 'Estafeta', guia: '77' };
    expect(PaqueteriaForm.safeParse(bien).success).toBe(true);
    for (const mal of [
      { estatus: 'shipped' },
      { paqueteria: 'Correos' },
      { guia: '' },
      { paqueteriaUrl: 'javascript:alert(1)' },
    ])
      expect(PaqueteriaForm.safeParse({ ...bien, ...mal }).success).toBe(false);
  });
});

describe('what a customer tells', () => {
  const datos = {
    huella: 'nuevo',
    entrega: 'domicilio',
    nombre: 'José María',
    apellidos: 'Peña Núñez',
    telefono: '33 1234 5678',
    cp: '44100',
    colonia: 'Centro',
    ciudad: 'Guadalajara',
    estado: 'Jalisco',
    calle: 'Av. Juárez',
    numeroE: '12',
    referencia: 'Casa azul, frente al parque.',
  };
  const problems = (over: object) =>
    Object.fromEntries(
      (datosClienteForm(null).safeParse({ ...datos, ...over }).error?.issues ?? []).map(({ path, message }) => [
        path[0],
        message,
      ]),
    );

  test('is checked in the agreed words', () => {
    expect(problems({})).toEqual({});
    expect(problems({ nombre: 'José  María', apellidos: 'P3ña!', ciudad: 'Gdl. #1' })).toEqual({
      nombre: 'Nombre No Valido',
      apellidos: 'Apellidos No Valido',
      ciudad: 'Ciudad No Valido',
    });
    expect(problems({ nombre: 'Ma. José', apellidos: "O'Brien Pérez-Gil", telefono: '+52 (33) 1234-5678' })).toEqual(
      {},
    );
    expect(problems({ calle: 'Calle #4', numeroE: '4/B', referencia: '<b>' })).toEqual({
      calle: 'Calle No Valido',
      numeroE: 'Número exterior No Valido',
      referencia: 'Referencia No Valido',
    });
    expect(problems({ cp: '4410', telefono: '1234' })).toEqual({
      cp: 'Código Postal No Valido',
      telefono: 'Telefono no valido',
    });
    expect(problems({ nombre: undefined, calle: undefined, colonia: undefined })).toEqual({
      nombre: 'Este dato es requerido',
      calle: 'Este dato es requerido',
      colonia: 'Este dato es requerido',
    });
    expect(
      problems({
        entrega: 'ocurre',
        calle: undefined,
        numeroE: undefined,
        referencia: undefined,
        ciudad: undefined,
        estado: undefined,
      }),
    ).toEqual({});
    expect(problems({ entrega: 'dron' })).toHaveProperty('entrega');
  });

  test('starts from what the marketplace knows, in letters that the form takes', () => {
    const escrito = {
      ...datos,
      numeroI: '',
      calleA: '',
      calleB: '',
      nombre: 'José  María (JM)',
      calle: 'Av. Juárez #45-B',
      numeroE: '4/B',
      referencia: 'Int 4 Referencia: portón verde',
    };
    const ofrecido = enLetrasOfForm({ ...escrito, telefono: '3312345678' });
    expect(ofrecido).toMatchObject({
      nombre: 'José María JM',
      calle: 'Av. Juárez 45 B',
      numeroE: '4 B',
      referencia: 'Int 4 Referencia portón verde',
      colonia: 'Centro',
    });
    expect(
      problems({
        nombre: ofrecido.nombre,
        calle: ofrecido.calle,
        numeroE: ofrecido.numeroE,
        referencia: ofrecido.referencia,
      }),
    ).toEqual({});
  });

  test('takes city and state from the postal code, and its colonia from that code only', () => {
    const lugar = {
      cp: '44100',
      estado: 'Jalisco',
      municipio: 'Guadalajara',
      ciudad: 'Guadalajara Sto. Nvo.',
      colonias: ['Centro'],
    };
    expect(datosClienteForm(lugar).parse({ ...datos, ciudad: 'Otra', estado: 'Otro' })).toMatchObject({
      ciudad: 'Guadalajara Sto. Nvo.',
      estado: 'Jalisco',
    });
    expect(datosClienteForm(lugar).safeParse({ ...datos, colonia: 'Inventada' }).success).toBe(false);
  });

  test('is kept until the package leaves', async () => {
    const { numOrden, id } = await propia();
    const valores = datosClienteForm(null).parse(datos);
    await db.transaction().execute((trx) => saveDatosCliente(trx, numOrden, valores, null));
    expect(await readDatosCliente(db, numOrden)).toMatchObject({
      motivo: null,
      escrito: {
        nombre: 'José María',
        apellidos: 'Peña Núñez',
        telefono: '3312345678',
        calle: 'Av. Juárez',
        entrega: 'domicilio',
      },
    });
    await paqueteria(id, 'enCamino');
    expect(await readDatosCliente(db, numOrden)).toMatchObject({
      motivo: expect.stringContaining('ya no se pueden cambiar'),
      enviado: { receptor: 'José María Peña Núñez', guia: '1234567890' },
    });
    await expect(db.transaction().execute((trx) => saveDatosCliente(trx, numOrden, valores, null))).rejects.toThrow(
      'ya no se pueden cambiar',
    );
    expect(hasLeft({ estatus: 'ready_to_ship', guia: null })).toBe(false);
  });

  test('does not fall on what staff wrote since its page was opened: both are shown, and the same press after it counts', async () => {
    const { numOrden, id } = await propia();
    const { huella } = await readDatosCliente(db, numOrden);
    const origen = { orden: id, huella };
    const suyo = { calle: 'Orizaba', cp: '06700', colonia: 'Roma Norte', guia: undefined };
    await db
      .transaction()
      .execute((trx) => saveDatosEnvio(trx, DatosEnvioForm.parse({ ...origen, ...suyo }), quien.id));
    const tell = (over: object) =>
      db
        .transaction()
        .execute((trx) =>
          saveDatosCliente(trx, numOrden, datosClienteForm(null).parse({ ...datos, huella, ...over }), null),
        );
    const refused = (await tell({}).catch((error: unknown) => error)) as Stale;
    expect(refused).toMatchObject({ titulo: 'Datos del envio' });
    expect(refused.choque.cambios).toEqual(
      expect.arrayContaining([
        { campo: 'Calle', mio: 'Av. Juárez', suyo: 'Orizaba' },
        { campo: 'Código postal', mio: '44100', suyo: '06700' },
      ]),
    );
    // What the page of the link does not show is not told here either.
    expect(refused.message).not.toMatch(/Costo|Paquetería|Estatus|Otra persona/);
    expect((await readDatosCliente(db, numOrden)).escrito.calle).toBe('Orizaba');
    await tell(refused.choque.marcas);
    expect((await readDatosCliente(db, numOrden)).escrito.calle).toBe('Av. Juárez');
  });
});
