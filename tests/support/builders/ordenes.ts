import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { situacionOf } from '~/domain/mercados/ml/internal/venta';
import type { Db } from '~db/client.server';
import type { Clase, EstatusOrden, Market } from '~db/columns';
import { vacuumAnalyze } from '../plans';

export type OrdenSketch = {
  id?: string | undefined;
  market?: Market;
  numOrden?: string;
  packId?: string | null;
  titulo?: string;
  estatus?: EstatusOrden;
  marketStatus?: string;
  clase?: Clase;
  pagado?: string;
  fechaCreacion?: Date;
  sku?: string | null;
  datos?: object;
  envioPropio?: boolean;
  envio?: {
    marketId?: string;
    estatus?: string;
    subestatus?: string | null;
    propio?: boolean;
    nombreReceptor?: string | null;
    calle?: string | null;
    cp?: string | null;
  } | null;
};

let last = 0;

/** One sale with one articulo and, unless `envio` is null, its shipment. */
export async function buildOrden(
  db: Db,
  sketch: OrdenSketch = {},
): Promise<{ id: string; numOrden: string; envioId: string | null }> {
  const {
    id,
    market = 'ml',
    numOrden = `2000016${String(++last).padStart(9, '0')}`,
    packId = null,
    titulo = 'Cámara IP de 2 megapíxeles',
    estatus = 'enPreparacion',
    marketStatus = 'paid',
    clase = 'normal',
    pagado = '1298.00',
    fechaCreacion = new Date(),
    sku = 'AMS|66f1c0b2|syscom|IP2MP',
    datos = {},
    envioPropio = false,
    envio = {},
  } = sketch;
  const created =
    envio &&
    (await db
      .insertInto('envio')
      .values({
        market,
        marketId: envio.marketId ?? `451${String(++last).padStart(8, '0')}`,
        estatus: envio.estatus ?? 'ready_to_ship',
        subestatus: envio.subestatus ?? null,
        propio: envio.propio ?? false,
        nombreReceptor: envio.nombreReceptor ?? 'María Demo',
        calle: envio.calle ?? 'Calle Ejemplo',
        numeroE: '123',
        colonia: 'Centro',
        ciudad: 'Guadalajara',
        municipio: 'Guadalajara',
        estado: 'Jalisco',
        cp: envio.cp ?? '44100',
        fechaCreacion,
        actualizadoEn: fechaCreacion,
        datos: '{}',
      })
      .returning('id')
      .executeTakeFirstOrThrow());
  const orden = await db
    .insertInto('orden')
    .values({
      ...(id !== undefined && { id }),
      market,
      marketId: packId ? `${numOrden.slice(0, -1)}9` : numOrden,
      numOrden,
      packId,
      fechaCreacion,
      actualizadaEn: fechaCreacion,
      estatus,
      marketStatus,
      situacion: situacionOf(marketStatus, []),
      clase,
      titulo,
      total: pagado,
      pagadoAbs: pagado,
      comision: clase === 'cancelada' ? '0.00' : '100.00',
      retencion: '0.00',
      envioId: created?.id ?? null,
      envioPropio,
      datos: JSON.stringify(datos),
    })
    .returning(['id', 'numOrden', 'envioId'])
    .executeTakeFirstOrThrow();
  await db
    .insertInto('articulo')
    .values({
      ordenId: orden.id,
      posicion: 0,
      nombre: titulo,
      sku,
      cantidad: 1,
      importe: pagado,
      precioUnitario: pagado,
      comision: '100.00',
    })
    .execute();
  return orden;
}

/** Says that a factura covers a sale and holds it, as stamping leaves it. */
export async function claimOrden(db: Db, ordenId: string, factura: { id: string; effectId: string }): Promise<void> {
  await db.insertInto('facturaOrden').values({ facturaId: factura.id, ordenId }).execute();
  await db
    .insertInto('fiscalClaim')
    .values({ ordenId, kind: 'individual', effectId: factura.effectId, facturaId: factura.id })
    .execute();
}

/** Somebody signed in. */
export async function buildQuien(db: Db, rol: 'sa' | 'admin' | 'user' | 'aux' | 'cont' = 'admin') {
  const usuario = `q-${randomUUID().slice(0, 8)}`;
  const row = { usuario, nombre: 'Ana', apellidos: 'Ríos', email: 'ana@ejemplo.mx', rol, activo: true };
  const { id } = await db
    .insertInto('usuario')
    .values({ ...row, passwordHash: '-' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, ...row };
}

/** Many sales at once, deterministic, spread evenly from `from` to `to`: one in twenty came to nothing, one in thirty is still in preparation. */
export async function seedOrdenes(
  db: Db,
  { count, from, to, prefijo = '20000170' }: { count: number; from: Date; to: Date; prefijo?: string },
) {
  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    await sql`
      with sketch as (
        select i, uuidv7() as envio_id, ${from}::timestamptz + (${to}::timestamptz - ${from}::timestamptz) * (i - 0.5) / ${count}::int as en, abs(hashint4(i)) as a, abs(hashint4(i + 1000003)) as b
        from generate_series(1, ${count}::int) i
      ), envios as (
        insert into envio (id, market, market_id, estatus, modo, fecha_creacion, actualizado_en, datos)
        select envio_id, 'ml', '47' || ${prefijo} || i, case when a % 3 = 0 then 'shipped' else 'delivered' end, 'me2', en, en, '{}' from sketch
      )
      insert into orden (market, market_id, num_orden, fecha_creacion, actualizada_en, estatus, market_status, situacion, clase, titulo, total, pagado_abs, comision, envio_id, datos)
      select 'ml', ${prefijo} || lpad(i::text, 8, '0'), ${prefijo} || lpad(i::text, 8, '0'), en, en,
        case when a % 20 = 0 then 'cancelado' when b % 30 = 0 then 'enPreparacion' else 'entregado' end, case when a % 20 = 0 then 'cancelled' else 'paid' end,
        case when a % 20 = 0 then 'cancelada' when a % 97 = 0 then 'devuelta' else 'pagada' end,
        case when a % 20 = 0 then 'cancelada' when a % 97 = 0 then 'devuelta' else 'normal' end,
        (array['Cámara domo', 'Grabador', 'Sensor de humo', 'Cerradura', 'Bobina UTP', 'Antena', 'Teléfono IP', 'Switch', 'Batería', 'Torniquete'])[1 + a % 10] || ' modelo ' || to_hex(b % 5000),
        (4999 + a % 899900)::numeric / 100, (4999 + a % 899900)::numeric / 100, 50, envio_id, '{}'
      from sketch order by en`.execute(trx);
    // The triggers that keep it were off.
    await sql`select libro_of(array(select id from orden o where not exists (select from libro_venta l where l.orden_id = o.id)))`.execute(
      trx,
    );
  });
  await vacuumAnalyze(db, 'orden', 'libro_venta');
  await sql`analyze envio`.execute(db);
}
