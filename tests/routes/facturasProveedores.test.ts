import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { beforeAll, describe, expect, test } from 'vitest';
import { NotAllowed } from '~/core/errors';
import type { Rol, Usuario } from '~/core/usuario';
import { mesBefore } from '~/core/time';
import { runExport } from '~/domain/operacion/exports/runExport.server';
import { YA_EXISTE } from '~/domain/compras/facturas/proveedorFacturas.server';
import { action as agentesAction, loader as agentes } from '~/routes/compras/directorio/agentes';
import { action, loader } from '~/routes/compras/facturas/lista';
import { loader as descargarXml } from '~/routes/files/descargasProveedorXml';
import { action as pedirExportacion } from '~/routes/files/exportaciones';
import { loader as leerVentana } from '~/routes/files/listas';
import { action as proveedoresAction, loader as proveedores } from '~/routes/compras/directorio/proveedores';
import { mesOf } from '~/domain/facturacion/mes/mes';
import { action as reporteAction, loader as reporte } from '~/routes/cierre/reportes/rFacturacionGeneral';
import { bodyLimitOf } from '~/http/bodyLimit.server';
import { buildOrdenDe, cfdiDeProveedor, linkNuestroRfc } from '../support/builders/proveedores';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase } from '../support/db';

const { db } = testDatabase();
const people = new Map<Rol, Usuario>();
beforeAll(async () => {
  for (const rol of ['sa', 'admin', 'user', 'cont'] as const) people.set(rol, await buildPersona(db, rol));
  await linkNuestroRfc(db);
});

type Body = Record<string, string> | FormData;
function args(rol: Rol, path: string, body?: Body, params: Record<string, string> = {}): ActionFunctionArgs {
  const request = new Request(
    `http://trastienda.test/${rol}/${path}`,
    body ? { method: 'POST', body: body instanceof FormData ? body : new URLSearchParams(body) } : {},
  );
  return { request, params, context: { usuario: people.get(rol) } as unknown as AppLoadContext };
}

const NOVIEMBRE = 'mes=2026-11';
const agregar = (ordenId: string, folio: string, sketch: Record<string, string> = {}) => ({
  intent: 'agregarFactura',
  ordenId,
  proveedor: 'syscom',
  folio,
  monto: '$ 1,250.5_',
  ...sketch,
});
const places = (answer: unknown) =>
  answer instanceof Response ? [answer.status, answer.headers.get('Location')] : answer;
const enReporte = async (path: string) => (await reporte(args('admin', path))).lista;

describe('Reporte de facturación general', () => {
  test('opens with the month that is due, and shows the sales of a month that no supplier invoice covers', async () => {
    const debido = await enReporte('rFacturacionGeneral?canceladas=1').catch(places);
    expect(debido).toEqual([302, `?canceladas=1&mes=${mesBefore(mesOf(new Date()))}`]);
    const una = await buildOrdenDe(db, [{ modelo: 'R1' }]);
    await buildOrdenDe(db, [{ modelo: 'R2' }], { clase: 'cancelada' });
    await buildOrdenDe(db, [{ modelo: 'R3' }], { clase: 'devuelta' });
    await buildOrdenDe(db, [{ modelo: 'R4' }], { fecha: '2026-12-01T05:59:59.999Z' });
    await buildOrdenDe(db, [{ modelo: 'R5' }], { fecha: '2026-12-01T06:00:00Z' });
    const lista = await enReporte(`rFacturacionGeneral?${NOVIEMBRE}`);
    expect(lista.ventana.filas.map(({ titulo, clase }) => [titulo, clase])).toEqual([
      ['Venta de R4', 'normal'],
      ['Venta de R3', 'devuelta'],
      ['Venta de R1', 'normal'],
    ]);
    expect(lista.totales!.pagado).toBe('1000.00');
    expect((await enReporte(`rFacturacionGeneral?${NOVIEMBRE}&canceladas=1`)).totales!.registros).toBe(4);
    expect((await enReporte('rFacturacionGeneral?mes=2026-13')).totales!.registros).toBe(0);

    const ver = `rFacturacionGeneral?${NOVIEMBRE}&ver=${una.id}`;
    expect((await reporte(args('admin', ver))).abierta).toMatchObject({
      orden: { numOrden: una.numOrden },
      puedeAgregar: true,
    });
    expect((await reporte(args('cont', ver))).abierta).toMatchObject({ puedeAgregar: false, puedeEditar: false });
    await expect(reporteAction(args('cont', ver, agregar(una.id, 'F1')))).rejects.toThrow(NotAllowed);
    expect(places(await reporteAction(args('admin', ver, agregar(una.id, 'F1'))))).toEqual([302, `?${NOVIEMBRE}`]);
    expect((await enReporte(`rFacturacionGeneral?${NOVIEMBRE}`)).totales!.registros).toBe(2);
    expect(
      (
        await db.selectFrom('proveedorFactura').select('monto').where('ordenId', '=', una.id).executeTakeFirstOrThrow()
      ).monto.toFixed(2),
    ).toBe('1250.50');
  });
});

