import { sql } from 'kysely';
import { groupBy } from '~/core/groupBy';
import { Money } from '~/core/money';
import {
  adoptStamp,
  CONCILIA_OTRA_VEZ,
  keepAjeno,
  notAdoptable,
  PENDIENTE,
  recordAdopcion,
  type Ajeno,
} from '~/domain/facturacion/cfdi/adopcion.server';
import { porTasa, sameByRate, type PagoPorTasa } from '~/domain/facturacion/cfdi/importes';
import { each } from '~/platform/effects/definition';
import type { Trx } from '~db/client.server';
import { OTRAS_TASAS } from './mes.server';
import { insertFacturaOrdenes, stampGlobal } from './internal/stampGlobal.server';

type Orden = PagoPorTasa & {
  id: string;
  numOrden: string;
  /** The document that holds the orden, and its kind. */
  facturaId: string | null;
  kind: 'individual' | 'global' | null;
  effectId: string | null;
};

/**
 * Adopts a global that the PAC has and this database, restored from a backup, lacks. The global takes the sales that it names and no other factura
 * holds; for a sale with a factura of its customer, it owes a credit note. A global is adopted whole or not at all, since a missing sale could be
 * invoiced again when it arrives. A cancelled global is kept without its missing sales, and its number is not given again. Throws NotAllowed with the
 * reason when it cannot be adopted.
 */
export async function adoptGlobal(trx: Trx, ajeno: Ajeno): Promise<void> {
  const { cfdi, xml } = ajeno;
  const [, mes, numero] = /^GLOBAL-(\d{4}-\d{2})-(\d{1,6})(?:-\d{1,2})?$/.exec(cfdi.numOrder) ?? [];
  if (!mes || !numero)
    throw notAdoptable('es una factura global que no se hizo aquí: revisa con tu contador qué ventas cobra');
  const conceptos = groupBy(xml.conceptos, ({ noIdentificacion }) => noIdentificacion);
  const ordenes = await lockOrdenes(trx, [...conceptos.keys()]);
  const ventas = groupBy(ordenes, ({ numOrden }) => numOrden);
  const faltan = [...conceptos.keys()].filter((numOrden) => !ventas.has(numOrden));
  if (faltan.length > 0 && !cfdi.cancelada)
    throw notAdoptable(
      `de sus ${conceptos.size} ventas ${faltan.length} no están aquí (${faltan.slice(0, 3).join(', ')}): ${CONCILIA_OTRA_VEZ}`,
    );
  if (!cfdi.cancelada) requireFree(ordenes);

  const ordenIds = ordenes.map(({ id }) => id);
  const effectId = await adoptStamp(trx, ajeno, {
    type: stampGlobal.type,
    key: `global:${mes}:${Number(numero)}`,
    subjects: [['mes', mes], ...each('orden', ordenIds), ['receptor', xml.receptor.rfc]],
  });
  await trx
    .insertInto('globalNumero')
    .values({ effectId, mes, numero: Number(numero) })
    .execute();
  const facturaId = await keepAjeno(trx, effectId, ajeno, {
    tipo: 'global',
    market: null,
    numOrden: null,
    conceptoOrdenIds: xml.conceptos.map(({ noIdentificacion }) => ventas.get(noIdentificacion)?.[0]?.id ?? null),
  });
  const cobradas = [...ventas].flatMap(([numOrden, of]) => chargedOf(of, conceptos.get(numOrden) ?? []));
  if (cobradas.length > 0) await insertFacturaOrdenes(trx, facturaId, cobradas);
  if (!cfdi.cancelada) await claimVentas(trx, { effectId, facturaId, ordenes });
  await recordAdopcion(trx, facturaId, ajeno, { mes, ventas: ventas.size });
}

/** Locks the ordenes of the global, in the order in which invoicing locks them. An orden that became part of a cart later is found by its own number. */
async function lockOrdenes(trx: Trx, numbers: string[]): Promise<Orden[]> {
  const suyas = sql`(num_orden = any(${numbers}) or market_id = any(${numbers}))`;
  await sql`select 1 from orden where ${suyas} order by fecha_creacion, market_id for no key update`.execute(trx);
  const { rows } = await sql<Orden>`
    select orden.id, case when orden.num_orden = any(${numbers}) then orden.num_orden
      else orden.market_id end as num_orden, orden.pagado_abs as pagado, ${OTRAS_TASAS} as otras, c.factura_id, c.kind, c.effect_id
    from orden left join fiscal_claim c on c.orden_id = orden.id
    where ${suyas} order by orden.fecha_creacion, orden.market_id`.execute(trx);
  return rows;
}

/** Throws NotAllowed when a sale is in another global, or a stamp of it is on its way. The later factura of its customer is no impediment. */
function requireFree(ordenes: readonly Orden[]): void {
  if (ordenes.some(({ effectId, facturaId }) => effectId !== null && facturaId === null)) throw notAdoptable(PENDIENTE);
  const doble = ordenes.find(({ kind }) => kind === 'global');
  if (doble)
    throw notAdoptable(
      `la venta ${doble.numOrden} ya está aquí en otra factura global: cancela en factura.com la que sobre`,
    );
}

type Importes = readonly { importe: string; traslados: readonly { tasa: string; importe: string }[] }[];

/** The amount that the global charges for each orden of a sale: its payment, when the concepts agree; else their sum, when the sale is one orden; else null. */
function chargedOf(ordenes: readonly Orden[], conceptos: Importes): { id: string; importe: string | null }[] {
  const lineas = conceptos.map(({ importe, traslados: [iva] }) => ({
    tasaIva: iva?.tasa || '0.000000',
    importe: Money.of(importe).plus(Money.of(iva?.importe ?? '0')),
  }));
  const pagadas = ordenes.filter(({ pagado }) => !pagado.isZero());
  if (sameByRate(porTasa(pagadas), lineas))
    return pagadas.map(({ id, pagado }) => ({ id, importe: pagado.toFixed(2) }));
  const total = Money.sum(lineas.map(({ importe }) => importe)).cents();
  return ordenes.map(({ id }) => ({
    id,
    importe: ordenes.length === 1 && !total.isZero() ? total.toFixed(2) : null,
  }));
}

/** Gives the global its free sales, and notes a credit note that it owes for each sale with a factura of its customer. */
async function claimVentas(
  trx: Trx,
  { effectId, facturaId, ordenes }: { effectId: string; facturaId: string; ordenes: readonly Orden[] },
): Promise<void> {
  const libres = ordenes.filter((orden) => orden.facturaId === null).map(({ id }) => id);
  await sql`insert into fiscal_claim (orden_id, kind, effect_id, factura_id)
    select unnest(${libres}::uuid[]), 'global', ${effectId}::uuid, ${facturaId}::uuid`.execute(trx);
  const suyas = ordenes.filter(({ kind }) => kind === 'individual');
  const [ids, effectIds, facturaIds] = [
    suyas.map((orden) => orden.id),
    suyas.map((orden) => orden.effectId),
    suyas.map((orden) => orden.facturaId),
  ];
  await sql`insert into refacturacion (orden_id, global_id, effect_id, factura_id)
    select t.orden_id, ${facturaId}::uuid, t.effect_id, t.factura_id
    from unnest(${ids}::uuid[], ${effectIds}::uuid[], ${facturaIds}::uuid[]) t (orden_id, effect_id, factura_id)`.execute(
    trx,
  );
}
