import { beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, type Screen } from '~/access/screens';
import { LISTS } from '~/domain/operacion/exports/lists.server';
import { createAgente } from '~/domain/compras/directorio/agentes.server';
import { ACORDADA } from '~/domain/ventas/ordenes/estatus';
import { createProveedorFactura } from '~/domain/compras/facturas/proveedorFacturas.server';
import { buildOrden } from '../support/builders/ordenes';
import { testDatabase } from '../support/db';
import { buildUsuarios, Web } from '../support/web';

/** What anyone may type into an address, or send late, as a browser without JavaScript does. */
const { db } = testDatabase();
let web: Web;
let cookie: string;
let quien: string;

beforeAll(async () => {
  quien = (await buildUsuarios(db)).sa;
  web = await Web.start();
  cookie = await web.session('sa');
}, 180_000);

async function get(path: string) {
  const response = await web.fetch(`/sa/${path}`, { cookie, headers: { Accept: 'text/html' } });
  return { status: response.status, html: await response.text() };
}
async function post(path: string, fields: Record<string, string>) {
  const response = await web.post(`/sa/${path}`, fields, { cookie, headers: { Accept: 'text/html' } });
  return { status: response.status, html: await response.text() };
}

const AUSENTE = '019a0000-0000-7000-8000-000000000000';
const isScreen = (key: string): key is keyof typeof SCREENS =>
  Object.hasOwn(SCREENS, key) && (SCREENS[key as keyof typeof SCREENS] as Screen).roles.includes('sa');
/** Every list whose filter has a range, and the graph. */
const CON_RANGO = [
  ...Object.values(LISTS)
    .filter((list) => 'desde' in list.parse(new URLSearchParams()))
    .map(({ lista }) => lista)
    .filter(isScreen),
  'grafica',
];

test('the screens with a range are many', () => {
  expect(CON_RANGO).toEqual(
    expect.arrayContaining([
      'ordenes',
      'ordenesActivas',
      'ordenesCanceladas',
      'facturasClientes',
      'facturasProveedores',
      'envios',
      'enviosPendientes',
      'cotizarEnvios',
      'llenarReporte',
      'grafica',
    ]),
  );
});

describe.each(CON_RANGO)('the range of %s', (pantalla) => {
  test.each([
    ['reversed', 'desde=2026-11-30&hasta=2026-11-01', 'La fecha inicial del rango es posterior a la final.'],
    ['of more than 400 days', 'desde=2025-01-01&hasta=2026-11-01', 'El rango de fechas no puede pasar de 400 días.'],
    ['with a day that does not exist', 'desde=2026-02-30&hasta=2026-03-01', 'Las fechas del rango no son válidas.'],
    ['that is no date', 'desde=ayer&hasta=%00', 'Las fechas del rango no son válidas.'],
  ])('%s is a 422 with a sentence, and the page is there', async (_, query, sentence) => {
    const { status, html } = await get(`${pantalla}?${query}`);
    expect(status).toBe(422);
    expect(html).toContain(`${sentence} Se muestra el periodo predeterminado.`);
    expect(html).toContain('Cerrar Sessión');
  });

  test('of 400 days, or with one end, is as good as any', async () => {
    for (const query of ['desde=2025-10-01&hasta=2026-11-04', 'desde=&hasta=', ''])
      expect((await get(`${pantalla}?${query}`)).status, query).toBe(200);
  });
});

describe('a search that no data can answer as it was typed', () => {
  test('is cut at 100 characters, says so, and never shows the whole list', async () => {
    const { id } = await buildOrden(db);
    const whole = await get(`ordenes?q=${'x'.repeat(100)}`);
    const longer = await get(`ordenes?q=${'x'.repeat(101)}`);
    expect([whole.status, longer.status]).toEqual([200, 422]);
    expect(longer.html).toContain('La búsqueda admite hasta 100 caracteres. Se buscaron los primeros 100.');
    expect(longer.html).not.toContain(id);
    expect((await get('ordenes')).html).toContain(id);
  });

  test('with NUL in it is made without that, and says so', async () => {
    const { status, html } = await get('ordenes?q=%00nadie%00');
    expect(status).toBe(422);
    expect(html).toContain('La búsqueda tiene caracteres que ningún dato puede tener. Se buscó sin ellos.');
    expect(html).toContain('value="nadie"');
  });
});

