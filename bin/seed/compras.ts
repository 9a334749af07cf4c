/** Purchases of the demo: what its sales cost, the terms of its suppliers, and what was paid of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { log } from '~/core/log.server';
import { Money } from '~/core/money';
import { addDays, civilDay } from '~/core/time';
import { listProveedores, saveProveedor } from '~/domain/compras/directorio/proveedores.server';
import { createProveedorFactura } from '~/domain/compras/facturas/proveedorFacturas.server';
import { pagarFacturas } from '~/domain/compras/pagos/porPagar.server';
import type { Db } from '../../db/client.server';
import { cepOf } from './stock';

/** Days that each supplier gives to pay; TecnoSinergia's are not known. */
const PLAZOS: Readonly<Record<string, number>> = { syscom: 30, ct: 15, cva: 21, tvc: 30 };
/** Invoices of the last days have not come yet. */
const TARDA_DIAS = 2;
/** One sale of so many has no invoice, as in a shop where somebody forgets one. */
const FALTA_UNA_DE = 14;
/** An invoice was paid so many days after its last day, so those that fell due since then are late. */
const TARDE_DIAS = 3;
/** Days to pay where a supplier names none. */
const SIN_PLAZO = 30;
const POR_PAGO = 40;

type Comprada = { ordenId: string; proveedor: string; monto: Money; fecha: Date };

/**
 * Writes what was bought for the sales that left, through the commands that people use, once the catalogues tell what it cost. A database with invoices of
 * suppliers stays as it is. Returns of how many purchases; one of `FALTA_UNA_DE` has no invoice.
 */
export async function seedCompras(db: Db, patience = 150_000): Promise<number> {
  const ya = await db.selectFrom('proveedorFactura').select('id').limit(1).executeTakeFirst();
  const quien = await db.selectFrom('usuario').select('id').where('usuario', '=', 'admin').executeTakeFirst();
  if (ya || !quien) return 0;
  await catalogosRead(db, patience);
  for (const {
    value,
    label,
    linkHome,
    linkProductos,
    linkFactura,
    reglaFactura,
    sufijoFactura,
    rfc,
    email,
    ...resto
  } of await listProveedores(db))
    if (value in PLAZOS) {
      const datos = { value, label, linkHome, linkProductos, linkFactura, reglaFactura, sufijoFactura, rfc, email };
      await db
        .transaction()
        .execute((trx) => saveProveedor(trx, { ...datos, ...resto, plazoDias: PLAZOS[value]! }, quien.id));
    }
  const compradas = await listCompradas(db);
  const hoy = civilDay(new Date());
  await db.transaction().execute(async (trx) => {
    for (const [at, { ordenId, proveedor, monto, fecha }] of compradas.entries()) {
      if (at % FALTA_UNA_DE === FALTA_UNA_DE - 1) continue;
      const nueva = { ordenId, proveedor, folio: `F${26_000 + at}`, monto: monto.toFixed(2) };
      const emitida = addDays(civilDay(fecha), 1);
      await createProveedorFactura(trx, { ...nueva, emitida: emitida < hoy ? emitida : hoy }, quien.id);
    }
  });
  await payOld(db, quien.id);
  log.info('compras de demostración', { compras: compradas.length });
  return compradas.length;
}

/** Waits until each catalogue was read whole once, or for `patience` ms. */
async function catalogosRead(db: Db, patience: number): Promise<void> {
  for (const end = Date.now() + patience; Date.now() < end; await sleep(1_000)) {
    const { rows } = await sql<{ faltan: number }>`
      select count(*)::int as faltan from lectura_catalogo l
      where not exists (select from lectura_catalogo x where x.proveedor = l.proveedor and x.completa and x.termino_en is not null)`.execute(
      db,
    );
    const hay = await db.selectFrom('lecturaCatalogo').select('id').limit(1).executeTakeFirst();
    if (hay && rows[0]!.faltan === 0) return;
  }
}

/** Returns what each sale that left cost at each of its suppliers, at the price of their catalogues, the oldest first. */
async function listCompradas(db: Db): Promise<Comprada[]> {
  const { rows } = await sql<Comprada>`
    select o.id as orden_id, p.proveedor, o.fecha_creacion as fecha,
      round(sum(a.cantidad * oferta.precio * case when oferta.moneda = 'MXN' then 1 else oferta.tipo_cambio end) * 1.16, 2) as monto
    from orden o
      join articulo a on a.orden_id = o.id
      join producto p on p.proveedor = lower(a.proveedor) and p.id_proveedor = split_part(a.sku, '|', 2)
      join oferta on oferta.producto_id = p.id
    where o.estatus in ('enviado', 'entregado', 'devuelto') and oferta.precio > 0
      and o.fecha_creacion < now() - make_interval(days => ${TARDA_DIAS})
    group by o.id, p.proveedor
    having bool_and(oferta.moneda = 'MXN' or oferta.tipo_cambio is not null)
    order by o.fecha_creacion, o.id`.execute(db);
  return rows;
}

/** Pays the invoices that are old enough, each supplier's in transfers of a few dozen. */
async function payOld(db: Db, usuarioId: string): Promise<void> {
  const viejas = await db
    .selectFrom('proveedorFactura')
    .innerJoin('proveedor', 'proveedor.value', 'proveedorFactura.proveedor')
    .select(['id', 'proveedor', 'emitida', sql<Money>`monto - pagada - acreditada`.as('falta')])
    .where(
      sql<boolean>`emitida + coalesce(plazo_dias, ${SIN_PLAZO}::int) + ${TARDE_DIAS}::int < ${civilDay(new Date())}::date`,
    )
    .orderBy('emitida')
    .orderBy('id')
    .execute();
  for (const proveedor of new Set(viejas.map((una) => una.proveedor))) {
    const suyas = viejas.filter((una) => una.proveedor === proveedor);
    for (let at = 0; at < suyas.length; at += POR_PAGO) {
      const facturas = suyas.slice(at, at + POR_PAGO);
      const folio = `MBAN${proveedor.toUpperCase()}${String(at).padStart(5, '0')}`;
      const total = Money.sum(facturas.map(({ falta }) => falta));
      await pagarFacturas(
        db,
        {
          proveedor,
          folio,
          fecha: addDays(facturas.at(-1)!.emitida!, 1),
          total: total.toFixed(2),
          facturas: facturas.map(({ id, falta }) => ({ id, falta })),
          archivos: [new File([cepOf(folio)], 'CEP.xml', { type: 'application/xml' })],
        },
        usuarioId,
      );
    }
  }
}