describe('Facturas de proveedores', () => {
  test('a supplier is found by its code and by its name, the new one too after it was renamed', async () => {
    const { id: ordenId } = await buildOrdenDe(db, [{ modelo: 'N1' }]);
    await db
      .insertInto('proveedorFactura')
      .values({ ordenId, proveedor: 'ts', folio: 'N-1', monto: '10.00' })
      .execute();
    await db
      .insertInto('agenteVenta')
      .values({ nombre: 'Ana', apellidos: 'Ríos', email: 'ana@ts.test', proveedor: 'ts' })
      .execute();
    const found = async (q: string) => [
      (await loader(args('admin', `facturasProveedores?q=${q}`))).lista.ventana.filas.map(({ folio }) => folio),
      (await agentes(args('admin', `agentesVentas?q=${q}`))).lista.ventana.filas.length,
    ];
    expect(await found('tecnosinergia')).toEqual([['N-1'], 1]);
    await db.updateTable('proveedor').set({ label: 'Tecno del Norte' }).where('value', '=', 'ts').execute();
    expect(await found('tecno norte')).toEqual([['N-1'], 1]);
    expect(await found('tecnosinergia')).toEqual([[], 0]);
    await db.updateTable('proveedorFactura').set({ proveedor: 'cva' }).where('folio', '=', 'N-1').execute();
    expect(await found('tecno norte')).toEqual([[], 1]);
    await db.updateTable('proveedor').set({ label: 'TecnoSinergia' }).where('value', '=', 'ts').execute();
    await db.deleteFrom('proveedorFactura').where('folio', '=', 'N-1').execute();
    await db.deleteFrom('agenteVenta').where('email', '=', 'ana@ts.test').execute();
  });

  const hoy = async (rol: Rol = 'admin', query = '') => (await loader(args(rol, `facturasProveedores${query}`))).lista;

  test('lists them with their links, finds them by folio, supplier and sale, and exports them', async () => {
    await db.updateTable('proveedor').set({ linkFactura: 'https://p.mx/f/' }).where('value', '=', 'syscom').execute();
    const orden = await buildOrdenDe(db, [{ modelo: 'L1' }]);
    await reporteAction(args('admin', `rFacturacionGeneral?ver=${orden.id}`, agregar(orden.id, 'FA/77')));
    for (const q of ['fa/77', 'syscom fa/77', orden.numOrden])
      expect((await hoy('cont', `?q=${encodeURIComponent(q)}`)).ventana.filas).toMatchObject([
        {
          folio: 'FA/77',
          proveedor: 'syscom',
          proveedorLabel: 'Syscom',
          reglaFactura: 'guion',
          linkFactura: 'https://p.mx/f/',
          monto: '1250.50',
          nombre: 'Quien',
          numOrden: orden.numOrden,
        },
      ]);
    expect((await hoy()).totales!.monto).toBe('2501.00');
    const ventana = await leerVentana(
      args(
        'cont',
        'listas/facturasProveedores?ventana=0&total=2&corte=ffffffff-ffff-7fff-bfff-ffffffffffff',
        undefined,
        { lista: 'facturasProveedores' },
      ),
    );
    expect(await ventana.json()).toMatchObject({ indice: 0, filas: { length: 2 } });
    await pedirExportacion(
      args('cont', 'exportaciones', {
        intent: 'pedir',
        lista: 'facturasProveedores',
        search: '',
        volver: '/cont/facturasProveedores',
      }),
    );
    const { id } = await db.selectFrom('exportRun').select('id').executeTakeFirstOrThrow();
    await runExport(db, id, { lastAttempt: true });
    expect(
      await db.selectFrom('exportRun').select(['state', 'written']).where('id', '=', id).executeTakeFirstOrThrow(),
    ).toMatchObject({ state: 'done', written: 2 });
  });

  test('edits and deletes ask first with the folio; user and cont only look', async () => {
    const { id: ordenId } = await buildOrdenDe(db, [{ modelo: 'L2' }]);
    await reporteAction(args('admin', `rFacturacionGeneral?ver=${ordenId}`, agregar(ordenId, 'E-1')));
    const { id } = await db
      .selectFrom('proveedorFactura')
      .select('id')
      .where('ordenId', '=', ordenId)
      .executeTakeFirstOrThrow();
    const edit = { intent: 'editarFactura', id, version: '1', proveedor: 'tvc', folio: 'E-2', monto: '9' };
    const path = `facturasProveedores?ver=${id}`;
    for (const rol of ['user', 'cont'] as const) {
      await expect(action(args(rol, path, { ...edit, confirmado: '1' }))).rejects.toThrow(NotAllowed);
      expect(await loader(args(rol, path))).toMatchObject({ puedeEditar: false, proveedores: [] });
    }
    expect(await action(args('admin', path, edit))).toMatchObject({
      data: {
        confirmar: {
          texto: '¿Esta seguro que desea Editar la factura E-1?',
          hechos: expect.stringMatching(
            /^Monto: de \$[\d.,]+ a \$9\.00\. (Proveedor: de .+ a TVC\. )?Folio: de E-1 a E-2\. Cambia la ganancia de la orden \d+ en 3 reportes: Mensual \(.+\), Llenar reporte y Gráfica\.$/,
          ) as string,
        },
      },
    });
    expect(places(await action(args('admin', path, { ...edit, confirmado: '1' })))).toEqual([302, '?']);
    expect(await action(args('admin', path, { ...edit, confirmado: '1' }))).toMatchObject({
      data: { choque: { marcas: { version: 2 } } },
      init: { status: 422 },
    });
    const gone = { intent: 'eliminarFactura', id, version: '2' };
    expect(await action(args('admin', 'facturasProveedores', gone))).toMatchObject({
      data: {
        confirmar: {
          texto: '¿Esta seguro que desea eliminar la factura E-2?',
          hechos: expect.stringMatching(
            /^TVC · \$9\.00 · orden \d+\. Cambia la ganancia de la orden \d+ en 3 reportes/,
          ) as string,
        },
      },
    });
    expect(places(await action(args('admin', 'facturasProveedores', { ...gone, confirmado: '1' })))).toEqual([
      302,
      '?',
    ]);
  });

  test('says what is missing, and the duplicate in the agreed words', async () => {
    const { id } = await buildOrdenDe(db, [{ modelo: 'L3' }]);
    const add = (body: Record<string, string>) => reporteAction(args('admin', `rFacturacionGeneral?ver=${id}`, body));
    expect(await add({ intent: 'agregarFactura', ordenId: id })).toMatchObject({
      data: {
        error: {
          proveedor: ['Este dato es requerido'],
          monto: ['Este dato es requerido'],
          folio: ['Este dato es requerido'],
        },
      },
      init: { status: 422 },
    });
    // An invoice of nothing turns the sale into profit: nobody adds it by a slip.
    expect(await add(agregar(id, 'D0', { monto: '0' }))).toMatchObject({
      data: { confirmar: { texto: '¿Esta seguro que desea agregar la factura D0 por $0.00?' } },
    });
    expect(await add(agregar(id, 'D1', { monto: 'doce' }))).toMatchObject({
      data: { error: { monto: ['Monto No Valido'] } },
    });
    await add(agregar(id, 'D1'));
    expect(await add(agregar(id, 'd1'))).toMatchObject({
      data: { titulo: 'Error al agregar.', error: { '': [YA_EXISTE] } },
      init: { status: 422 },
    });
  });
});

