import { sql } from 'kysely';
import { situacionOf } from '~/domain/mercados/ml/internal/venta';
import type { Db } from '~db/client.server';
import type { Clase } from '~db/columns';

let sold = 0;

export type VentaSketch = {
  fecha: Date | string;
  precio?: string;
  clase?: Clase;
  marketStatus?: string;
  meliResale?: boolean;
  formaPago?: string | null;
  numOrden?: string;
  /** In a database that outlives this process a count of it is not enough. */
  marketId?: string;
  packId?: string | null;
  tasaIva?: string;
  envio?: string;
};

/** One orden of a month, as Mercado Libre leaves it. */
export async function buildOrden(db: Db, sketch: VentaSketch) {
  const {
    fecha,
    precio = '116.00',
    clase = 'normal',
    marketStatus = 'paid',
    meliResale = false,
    formaPago = '04',
    packId = null,
    tasaIva = '0.16',
    envio = '0.00',
  } = sketch;
  const marketId = sketch.marketId ?? String(2_000_880_000_000_000 + ++sold);
  const numOrden = packId ?? sketch.numOrden ?? marketId;
  const pagado = (Number(precio) + Number(envio)).toFixed(2);
  const orden = await db
    .insertInto('orden')
    .values({
      market: 'ml',
      marketId,
      numOrden,
      packId,
      fechaCreacion: new Date(fecha),
      actualizadaEn: new Date(fecha),
      estatus: clase === 'cancelada' ? 'cancelado' : 'enPreparacion',
      marketStatus,
      situacion: situacionOf(marketStatus, []),
      clase,
      meliResale,
      titulo: 'Cámara IP de 2 megapíxeles',
      total: precio,
      pagadoAbs: pagado,
      envioAdicional: envio,
      comision: '0.00',
      formaPago,
      datos: '{}',
    })
    .returning(['id', 'numOrden', 'marketId', 'pagadoAbs'])
    .executeTakeFirstOrThrow();
  await db
    .insertInto('articulo')
    .values({
      ordenId: orden.id,
      posicion: 0,
      nombre: 'Cámara IP de 2 megapíxeles',
      sku: `AMS|CAM|SYSCOM|${marketId}`,
      cantidad: 1,
      importe: precio,
      precioUnitario: precio,
      comision: '0.00',
      tasaIva,
    })
    .execute();
  return orden;
}

/** Many paid sales of one month at once, every one of another amount in cents. */
export async function seedMes(db: Db, { mes, count }: { mes: string; count: number }): Promise<string[]> {
  const first = 2_000_900_000_000_000 + sold;
  sold += count;
  const { rows } = await sql<{ id: string }>`
    with nuevas as (
      insert into orden (market, market_id, num_orden, fecha_creacion, actualizada_en, estatus, market_status, situacion, clase, titulo, total, pagado_abs, forma_pago, datos)
      select 'ml', (${first}::bigint + i)::text, (${first}::bigint + i)::text, (${mes} || '-02T12:00:00Z')::timestamptz + i * interval '5 minutes' / (1 + ${count}::int / 5000),
        now(), 'enPreparacion', 'paid', 'pagada', 'normal', 'Cámara IP de 2 megapíxeles', (9900 + (i * 7919) % 250000)::numeric / 100, (9900 + (i * 7919) % 250000)::numeric / 100, '04', '{}'
      from generate_series(1, ${count}::int) i returning id, pagado_abs, fecha_creacion
    ), articulos as (
      insert into articulo (orden_id, posicion, nombre, sku, cantidad, importe, precio_unitario)
      select id, 0, 'Cámara IP de 2 megapíxeles', 'AMS|CAM|SYSCOM|IP2MP', 1, pagado_abs, pagado_abs from nuevas
    ) select id from nuevas order by fecha_creacion`.execute(db);
  return rows.map(({ id }) => id);
}
