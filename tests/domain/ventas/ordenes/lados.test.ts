/** The picture beside a sale or a package in its list: that of the first article that is known. */
import { beforeAll, expect, test } from 'vitest';
import { addFotos } from '~/domain/compras/catalogo/fotos.server';
import { makeRetratos } from '~/domain/compras/catalogo/retratos.server';
import { cotizarList } from '~/domain/ventas/envios/listCotizar.server';
import { enviosList, enviosPendientesList } from '~/domain/ventas/envios/listEnvios.server';
import { activasList, canceladasList, ordenesList } from '~/domain/ventas/ordenes/listOrdenes.server';
import { openList } from '~/platform/lists/list.server';
import type { Usuario } from '~/core/usuario';
import { jpegOf } from '../../../sandbox/imagenes/dibujo';
import { buildOrden, buildQuien } from '../../../support/builders/ordenes';
import { buildPorPublicar } from '../../../support/builders/publicador';
import { testDatabase } from '../../../support/db';
import { statementsDuring } from '../../../support/statements';

const { db } = testDatabase();
let quien: Usuario;
const skus: string[] = [];
const SIN = { retrato: null };

beforeAll(async () => {
  quien = { id: (await buildQuien(db)).id, rol: 'user' } as Usuario;
  for (const n of [1, 2]) {
    const { id, idProveedor, modelo } = await buildPorPublicar(db, { nombre: `Cámara ${n}` });
    await addFotos(db, { id, fotos: [new File([new Uint8Array(jpegOf(800, 600 + n))], `${n}.jpg`)] }, quien.id);
    skus.push(`AMS|${idProveedor}|syscom|${modelo}`);
  }
});

const abierta = (list: Parameters<typeof openList>[1], q: string) =>
  openList(db, list, new Request(`http://trastienda.test/user/lista?rango=todas&q=${q}`), quien);
/** What stands beside the rows that a word finds. */
const ladosIn = async (list: unknown, q: string) =>
  (await abierta(list as never, q)).ventana.filas.map((fila) => (fila as { alLado?: unknown }).alLado);

test('a sale and its package stand beside the picture of its first article', async () => {
  const suya = await buildOrden(db, { sku: skus[0]!, titulo: 'Retratada', numOrden: '2000016000000901' });
  // A second article has a picture too, so a wrong choice shows.
  await db
    .insertInto('articulo')
    .values({
      ordenId: suya.id,
      posicion: 1,
      nombre: 'Otro',
      sku: skus[1]!,
      cantidad: 1,
      importe: '1',
      precioUnitario: '1',
    })
    .execute();
  await buildOrden(db, { sku: 'AMS|NO-ESTA|syscom|NO-ESTA', titulo: 'Ajena', numOrden: '2000016000000902' });
  await buildOrden(db, { sku: null, titulo: 'Sin sku', numOrden: '2000016000000903' });
  expect(await ladosIn(ordenesList, suya.numOrden)).toEqual([SIN]);
  await makeRetratos(db, new AbortController().signal);
  const retrato = { retrato: expect.stringMatching(/^\/fotos\//) as string };
  expect(await ladosIn(ordenesList, suya.numOrden)).toEqual([retrato]);
  expect(await ladosIn(ordenesList, '2000016000000902')).toEqual([SIN]);
  expect(await ladosIn(ordenesList, '2000016000000903')).toEqual([SIN]);
  expect(await ladosIn(enviosList, suya.numOrden)).toEqual([retrato]);
  expect(await ladosIn(enviosPendientesList, suya.numOrden)).toEqual([retrato]);
});

test.each([
  ['Ordenes activas', activasList, { estatus: 'enPreparacion' }],
  ['Ordenes canceladas', canceladasList, { clase: 'cancelada', estatus: 'cancelado', marketStatus: 'cancelled' }],
  ['Cotizar envios', cotizarList, { estatus: 'enPreparacion', envioPropio: true }],
] as const)('%s has it too', async (titulo, list, sketch) => {
  const { numOrden } = await buildOrden(db, { sku: skus[0]!, titulo, ...sketch });
  expect(await ladosIn(list, numOrden)).toEqual([{ retrato: expect.stringMatching(/^\/fotos\//) as string }]);
});

test('two statements read the pictures of a window, however many its rows are', async () => {
  for (let n = 0; n < 6; n++)
    await buildOrden(db, { sku: skus[n % 2]!, titulo: 'Contada', numOrden: `200001600000091${n}` });
  const deFotos = async (q: string) =>
    (await statementsDuring(() => abierta(ordenesList as never, q))).filter((sql) =>
      /"?producto_retrato"?|primero/.test(sql),
    );
  expect((await ladosIn(ordenesList, 'Contada')).length).toBe(6);
  expect(await deFotos('Contada')).toHaveLength(2);
  expect(await deFotos('2000016000000910')).toHaveLength(2);
});
