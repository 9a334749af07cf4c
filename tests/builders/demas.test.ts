/**
 * What the other builders write beside what the product writes: listings, questions, labels, products, pieces, deposits and people. As with sales, the
 * lists are exact, so they only shrink.
 */
import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { bringPregunta } from '~/domain/atencion/preguntas/preguntas.server';
import { bringLiquidaciones } from '~/domain/cierre/conciliacion/bringLiquidaciones.server';
import { liquidacionesMl } from '~/domain/mercados/ml/internal/liquidaciones.server';
import { insertUsuario } from '~/domain/personal/usuarios.server';
import { bringTodas } from '~/domain/publicaciones/publicaciones/syncPublicaciones.server';
import { syncVentas } from '~/domain/sync/syncVentas.server';
import { requestGuia } from '~/domain/ventas/envios/traerGuia.server';
import { seedAtencion } from '../support/builders/atencion';
import { seedCatalogo } from '../support/builders/catalogo';
import { buildLiquidacion } from '../support/builders/conciliacion';
import { buildOrden, buildQuien } from '../support/builders/ordenes';
import {
  buildGuia,
  buildProducto,
  buildTomado,
  buildVentaDe,
  openProveedores,
  pedir,
} from '../support/builders/pedidos';
import { seedPublicaciones } from '../support/builders/publicaciones';
import { buildPorPublicar } from '../support/builders/publicador';
import { buildPiezas, buildProductoDeStock, seedStock } from '../support/builders/stock';
import { buildPersona } from '../support/builders/ventas';
import { ownerDatabase, testDatabase } from '../support/db';
import { runUntilSettled } from '../support/jobs';
import { buildUsuario, fuenteDe, linkSandbox } from '../support/mercadolibre';
import { setPace } from '../support/pac';
import { startTestSandbox } from '../support/sandbox';
import { differences, select, type Row, type Rows } from './columns';

setPace(0.02);
const sandbox = await startTestSandbox();
const { db } = testDatabase();
const { db: owner } = ownerDatabase();
const real: Rows = {};
const all = (table: string) => select(db, table, sql`true`);

beforeAll(async () => {
  const ml = await linkSandbox(db, sandbox);
  await db.transaction().execute((trx) =>
    insertUsuario(trx, null, {
      usuario: 'alta',
      rol: 'user',
      nombre: 'Úrsula',
      apellidos: 'Serrano Pech',
      email: 'ursula@ejemplo.mx',
      password: 'Trastienda#1',
    }),
  );
  real.usuario = await select(db, 'usuario', sql`usuario = 'alta'`);

  await syncVentas(db, fuenteDe(ml), { kind: 'sweep', since: new Date(Date.now() - 120 * 86_400_000) });
  await sandbox.mercadolibre.post('/reportes/segundos', { segundos: 0 });
  for (let run = 0; run < 6; run++) await bringLiquidaciones(db, liquidacionesMl, {});
  for (const table of ['liquidacionReporte', 'deposito', 'movimiento', 'conciliacion']) real[table] = await all(table);

  await bringTodas(db, 'ml');
  real.publicacion = await all('publicacion');

  const preguntas = { respondida: '¿Tienen disponible?', pendiente: '¿Sirve para exterior?' };
  for (const [estatus, text] of Object.entries(preguntas)) {
    const { id } = await sandbox.mercadolibre.post<{ id: string }>('/preguntas', { text, sinAviso: true });
    if (estatus === 'respondida')
      await sandbox.mercadolibre.post(`/preguntas/${id}`, { sinAviso: true, respuesta: 'Hola, sí.' });
    await bringPregunta(db, 'ml', fuenteDe(ml).open(db).atencion!, id);
  }
  real.pregunta = await all('pregunta');

  const { id: usuarioId } = await buildUsuario(db);
  const { id: envioId } = await db
    .selectFrom('envio')
    .select('id')
    .where('subestatus', '=', 'ready_to_print')
    .where('modo', '=', 'me2')
    .executeTakeFirstOrThrow();
  await db.transaction().execute((trx) => requestGuia(trx, envioId, usuarioId));
  await runUntilSettled();
  real.guia = await all('guia');

  await openProveedores(db, sandbox, ['syscom', 'ct']);
  for (const kind of ['syscom', 'ct'] as const) await buildProducto(db, sandbox, kind);
  for (const table of ['producto', 'oferta']) real[table] = await all(table);

  const venta = await buildVentaDe(db, sandbox, 'syscom');
  await pedir(db, venta, 'syscom', usuarioId);
  await runUntilSettled();
  for (const table of ['pedido', 'pedidoLinea']) real[table] = await all(table);

  const { numOrden } = await db.selectFrom('orden').select('numOrden').limit(1).executeTakeFirstOrThrow();
  await buildPiezas(db, usuarioId, { numOrden });
  for (const table of ['stockAlta', 'stockInterno', 'stockMovimiento']) real[table] = await all(table);
}, 120_000);

