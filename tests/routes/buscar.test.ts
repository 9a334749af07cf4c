import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/node';
import { beforeAll, expect, test } from 'vitest';
import { PostgresQueryCompiler, sql } from 'kysely';
import { ROLES, SCREENS, screens, screensOf } from '~/access/screens';
import { civilDay } from '~/core/time';
import type { Rol } from '~/core/usuario';
import { nameOrdenes } from '~/domain/ventas/ordenes/nombrarOrdenes.server';
import { ordenesList } from '~/domain/ventas/ordenes/listOrdenes.server';
import { openList } from '~/platform/lists/list.server';
import { LISTS } from '~/domain/operacion/exports/lists.server';
import { BUSCADORES } from '~/domain/operacion/searchCatalog.server';
import { loader } from '~/routes/inicio/buscar';
import { buildFactura } from '../support/builders/facturas';
import { buildOrden, buildQuien, claimOrden } from '../support/builders/ordenes';
import { testDatabase } from '../support/db';
import { readList } from '../support/plans';

const { db } = testDatabase();
/** Long past every range that a list opens with. */
const HACE_ANIOS = new Date('2023-03-01T18:00:00Z');
let orden: { id: string; numOrden: string; envioId: string | null };
let venta: typeof orden;
let factura: { id: string; uuid: string };

beforeAll(async () => {
  orden = await buildOrden(db, {
    fechaCreacion: HACE_ANIOS,
    titulo: 'Grabador de catorce canales',
    sku: 'AMS|66f1c0b2|syscom|DS-7616NI',
  });
  await db.updateTable('envio').set({ guia: 'JD0146000Ab' }).where('id', '=', orden.envioId!).execute();
  venta = await buildOrden(db, {
    fechaCreacion: HACE_ANIOS,
    titulo: 'Sirena de exterior',
    datos: { buyer: { id: 7, nickname: 'BEGO_NUNEZ88', first_name: 'Begoña', last_name: 'Ñáñez' } },
  });
  await db.updateTable('orden').set({ comprador: 'BEGO_NUNEZ88' }).where('id', '=', venta.id).execute();
  await db
    .updateTable('envio')
    .set({ nombreReceptor: 'Íñigo Zurita Peón', telefono: '33 1234-5678' })
    .where('id', '=', venta.envioId!)
    .execute();
  await claimOrden(
    db,
    venta.id,
    await buildFactura(db, {
      serie: 'F',
      folio: 8802,
      rfc: 'ZUPI760312AB3',
      razonSocial: 'FERRETERÍA EL TORNILLO ÚNICO',
    }),
  );
  factura = await buildFactura(db, {
    serie: 'F',
    folio: 8801,
    rfc: 'OIGF760312AB3',
    razonSocial: 'FERNANDO ORTIZ GUZMÁN',
    emails: ['Fer.Ortiz@Ejemplo.mx'],
    fechaTimbrado: HACE_ANIOS,
  });
});

const buscar = (rol: Rol, q: string) =>
  loader({
    request: new Request(`http://trastienda.test/${rol}/buscar?${new URLSearchParams({ q })}`),
    params: {},
    context: { usuario: { rol } } as unknown as AppLoadContext,
  } as LoaderFunctionArgs);

const idsDe = async (rol: Rol, q: string) =>
  (await buscar(rol, q)).grupos.flatMap(({ hallazgos }) => hallazgos.map(({ id }) => id));

test.each([
  ['its number', () => orden.numOrden],
  ['its number as people paste it', () => ` #${orden.numOrden} `],
  ['its guía in other letters', () => 'jd0146000aB'],
  ['its SKU', () => 'ams|66f1c0b2|syscom|ds-7616ni'],
  ['its model', () => 'ds-7616ni'],
  ['words of its title, accents aside', () => 'catorce grabádor'],
])('a sale of years ago is found by %s', async (_, q) => {
  expect(await idsDe('user', q())).toContain(orden.id);
});

test.each([
  ['its folio', () => 'f-8801'],
  ['its UUID in either case', () => factura.uuid.toLowerCase()],
  ['the RFC of its customer', () => 'OIGF760312AB3'],
  ['the name of its customer', () => 'guzman ortiz'],
  ['an address of its customer', () => 'fer.ortiz@ejemplo.mx'],
])('a factura of years ago is found by %s', async (_, q) => {
  expect(await idsDe('cont', q())).toContain(factura.id);
});

