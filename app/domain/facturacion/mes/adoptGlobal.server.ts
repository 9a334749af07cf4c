import { sql } from 'kysely';
import { groupBy } from '~/core/groupBy';
import { Money } from '~/core/money';
import {
  adoptStamp,
  CONCILIA_OTRA_VEZ,
  keepAjeno,
  noAdoptable,
  PENDIENTE,
  recordAdopcion,
  type Ajeno,
} from '~/domain/facturacion/cfdi/adopcion.server';
import { porTasa, sameByRate, type PagoPorTasa } from '~/domain/facturacion/cfdi/importes';
import { each } from '~/platform/effects/definition';
import type { Trx } from '~db/client.server';
import { OTRAS_TASAS } from './mes.server';
import { stampGlobal } from './internal/stampGlobal.server';

type Orden = PagoPorTasa & {
  id: string;
  numOrden: string;
  /** The document that holds it, and of which kind. */
  facturaId: string | null;
  kind: 'individual' | 'global' | null;
  effectId: string | null;
};

/**
 * A global that the PAC has and this database does not becomes the document of the sales it names. It is adopted whole or not at all: a sale that is not here
 * yet could be invoiced when it comes. One that is cancelled there only keeps its number.
 */
export async function adoptGlobal(trx: Trx, ajeno: Ajeno): Promise<void> {
  const { cfdi, xml } = ajeno;
  const [, mes, numero] = /^GLOBAL-(\d{4}-\d{2})-(\d{1,6})(?:-\d{1,2})?$/.exec(cfdi.numOrder) ?? [];
  if (!mes || !numero)
    throw noAdoptable('es una factura global que no se hizo aquí: revisa con tu contador qué ventas cobra');
  const conceptos = groupBy(xml.conceptos, ({ noIdentificacion }) => noIdentificacion);
  const ordenes = await lockOrdenes(trx, [...conceptos.keys()]);
  const ventas = groupBy(ordenes, ({ numOrden }) => numOrden);
  const faltan = [...conceptos.keys()].filter((numOrden) => !ventas.has(numOrden));
  if (faltan.length > 0 && !cfdi.cancelada)
    throw noAdoptable(
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
  if (cobradas.length > 0)
    await sql`insert into factura_orden (factura_id, orden_id, importe)
      select ${facturaId}, t.orden_id, t.importe from unnest(${cobradas.map(({ id }) => id)}::uuid[], ${cobradas.map(({ importe }) => importe)}::numeric[]) t (orden_id, importe)`.execute(
      trx,
    );
  if (!cfdi.cancelada) await hold(trx, { effectId, facturaId, ordenes });
  await recordAdopcion(trx, facturaId, ajeno, { mes, ventas: ventas.size });
}

/** In the order that invoicing locks them. An orden that became part of a cart since is found by its own number, which the global has. */
async function lockOrdenes(trx: Trx, numbers: string[]): Promise<Orden[]> {
  const suyas = sql`(num_orden = any(${numbers}) or market_id = any(${numbers}))`;
  await sql`select 1 from orden where ${suyas} order by fecha_creacion, market_id for no key update`.execute(trx);
  const { rows } = await sql<Orden>`
    select orden.id, case when orden.num_orden = any(${numbers}) then orden.num_orden else orden.market_id end as num_orden, orden.pagado_abs as pagado, ${OTRAS_TASAS} as otras, c.factura_id, c.kind, c.effect_id
    from orden left join fiscal_claim c on c.orden_id = orden.id
    where ${suyas} order by orden.fecha_creacion, orden.market_id`.execute(trx);
  return rows;
}

/** A sale of it may have the factura of its customer, which came later; in another global, or on its way, it is for people. */
function requireFree(ordenes: readonly Orden[]): void {
  if (ordenes.some(({ effectId, facturaId }) => effectId !== null && facturaId === null)) throw noAdoptable(PENDIENTE);
  const doble = ordenes.find(({ kind }) => kind === 'global');
  if (doble)
    throw noAdoptable(
      `la venta ${doble.numOrden} ya está aquí en otra factura global: cancela en factura.com la que sobre`,
    );
}

type Importes = readonly { importe: string; traslados: readonly { tasa: string; importe: string }[] }[];

/** What it charges for each orden of a sale: what was paid, where that is what the concepts say; else the sum, where it is of one; else unknown. */
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

/** It holds its sales; of those whose customer has a factura of their own it owes a credit note. */
async function hold(
  trx: Trx,
  { effectId, facturaId, ordenes }: { effectId: string; facturaId: string; ordenes: readonly Orden[] },
): Promise<void> {
  const libres = ordenes.filter((orden) => orden.facturaId === null).map(({ id }) => id);
  await sql`insert into fiscal_claim (orden_id, kind, effect_id, factura_id)
    select unnest(${libres}::uuid[]), 'global', ${effectId}::uuid, ${facturaId}::uuid`.execute(trx);
  const suyas = ordenes.filter(({ kind }) => kind === 'individual');
  await sql`insert into refacturacion (orden_id, global_id, effect_id, factura_id)
    select t.orden_id, ${facturaId}::uuid, t.effect_id, t.factura_id
    from unnest(${suyas.map(({ id }) => id)}::uuid[], ${suyas.map((orden) => orden.effectId)}::uuid[], ${suyas.map((orden) => orden.facturaId)}::uuid[]) t (orden_id, effect_id, factura_id)`.execute(
    trx,
  );
}
