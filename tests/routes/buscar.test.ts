import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/node';
import { beforeAll, expect, test } from 'vitest';
import { screens } from '~/access/screens';
import { civilDay } from '~/core/time';
import type { Rol } from '~/core/usuario';
import { BUSCADORES } from '~/domain/operacion/searchCatalog.server';
import { loader } from '~/routes/inicio/buscar';
import { buildFactura } from '../support/builders/facturas';
import { buildOrden } from '../support/builders/ordenes';
import { testDatabase } from '../support/db';

const { db } = testDatabase();
/** Long past every range that a list opens with. */
const HACE_ANIOS = new Date('2023-03-01T18:00:00Z');
let orden: { id: string; numOrden: string; envioId: string | null };
let factura: { id: string; uuid: string };

beforeAll(async () => {
  orden = await buildOrden(db, {
    fechaCreacion: HACE_ANIOS,
    titulo: 'Grabador de catorce canales',
    sku: 'AMS|66f1c0b2|syscom|DS-7616NI',
  });
  await db.updateTable('envio').set({ guia: 'JD0146000Ab' }).where('id', '=', orden.envioId!).execute();
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