test.each([
  ['an endless filter', { intent: 'pedir', lista: 'ordenes', search: 'x'.repeat(100_000) }],
  ['NUL in it', { intent: 'pedir', lista: 'ordenes', search: 'q=\0' }],
  ['no list', { intent: 'pedir' }],
  ['no intent', { lista: 'ordenes' }],
  ['a run that is none', { intent: 'quitar', id: 'nada' }],
] as [string, Record<string, string>][])('an export with %s is refused', async (_, fields) => {
  const { status } = await post('exportaciones', fields);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
});

test.each(['mensual', 'rFacturacionGeneral'])(
  'a month that is none is a 422 with a sentence in %s',
  async (pantalla) => {
    for (const mes of ['2026-13', 'octubre', '1999-01']) {
      const { status, html } = await get(`${pantalla}?mes=${mes}`);
      expect([status, html.includes('El mes no es válido.')], mes).toEqual([422, true]);
    }
    expect((await get(`${pantalla}?mes=2026-10`)).status).toBe(200);
  },
);

test.each([
  ...['ordenes', 'ordenesActivas', 'ordenesCanceladas', 'llenarReporte', 'mensual'].flatMap((pantalla) => [
    `${pantalla}?ver=`,
    `${pantalla}?proveedorFactura=`,
  ]),
  'cotizarEnvios?ver=',
  'rFacturacionGeneral?mes=2026-10&ver=',
  'facturasProveedores?ver=',
])('a link %s to what is not here is a 404 with the way back', async (link) => {
  for (const id of [AUSENTE, 'nada', '%27%3B--']) {
    const { status, html } = await get(link + id);
    expect(status, id).toBe(404);
    expect(html).toMatch(/La (orden|factura) no existe/);
    expect(html).toContain('Volver a la lista');
    expect(html).toContain(`href="/sa/${link.split('?')[0]}"`);
  }
});

test('a sale agreed with the buyer says so where its shipment would stand, and may be called delivered at once', async () => {
  const orden = await buildOrden(db, {
    envioPropio: true,
    envio: null,
    fechaCreacion: new Date(Date.now() - 3_600_000),
  });
  const shown = async (pantalla: string) => (await get(`${pantalla}?q=${orden.numOrden}`)).html;
  const lists = ['ordenes', 'ordenesActivas', 'cotizarEnvios'];
  for (const pantalla of lists) expect(await shown(pantalla)).not.toContain(ACORDADA);
  expect(await shown('ordenesActivas')).not.toContain(`Cambiar a Entregado la orden ${orden.numOrden}`);
  await db.updateTable('orden').set({ acordada: true }).where('id', '=', orden.id).execute();
  for (const pantalla of lists)
    expect([pantalla, (await shown(pantalla)).includes(ACORDADA)]).toEqual([pantalla, true]);
  expect(await shown('ordenesActivas')).toContain(`Cambiar a Entregado la orden ${orden.numOrden}`);
  expect((await get(`ordenes?ver=${orden.id}`)).html).toContain(`${ACORDADA} con el comprador, sin envío.`);
});

test('a row holds one action and the way to the others, which come as a part of the page to whoever may do them', async () => {
  const { id, numOrden } = await buildOrden(db, { fechaCreacion: new Date() });
  const { html } = await get(`ordenes?q=${numOrden}`);
  const tabla = /<tbody.*<\/tbody>/s.exec(html)![0];
  expect(tabla).toContain(`Facturas de proveedor de la orden ${numOrden}`);
  expect(tabla).toContain(`Más acciones de la orden ${numOrden}`);
  expect(tabla).toContain(`Elegir la orden ${numOrden}`);
  expect(tabla).not.toMatch(/<form|<dialog/);
  expect(html).not.toContain(`Acciones de la orden ${numOrden}</h2>`);

  const pedida = (await get(`ordenes?q=${numOrden}&menu=${id}`)).html;
  for (const [texto, intent] of [
    ['Enviar link al cliente', 'enlace'],
    ['Correo al proveedor', 'correo'],
  ])
    expect(pedida).toMatch(new RegExp(`<form(?:(?!</form>).)*value="${intent}"(?:(?!</form>).)*${texto}`, 's'));
  expect(pedida).toContain(`/sa/facturacion?numOrden=${numOrden}`);

  const cont = await web.session('cont');
  const mirada = await (
    await web.fetch(`/cont/ordenes?q=${numOrden}&menu=${id}`, { cookie: cont, headers: { Accept: 'text/html' } })
  ).text();
  expect(mirada).toContain(`Facturas de proveedor de la orden ${numOrden}`);
  expect(mirada).not.toMatch(/value="correo"|value="enlace"|Más acciones/);
});