test('a sale of Amazon is found by a part of its number that reads like a telephone', async () => {
  const { id } = await buildOrden(db, { market: 'amz', numOrden: '701-1000009-1305838' });
  const lista = async (q: string) => {
    const request = new Request(`http://trastienda.test/sa/ordenes?${new URLSearchParams({ rango: 'todas', q })}`);
    return (await openList(db, ordenesList, request, await buildQuien(db))).ventana.filas.map((fila) => fila.id);
  };
  for (const q of ['701-1000009', '701-1000009-13']) {
    expect(await idsDe('user', q)).toContain(id);
    expect(await lista(q)).toContain(id);
  }
});

test('a telephone in groups of digits finds no sale whose number holds the groups', async () => {
  const { id } = await buildOrden(db, { market: 'ml', numOrden: '2000055125678934' });
  expect(await idsDe('user', '5512567893')).toContain(id);
  expect(await idsDe('user', '55 1256 7893')).toContain(id);
  expect(await idsDe('user', '55 7893 5125')).not.toContain(id);
});

const POR_COMPRADOR: [string, string][] = [
  ['the nickname', 'bego_nunez88'],
  ['half of the nickname', 'NUNEZ88'],
  ['the name, accents aside', 'begona nanez'],
  ['the receiver, accents aside', 'inigo peon'],
  ['half a word of the receiver', 'zuri'],
  ['the telephone', '3312345678'],
  ['the telephone as people write it', '+52 (33) 1234 5678'],
  ['half of the telephone', '345678'],
  ['the legal name on its factura', 'ferreteria tornillo'],
];

test.each(POR_COMPRADOR)('a sale is found by its buyer: %s', async (_, q) => {
  expect(await idsDe('user', q)).toContain(venta.id);
  const lista = await openList(
    db,
    ordenesList,
    new Request(`http://trastienda.test/sa/ordenes?${new URLSearchParams({ rango: 'todas', q })}`),
    await buildQuien(db),
  );
  expect(lista.ventana.filas.map(({ id }) => id)).toContain(venta.id);
  // A role that may open no sale finds none.
  expect(await idsDe('aux', q)).toEqual([]);
});

test('every role that searches among sales may open a sale, which tells its buyer', () => {
  const BUSCAN = [
    'ordenes',
    'ordenesCanceladas',
    'ordenesActivas',
    'cotizarEnvios',
    'ordenesCT',
    'facturacionGeneral',
    'rFacturacionGeneral',
    'conciliacion',
    'mensual',
    'llenarReporte',
  ] as const;
  for (const rol of ROLES) {
    const suyas = screensOf(rol).map(([key]) => key as string);
    if (BUSCAN.some((key) => suyas.includes(key))) expect(suyas, rol).toContain('ordenes');
  }
});

test('a receiver who is corrected is found, and who received before is not', async () => {
  const { id, envioId } = await buildOrden(db, {
    titulo: 'Botón de pánico',
    envio: { nombreReceptor: 'Xóchitl Quintanar' },
  });
  expect(await idsDe('user', 'xochitl quintanar')).toEqual([id]);
  await db.updateTable('envio').set({ nombreReceptor: 'Yazmín Obregón' }).where('id', '=', envioId!).execute();
  expect(await idsDe('user', 'yazmin obregon')).toEqual([id]);
  expect(await idsDe('user', 'xochitl quintanar')).toEqual([]);
});

test('sales that were kept before searches knew buyers are named by night, once', async () => {
  const { id } = await buildOrden(db, { titulo: 'Lector de tarjetas', envio: { nombreReceptor: 'Wenceslao Urrutia' } });
  await db.updateTable('orden').set({ documentos: '' }).where('id', '=', id).execute();
  expect(await idsDe('user', 'wenceslao')).toEqual([]);
  expect(await nameOrdenes(db)).toBe(0);
  await sql`insert into orden_por_nombrar select uuidv7()`.execute(db);
  expect(await nameOrdenes(db)).toBeGreaterThan(0);
  expect(await idsDe('user', 'wenceslao')).toEqual([id]);
  expect(await nameOrdenes(db)).toBe(0);
});

test('what a role may not open is not found by it, nor offered', async () => {
  expect(await idsDe('aux', orden.numOrden)).toEqual([]);
  const deUser = (await buscar('user', orden.numOrden)).grupos.flatMap(({ hallazgos }) => hallazgos);
  expect(deUser.flatMap(({ acciones }) => acciones.map(({ a }) => a))).toEqual([
    `facturacion?numOrden=${orden.numOrden}`,
  ]);
  const deCont = (await buscar('cont', orden.numOrden)).grupos.flatMap(({ hallazgos }) => hallazgos);
  expect(deCont.map(({ id, acciones }) => [id, acciones])).toEqual([[orden.id, []]]);
});