describe('XML of suppliers', () => {
  const upload = (...xml: [string, string][]) => {
    const form = new FormData();
    form.set('intent', 'subirXml');
    for (const [name, text] of xml) form.append('xml', new File([text], name, { type: 'text/xml' }));
    return form;
  };

  test('fill the dialog of the sale they are of, and are kept to be downloaded', async () => {
    const orden = await buildOrdenDe(db, [{ modelo: 'XM-1' }]);
    const path = `rFacturacionGeneral?${NOVIEMBRE}&ver=${orden.id}`;
    const xml = cfdiDeProveedor({
      folio: '31',
      conceptos: [{ clave: 'XM-1', descripcion: 'Equipo', importe: '100.00', iva: '16.00' }],
    });
    const [status, to] = places(await reporteAction(args('admin', path, upload(['a.xml', xml])))) as [number, string];
    expect(status).toBe(302);
    const { abierta } = await reporte(args('admin', `rFacturacionGeneral${to}`));
    expect(abierta?.cfdis).toMatchObject([
      { folio: 'A31', total: '116.00', propuesta: { filas: [{ ordenId: orden.id }] } },
    ]);
    const [cfdi] = abierta!.cfdis;
    const factura = agregar(orden.id, 'A31', { cfdi: cfdi!.id, monto: '116' });
    expect(await reporteAction(args('admin', `rFacturacionGeneral${to}`, factura))).toMatchObject({
      data: { confirmar: { texto: expect.stringContaining('¿Es el RFC de Syscom?') as string } },
    });
    expect(
      places(await reporteAction(args('admin', `rFacturacionGeneral${to}`, { ...factura, confirmado: '1' }))),
    ).toEqual([302, `?${NOVIEMBRE}`]);
    const file = await descargarXml(args('cont', 'descargas', undefined, { id: cfdi!.id }));
    expect(await file.text()).toBe(xml);
    await expect(descargarXml(args('cont', 'descargas', undefined, { id: 'no' }))).rejects.toMatchObject({
      status: 404,
    });
  });

  test('of several sales are divided on the screen; what could not be read says why beside what could', async () => {
    const ordenes = [await buildOrdenDe(db, [{ modelo: 'XM-2' }]), await buildOrdenDe(db, [{ modelo: 'XM-3' }])];
    const xml = cfdiDeProveedor({
      folio: '32',
      total: '300.00',
      conceptos: [
        { clave: 'XM-2', descripcion: 'Uno', importe: '100.00' },
        { clave: 'XM-3', descripcion: 'Dos', importe: '200.00' },
      ],
    });
    const answer = await action(
      args('sa', 'facturasProveedores?xml=1', upload(['bueno.xml', xml], ['malo.xml', '<!DOCTYPE x><x/>'])),
    );
    expect(answer).toMatchObject({
      data: {
        resultado: { leidos: [expect.any(String)], motivos: 'malo.xml: El XML declara un DOCTYPE o entidades.' },
      },
      init: { status: 200 },
    });
    expect(
      await action(args('sa', 'facturasProveedores?xml=1', upload(['malo.xml', '<!DOCTYPE x><x/>']))),
    ).toMatchObject({
      data: {
        titulo: 'Error de carga.',
        error: { '': ['malo.xml: El XML declara un DOCTYPE o entidades.'] },
      },
      init: { status: 422 },
    });
    expect(await action(args('sa', 'facturasProveedores?xml=1', upload()))).toMatchObject({
      data: { error: { xml: ['Elige al menos un archivo XML.'] } },
      init: { status: 422 },
    });
    expect(await action(args('sa', 'facturasProveedores?xml=1', upload(['', ''])))).toMatchObject({
      data: { error: { xml: ['Elige al menos un archivo XML.'] } },
    });
    const { cfdis } = await loader(args('sa', 'facturasProveedores?xml=1'));
    const cfdi = cfdis.find(({ folio }) => folio === 'A32')!;
    expect(cfdi.propuesta.filas.map(({ numero, monto }) => [numero, monto])).toEqual([
      [ordenes[0]!.numOrden, '100.00'],
      [ordenes[1]!.numOrden, '200.00'],
    ]);
    const filas = Object.fromEntries(
      [...cfdi.propuesta.filas, { numero: '', monto: '' }].flatMap(({ numero, monto }, at) => [
        [`filas[${at}].orden`, numero],
        [`filas[${at}].monto`, monto],
      ]),
    );
    const repartir = {
      intent: 'repartirXml',
      cfdi: cfdi.id,
      ...cfdi.visto,
      proveedor: 'syscom',
      folio: 'A32',
      confirmado: '1',
    };
    expect(await action(args('sa', 'facturasProveedores?xml=1', repartir))).toMatchObject({
      data: { error: { filas: ['Escribe al menos una orden.'] } },
    });
    expect(places(await action(args('sa', 'facturasProveedores?xml=1', { ...repartir, ...filas })))).toEqual([
      302,
      '?xml=1',
    ]);
    expect(
      (
        await db.selectFrom('proveedorFactura').select('monto').where('cfdiId', '=', cfdi.id).orderBy('monto').execute()
      ).map(({ monto }) => monto.toFixed(2)),
    ).toEqual(['100.00', '200.00']);
  });

  test('only the screens that take them have room for them', () => {
    expect(bodyLimitOf('/sa/facturasProveedores')).toBeGreaterThan(10_000_000);
    expect(bodyLimitOf('/cont/facturasProveedores')).toBe(256 * 1024);
    expect(bodyLimitOf('/sa/usuarios')).toBe(256 * 1024);
  });
});