const made = async (table: string, id: string): Promise<Rows> => ({
  [table]: await select(db, table, sql`id = ${id}`),
});
/** Rows that a builder added beside those of the product. */
async function added(tables: string[], build: () => Promise<unknown>): Promise<Rows> {
  const keys = (rows: Row[]) => new Set(rows.map((row) => JSON.stringify(row)));
  const before = Object.fromEntries(
    await Promise.all(tables.map(async (table) => [table, keys(await all(table))] as const)),
  );
  await build();
  return Object.fromEntries(
    await Promise.all(
      tables.map(
        async (table) => [table, (await all(table)).filter((row) => !before[table]!.has(JSON.stringify(row)))] as const,
      ),
    ),
  );
}

test.each<[string, () => Promise<Rows>, { faltan?: string[]; sobran?: string[] }]>([
  ['ordenes.buildQuien', async () => made('usuario', (await buildQuien(db)).id), {}],
  ['ventas.buildPersona', async () => made('usuario', (await buildPersona(db)).id), {}],
  ['mercadolibre.buildUsuario', async () => made('usuario', (await buildUsuario(db)).id), {}],
  [
    'pedidos.buildGuia',
    async () => {
      const { id } = await db
        .selectFrom('envio')
        .select('id')
        .where('id', 'not in', (eb) => eb.selectFrom('guia').select('envioId').where('envioId', 'is not', null))
        .executeTakeFirstOrThrow();
      return added(['guia'], () => buildGuia(db, id));
    },
    {},
  ],
  [
    'pedidos.buildTomado',
    async () => {
      const { id, numOrden } = await buildOrden(db);
      return added(['pedido', 'pedidoLinea'], () => buildTomado(db, { ordenId: id, numOrden }));
    },
    { faltan: ['pedido.movidoPor', 'pedidoLinea.modelo', 'pedidoLinea.productoId'] },
  ],
  [
    'atencion.seedAtencion',
    async () => {
      // Its numbers are those of the marketplace's first questions.
      await db.deleteFrom('pregunta').execute();
      return added(['pregunta'], () => seedAtencion(db, 400));
    },
    { faltan: ['pregunta.compradorId', 'pregunta.enlace', 'pregunta.sku'] },
  ],
  [
    'catalogo.seedCatalogo',
    () => added(['producto', 'oferta'], () => seedCatalogo(owner, 2_000)),
    {
      faltan: [
        'oferta.existencia',
        'oferta.huella',
        'oferta.moneda',
        'oferta.precio',
        'oferta.raw',
        'producto.huella',
        'producto.link',
      ],
      // The two products that were read have a price and are on sale; others of a catalogue are not.
      sobran: ['oferta.sinPrecio', 'oferta.tipoCambio', 'producto.ausenteDesde', 'producto.gtins'],
    },
  ],
  [
    'publicador.buildPorPublicar',
    () => added(['producto', 'oferta'], () => buildPorPublicar(db)),
    {
      faltan: ['oferta.raw', 'producto.link'],
      // Readings of prices alone write these; a product that was read by itself has one age.
      sobran: ['oferta.existenciaEn', 'oferta.precioEn'],
    },
  ],
  [
    'stock.buildProductoDeStock',
    () => added(['producto'], () => buildProductoDeStock(db)),
    {
      faltan: ['producto.link'],
    },
  ],
  [
    'publicaciones.seedPublicaciones',
    () => added(['publicacion'], () => seedPublicaciones(db, 100)),
    {
      faltan: [
        'publicacion.cambioEn',
        'publicacion.categoriaId',
        'publicacion.datos',
        'publicacion.huella',
        'publicacion.link',
        'publicacion.tipo',
      ],
      // Here listings were read before any product.
      sobran: ['publicacion.productoId'],
    },
  ],
  [
    'stock.seedStock',
    () => added(['stockAlta', 'stockInterno', 'stockMovimiento'], () => seedStock(owner, 50)),
    {
      faltan: ['stockAlta.usuarioId', 'stockInterno.creadaPor', 'stockInterno.ordenId', 'stockMovimiento.usuarioId'],
      // A person may write these.
      sobran: ['stockInterno.descripcion', 'stockInterno.facturaFolio'],
    },
  ],
  [
    'conciliacion.buildLiquidacion',
    () => added(['liquidacionReporte', 'deposito', 'movimiento', 'conciliacion'], () => buildLiquidacion(db)),
    {
      faltan: [
        'liquidacionReporte.archivo',
        'liquidacionReporte.leidoEn',
        'liquidacionReporte.saldoFinal',
        'liquidacionReporte.saldoInicial',
        'liquidacionReporte.suyo',
        'movimiento.pago',
      ],
    },
  ],
])('%s writes what the product writes, but for what is listed', async (_, build, { faltan = [], sobran = [] }) => {
  expect(differences(await build(), real)).toEqual({ faltan: faltan.toSorted(), sobran: sobran.toSorted() });
});