describe('an edit that comes late is told, and changes nothing', () => {
  /** In a form both sides are shown; where there is nothing to set beside, it is said. */
  const TARDE = /Otra persona (?:modificó este registro|eliminó esta factura)\.|Cambió mientras lo veías/;
  const late = async (path: string, fields: Record<string, string>) => {
    const { status, html } = await post(path, { ...fields, confirmado: '1' });
    expect([status, TARDE.test(html)], path).toEqual([422, true]);
  };

  test('of a supplier invoice, edited or deleted, wherever its dialog stands', async () => {
    const { id: ordenId } = await buildOrden(db);
    const { id } = await db
      .transaction()
      .execute((trx) => createProveedorFactura(trx, { ordenId, proveedor: 'ct', folio: 'T-1', monto: '10.00' }, quien));
    const edit = { intent: 'editarFactura', id, version: '1', proveedor: 'ct', folio: 'T-2', monto: '20.00' };
    expect((await post(`facturasProveedores?ver=${id}`, { ...edit, confirmado: '1' })).status).toBe(302);
    await late(`facturasProveedores?ver=${id}`, edit);
    for (const path of ['ordenes', 'llenarReporte', 'mensual'])
      await late(`${path}?proveedorFactura=${ordenId}&editar=${id}`, edit);
    await late('facturasProveedores', { intent: 'eliminarFactura', id, version: '1' });
    await late(`ordenes?proveedorFactura=${ordenId}`, { intent: 'eliminarFactura', id, version: '1' });
    expect(
      await db.selectFrom('proveedorFactura').select(['folio', 'version']).where('id', '=', id).executeTakeFirst(),
    ).toEqual({ folio: 'T-2', version: 2 });
    expect(
      (await post('facturasProveedores', { intent: 'eliminarFactura', id, version: '2', confirmado: '1' })).status,
    ).toBe(302);
    await late('facturasProveedores', { intent: 'eliminarFactura', id, version: '2' });
  });

  test('of a supplier', async () => {
    const edit = {
      intent: 'editar',
      value: 'ts',
      version: '1',
      label: 'TecnoSinergia',
      reglaFactura: 'ninguna',
      activo: '1',
    };
    expect((await post('proveedores?ver=ts', edit)).status).toBe(302);
    await late('proveedores?ver=ts', { ...edit, label: 'Otro' });
    expect(await db.selectFrom('proveedor').select('label').where('value', '=', 'ts').executeTakeFirst()).toEqual({
      label: 'TecnoSinergia',
    });
  });

  test('of an agent', async () => {
    await db
      .transaction()
      .execute((trx) =>
        createAgente(
          trx,
          { nombre: 'Luz', apellidos: 'Roa', email: 'luz@ct.test', proveedor: 'ct', telefono: null },
          quien,
        ),
      );
    const { id } = await db
      .selectFrom('agenteVenta')
      .select('id')
      .where('email', '=', 'luz@ct.test')
      .executeTakeFirstOrThrow();
    const off = { intent: 'estatus', id, version: '1', activo: '0', confirmado: '1' };
    expect((await post('agentesVentas', off)).status).toBe(302);
    await late('agentesVentas', off);
  });

  test('of the state of a sale, and of its shipment', async () => {
    const { id } = await buildOrden(db, {
      fechaCreacion: new Date(Date.now() - 50 * 3_600_000),
      envio: { propio: true },
    });
    const deliver = { intent: 'entregar', orden: id };
    expect((await post('ordenesActivas', { ...deliver, confirmado: '1' })).status).toBe(302);
    await late('ordenesActivas', deliver);
    const { html } = await get(`ordenes?ver=${id}&editar=envio`);
    const huella = /name="huella" value="([^"]+)"/.exec(html)![1]!;
    await db
      .updateTable('envio')
      .set({ calle: 'Otra calle', actualizadoEn: new Date() })
      .where(
        'id',
        '=',
        (await db.selectFrom('orden').select('envioId').where('id', '=', id).executeTakeFirstOrThrow()).envioId!,
      )
      .execute();
    await late(`ordenes?ver=${id}&editar=envio`, {
      intent: 'envio',
      orden: id,
      huella,
      nombreReceptor: 'María',
      cp: '44100',
      calle: 'Mía',
      numeroE: '1',
      colonia: 'Centro',
      ciudad: 'Guadalajara',
      estado: 'Jalisco',
      telefono: '3312345678',
    });
  });
});