test('the newest come first, and no more than six of a kind', async () => {
  for (let day = 1; day <= 8; day++)
    await buildOrden(db, { titulo: 'Fuente de doce voltios', fechaCreacion: new Date(`2024-05-0${day}T18:00:00Z`) });
  const [ordenes] = (await buscar('sa', 'doce voltios')).grupos;
  expect(ordenes!.hallazgos.map(({ fecha }) => civilDay(new Date(fecha!)))).toEqual([
    '2024-05-08',
    '2024-05-07',
    '2024-05-06',
    '2024-05-05',
    '2024-05-04',
    '2024-05-03',
  ]);
});

test('screens of the role are found by name without accents', async () => {
  expect((await buscar('sa', 'facturacion gen')).pantallas.map(({ to }) => to)).toEqual([
    '/sa/facturacionGeneral',
    '/sa/rFacturacionGeneral',
  ]);
  expect((await buscar('aux', 'facturacion')).pantallas).toEqual([]);
});

test('what is too short is not looked for, and what is too long is said', async () => {
  expect((await buscar('sa', 'ab')).grupos).toEqual([]);
  expect((await buscar('sa', 'a'.repeat(101))).problema).toBe('Escribe 100 letras como máximo.');
});

test('every kind opens on a screen that exists', () => {
  const keys = screens.map(([key]) => key);
  for (const { pantalla } of BUSCADORES) expect(keys).toContain(pantalla);
});

test.each([
  ['devolución', 'devoluciones'],
  ['pagar', 'pagosProveedores'],
  ['utilidad', 'mensual'],
  ['cerrar mes', 'facturacionGeneral'],
  ['contraseña', 'datosUsuario'],
  ['imprimir etiqueta', 'etiquetasStock'],
])('«%s» leads to the screen where it is done, as a screen or as an act', async (q, pantalla) => {
  const { pantallas, actos } = await buscar('sa', q);
  expect([...pantallas, ...actos].map(({ to }) => to.split('?')[0])).toContain(`/sa/${pantalla}`);
});

test('a screen so called stands before those that are only called so, and nobody is led where their role may not go', async () => {
  const { pantallas } = await buscar('sa', 'utilidad');
  expect(pantallas[0]!.label).toBe('Utilidad por producto');
  expect(pantallas.length).toBeGreaterThan(2);
  for (const rol of ROLES) {
    const suyas = screensOf(rol).map(([key]) => `/${rol}/${key}`);
    for (const q of ['pagar', 'cerrar', 'etiqueta', 'contraseña']) {
      const { actos } = await buscar(rol, q);
      expect(actos.filter(({ to }) => !suyas.includes(to.split('?')[0]!))).toEqual([]);
    }
  }
  expect((await buscar('aux', 'cerrar mes')).actos).toEqual([]);
  expect((await buscar('sa', '')).actos).toEqual([]);
});

/** The file of the screen that shows a list, and those beside it. */
function textsBeside(lista: string): string {
  const file = SCREENS[lista.split('.')[0] as keyof typeof SCREENS].file;
  const folder = join('app', dirname(file));
  const texts = readdirSync(folder).filter((name) => name.endsWith('.tsx'));
  return texts.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}

test('where a list of sales is searched by the words of the sale, its box says that it finds the buyer', async () => {
  const asked: string[] = [];
  const compiler = new PostgresQueryCompiler();
  const noted = db.withPlugin({
    transformQuery({ node, queryId }) {
      asked.push(compiler.compileQuery(node, queryId).sql);
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const finds: string[] = [];
  const silent: string[] = [];
  for (const list of Object.values(LISTS)) {
    asked.length = 0;
    await noted
      .transaction()
      .execute((trx) => readList(trx, list, 'q=palabraquenoesta&mes=2026-10&rango=todas&tabla=ordenes', 0));
    if (!asked.some((sql) => /\b(?:orden|o)"?\."?busqueda/.test(sql))) continue;
    finds.push(list.lista);
    const boxes = [...textsBeside(list.lista).matchAll(/placeholder(?:=|: )["']([^"']+)["']/g)];
    if (!boxes.some(([, text]) => /comprador/i.test(text!))) silent.push(list.lista);
  }
  expect(finds).toEqual(expect.arrayContaining(['ordenes', 'mensual', 'conciliacion.ventas', 'ordenesPorConfirmar']));
  expect(silent).toEqual([]);
});