/**
 * Builders that insert rows themselves, with the tables they write. Two are compared nowhere: `anio`, a year of documents made for the size of it, and
 * `expediente`, whose CFDI were never at the PAC.
 */
const ESCRIBEN: Record<string, string[]> = {
  anio: [
    'batch',
    'effect',
    'factura',
    'facturaOrden',
    'fiscalClaim',
    'notaCreditoOrden',
    'notaSencilla',
    'refacturacion',
  ],
  atencion: ['pregunta'],
  catalogo: ['oferta', 'producto'],
  cuentaDeProveedor: ['pago', 'pagoOrden', 'proveedor'],
  conciliacion: ['conciliacion', 'deposito', 'liquidacionReporte', 'movimiento'],
  expediente: ['bitacora', 'cancelacion', 'facturaOrden', 'notaCreditoOrden'],
  facturas: ['effect', 'factura', 'facturaConcepto'],
  mes: ['articulo', 'orden'],
  ordenes: ['articulo', 'envio', 'facturaOrden', 'fiscalClaim', 'orden', 'usuario'],
  pedidos: ['guia', 'pedido', 'pedidoLinea'],
  proveedores: ['articulo', 'envio', 'orden'],
  publicaciones: ['publicacion'],
  publicador: ['oferta', 'producto'],
  stock: ['producto', 'stockAlta', 'stockInterno', 'stockMovimiento'],
  ventas: ['articulo', 'orden', 'usuario'],
};

const FOLDER = new URL('../support/builders/', import.meta.url);

test('a builder calls a verb of the product; the rows that one inserts by itself are of the tables listed here', async () => {
  const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const found: Record<string, string[]> = {};
  for (const file of (await readdir(FOLDER)).toSorted()) {
    const text = await readFile(new URL(file, FOLDER), 'utf8');
    const tables = [...text.matchAll(/insertInto\('(\w+)'\)|\binsert into (\w+)/g)].map(
      ([, table, raw]) => table ?? camel(raw!),
    );
    if (tables.length > 0) found[file.replace(/\.ts$/, '')] = [...new Set(tables)].toSorted();
  }
  expect(found).toEqual(ESCRIBEN);
});
