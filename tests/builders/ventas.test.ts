/**
 * What builders write beside what the product writes: a sale that the sync read, and the factura that was stamped of it. A builder fills no column that
 * the product leaves empty there, and leaves none empty that the product fills, but for those that are listed. The lists are exact, so they only shrink.
 */
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { syncVentas } from '~/domain/sync/syncVentas.server';
import { claimOrden, buildOrden } from '../support/builders/ordenes';
import { buildFactura } from '../support/builders/facturas';
import { buildOrden as buildOrdenDeMes } from '../support/builders/mes';
import { buildOrdenDe } from '../support/builders/proveedores';
import { buildBorrador, buildVenta, REVISION } from '../support/builders/ventas';
import { fuenteDe, linkSandbox, type SaleFacts } from '../support/mercadolibre';
import { openPac, settle } from '../support/pac';
import { differences, select as selectFrom, type Rows } from './columns';

const { db, sandbox, sa } = await openPac({ options: { mercadolibre: { orders: 0 } } });

const select = (table: string, where: ReturnType<typeof sql>) => selectFrom(db, table, where);

async function ventaOf(ordenId: string): Promise<Rows> {
  const orden = await select('orden', sql`id = ${ordenId}`);
  const envioId = orden[0]!.envioId as string | null;
  return {
    orden,
    articulo: await select('articulo', sql`orden_id = ${ordenId}`),
    ...(envioId && { envio: await select('envio', sql`id = ${envioId}`) }),
  };
}

const facturaOf = async (effectId: string): Promise<Rows> => ({
  effect: await select('effect', sql`id = ${effectId}`),
  factura: await select('factura', sql`effect_id = ${effectId}`),
  facturaConcepto: await select(
    'factura_concepto',
    sql`factura_id = (select id from factura where effect_id = ${effectId})`,
  ),
  facturaOrden: await select('factura_orden', sql`factura_id = (select id from factura where effect_id = ${effectId})`),
  fiscalClaim: await select('fiscal_claim', sql`effect_id = ${effectId}`),
});

const real: Rows = {};
beforeAll(async () => {
  const ml = await linkSandbox(db, sandbox);
  const venta = await sandbox.mercadolibre.newOrden<SaleFacts>('simple', { sinAviso: true });
  await syncVentas(db, fuenteDe(ml), { kind: 'sweep' });
  const { id, numOrden } = await db
    .selectFrom('orden')
    .select(['id', 'numOrden'])
    .where('numOrden', '=', venta.numOrden)
    .executeTakeFirstOrThrow();
  Object.assign(real, await ventaOf(id));
  const draft = await buildBorrador(db, { numOrden, ordenIds: [id], total: String(venta.total) }, sa);
  const effectId = await db.transaction().execute((trx) =>
    createFactura(trx, draft, {
      revision: REVISION(),
      diferenciaAceptada: false,
      usuarioId: sa.id,
      now: new Date(),
    }),
  );
  await settle();
  Object.assign(real, await facturaOf(effectId));
});

/** What no builder of a sale fills: whom and what it came from at the marketplace, and when its money is free. */
const DE_TODA_VENTA = [
  'articulo.itemId',
  ...['billingInfoId', 'cambioEn', 'cargosEn', 'comprador', 'compradorId', 'datos', 'fechaCierre', 'liberacionEn'].map(
    (column) => `orden.${column}`,
  ),
  ...['medioPago', 'packId', 'revisarEn', 'tags'].map((column) => `orden.${column}`),
];
const DE_TODO_ENVIO = [
  'cobrado',
  'costo',
  'costoComprador',
  'datos',
  'direccionEn',
  'modo',
  'subestatus',
  'tipoLogistico',
].map((column) => `envio.${column}`);

type Listed = { faltan: string[]; sobran?: string[] };
test.each<[string, () => Promise<Rows>, Listed]>([
  [
    'ordenes.buildOrden',
    async () => ventaOf((await buildOrden(db)).id),
    { faltan: [...DE_TODA_VENTA, ...DE_TODO_ENVIO, 'envio.guia', 'envio.paqueteria', 'orden.formaPago'] },
  ],
  [
    'mes.buildOrden',
    async () => ventaOf((await buildOrdenDeMes(db, { fecha: new Date() })).id),
    { faltan: [...DE_TODA_VENTA, 'orden.documentos', 'orden.envioId', 'orden.retencion'] },
  ],
  [
    'proveedores.buildOrdenDe',
    async () => ventaOf((await buildOrdenDe(db, [{ modelo: 'DS-2CD' }], { envio: '45999999999', guia: '1' })).id),
    {
      faltan: [...DE_TODA_VENTA, ...DE_TODO_ENVIO, 'envio.municipio', 'orden.formaPago'],
      // 'Datos del envío', which the buyer or a person fills, writes these; the sync of a plain sale does not.
      sobran: ['envio.numeroI', 'envio.telefono'],
    },
  ],
  [
    'ventas.buildVenta',
    async () => ventaOf((await buildVenta(db)).ordenIds[0]!),
    { faltan: [...DE_TODA_VENTA, 'orden.documentos', 'orden.envioId', 'orden.retencion'] },
  ],
  [
    'facturas.buildFactura and ordenes.claimOrden',
    async () => {
      const { id, effectId } = await buildFactura(db, { folio: 900_001 });
      await claimOrden(db, (await buildOrden(db)).id, { id, effectId });
      return facturaOf(effectId);
    },
    {
      faltan: [
        ...['effect.lookAgainAt', 'effect.request', 'effect.usuarioId'],
        ...['factura.clienteFiscalId', 'factura.receptorUid', 'factura.usuarioId'],
        ...['facturaConcepto.noIdentificacion', 'facturaConcepto.ordenId', 'facturaOrden.importe'],
      ],
    },
  ],
])('%s writes what the product writes, but for what is listed', async (_, build, { faltan, sobran = [] }) => {
  expect(differences(await build(), real)).toEqual({ faltan: faltan.toSorted(), sobran });
});