describe('suppliers and agents', () => {
  test('an agent is created, and deactivated after its question', async () => {
    const crear = {
      intent: 'agregar',
      nombre: ' Ana ',
      apellidos: 'Solís',
      email: 'ana@syscom.test',
      proveedor: 'syscom',
    };
    expect(await agentesAction(args('admin', 'agentesVentas?agregar=1', { ...crear, email: 'no' }))).toMatchObject({
      data: { error: { email: ['Email No Valido'] } },
    });
    expect(places(await agentesAction(args('admin', 'agentesVentas?agregar=1', crear)))).toEqual([302, '?']);
    const [agente] = (await agentes(args('admin', 'agentesVentas'))).lista.ventana.filas;
    expect(agente).toMatchObject({ nombre: 'Ana', proveedorLabel: 'Syscom', activo: true });
    const { id } = agente!;
    expect((await agentes(args('admin', `agentesVentas?editar=${id}`))).editado).toMatchObject({ id, version: 1 });
    expect((await agentes(args('admin', 'agentesVentas?editar=nadie'))).editado).toBeNull();
    const corregir = { ...crear, intent: 'editar', id, version: '1', email: 'ana.solis@syscom.test' };
    expect(places(await agentesAction(args('admin', `agentesVentas?editar=${id}&q=ana`, corregir)))).toEqual([
      302,
      '?q=ana',
    ]);
    expect(await agentesAction(args('admin', `agentesVentas?editar=${id}`, corregir))).toMatchObject({
      data: { choque: { cambios: [] } },
    });
    const apagar = { intent: 'estatus', id, version: '2', activo: '0' };
    expect(await agentesAction(args('admin', 'agentesVentas', apagar))).toMatchObject({
      data: { confirmar: { texto: '¿Esta seguro/a que desea Desactivar al agente Ana Solís?' } },
    });
    expect(places(await agentesAction(args('admin', 'agentesVentas', { ...apagar, confirmado: '1' })))).toEqual([
      302,
      '?',
    ]);
    expect(await agentesAction(args('admin', 'agentesVentas', { ...apagar, confirmado: '1' }))).toMatchObject({
      data: { choque: { cambios: [{ campo: 'Estatus', mio: 'Activo', suyo: 'Inactivo' }] } },
    });
  });

  test('a supplier keeps only real addresses, its own RFC and its own key', async () => {
    const cva = (await proveedores(args('admin', 'proveedores'))).proveedores.find(({ value }) => value === 'cva')!;
    const base = {
      intent: 'editar',
      value: 'cva',
      version: String(cva.version),
      label: 'CVA',
      reglaFactura: 'sufijo',
      activo: '1',
      rfc: 'cva-991214 jv2',
    };
    expect(
      await proveedoresAction(
        args('sa', 'proveedores?ver=cva', { ...base, linkFactura: 'javascript:alert(1)', rfc: 'XX' }),
      ),
    ).toMatchObject({ data: { error: { linkFactura: [expect.any(String)], rfc: ['RFC No Valido'] } } });
    expect(
      places(await proveedoresAction(args('sa', 'proveedores?ver=cva', { ...base, linkFactura: 'https://c.mx/f?' }))),
    ).toEqual([302, '?ver=cva']);
    expect(
      (await proveedores(args('admin', 'proveedores'))).proveedores.find(({ value }) => value === 'cva'),
    ).toMatchObject({ rfc: 'CVA991214JV2', linkFactura: 'https://c.mx/f?', email: null });
    expect(
      await proveedoresAction(
        args('sa', 'proveedores', {
          intent: 'agregar',
          value: 'otro',
          label: 'Otro',
          reglaFactura: 'ninguna',
          rfc: 'CVA991214JV2',
        }),
      ),
    ).toMatchObject({ data: { error: { rfc: ['Otro proveedor tiene ese RFC.'] } } });
    expect(
      await proveedoresAction(
        args('sa', 'proveedores', { intent: 'agregar', value: 'ct', label: 'Otro', reglaFactura: 'ninguna' }),
      ),
    ).toMatchObject({ data: { error: { value: ['Ya existe un proveedor con esa clave.'] } } });
    expect(
      places(
        await proveedoresAction(
          args('sa', 'proveedores', { intent: 'agregar', value: 'otro', label: 'Otro', reglaFactura: 'ninguna' }),
        ),
      ),
    ).toEqual([302, '?']);
  });
});
