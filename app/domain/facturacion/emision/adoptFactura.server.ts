import { claimOrdenes, settleClaims, settleRefacturacion } from '~/domain/facturacion/cfdi/claims.server';
import {
  adoptStamp,
  CONCILIA_OTRA_VEZ,
  keepAjeno,
  notAdoptable,
  PENDIENTE,
  recordAdopcion,
  type Ajeno,
} from '~/domain/facturacion/cfdi/adopcion.server';
import { ordenesOfNumber, whyNotFacturable, type OrdenFacturable } from '~/domain/facturacion/cfdi/facturables.server';
import { textoCfdi } from '~/domain/facturacion/cfdi/articulos';
import { each } from '~/platform/effects/definition';
import { laVenta } from '~/domain/ventas/ordenes/laVenta';
import { doubtEffect } from '~/platform/effects/restored.server';
import { Money } from '~/core/money';
import type { Trx } from '~db/client.server';
import { importesOf, stampFactura } from './internal/stampFactura.server';
import { settleSustitucion } from './internal/sustitucion.server';

/** The sale numbers that a reference can mean: the reference itself, or without the count of a later factura ('-2'). */
export const numerosOfRef = (ref: string) => [...new Set([ref, ref.replace(/-\d{1,2}$/, '')])].filter(Boolean);

/**
 * Adopts a factura that the PAC has and this database, restored from a backup, lacks. The factura holds its sale, takes it from its global
 * or from the factura it replaces, and its reference counts. A cancelled one only counts. Throws NotAllowed with the reason when it cannot
 * be adopted.
 */
export async function adoptFactura(trx: Trx, ajeno: Ajeno): Promise<void> {
  const { cfdi, xml } = ajeno;
  const venta = await ventaOf(trx, cfdi.numOrder);
  if (!venta) throw notAdoptable(`no hay una venta con el número «${cfdi.numOrder}»: ${CONCILIA_OTRA_VEZ}`);
  const { numOrden } = venta;
  const ordenes = chargedBy(xml.total, venta.ordenes);
  const { market } = ordenes[0]!;
  const ordenIds = ordenes.map(({ id }) => id);
  const sustituida = await sustituidaOf(trx, ajeno);
  const effectId = await adoptStamp(trx, ajeno, {
    type: stampFactura.type,
    key: `orden:${market}:${numOrden}`,
    subjects: [
      laVenta(market, numOrden),
      ...each('orden', ordenIds),
      ['receptor', xml.receptor.rfc],
      ...each('sustituida', sustituida ? [sustituida.id] : []),
    ],
  });
  if (!cfdi.cancelada) await claimAdoptadas(trx, { ordenIds, effectId, sustituidaId: sustituida?.id });
  const conceptoOrdenIds = conceptosOf(ajeno, ordenes);
  const facturaId = await keepAjeno(trx, effectId, ajeno, {
    tipo: 'individual',
    market,
    numOrden,
    sustituyeId: sustituida?.id ?? null,
    conceptoOrdenIds,
  });
  if (sustituida && !cfdi.cancelada) {
    const nueva = { id: facturaId, uuid: xml.uuid };
    const pedida = await settleSustitucion(trx, { id: effectId, usuarioId: null }, { facturaId: sustituida.id, nueva });
    // The machine that stamped the factura asked for this cancellation too, or died before.
    if (pedida) await doubtEffect(trx, pedida);
  }
  const known = conceptoOrdenIds.some((id) => id !== null);
  const importes = importesOf(
    {
      total: xml.total,
      conceptos: xml.conceptos.map(({ importe, traslados }) => ({ importe, iva: traslados[0]?.importe ?? '0' })),
    },
    { ordenIds, conceptoOrdenIds },
  );
  await trx
    .insertInto('facturaOrden')
    .values(importes.map(({ ordenId, importe }) => ({ facturaId, ordenId, importe: known ? importe : null })))
    .execute();
  if (!cfdi.cancelada) {
    await settleClaims(trx, { ordenIds, effectId, facturaId });
    await settleRefacturacion(trx, effectId, facturaId);
  }
  await recordAdopcion(trx, facturaId, ajeno, { numOrden });
}

async function claimAdoptadas(trx: Trx, claims: Parameters<typeof claimOrdenes>[1]): Promise<void> {
  const pedidas = await trx
    .selectFrom('fiscalClaim')
    .select('ordenId')
    .where('ordenId', 'in', claims.ordenIds)
    .where('facturaId', 'is', null)
    .execute();
  if (pedidas.length > 0) throw notAdoptable(PENDIENTE);
  await claimOrdenes(trx, claims);
}

async function ventaOf(trx: Trx, ref: string): Promise<{ numOrden: string; ordenes: OrdenFacturable[] } | undefined> {
  for (const numero of numerosOfRef(ref)) {
    const ordenes = await ordenesOfNumber(trx, numero, { lock: true });
    const [first] = ordenes;
    if (first)
      return {
        numOrden: first.numOrden,
        ordenes: ordenes.filter(({ market, numOrden }) => market === first.market && numOrden === first.numOrden),
      };
  }
  return undefined;
}

/** The ordenes that the factura charges: those that can be invoiced, when their payments add up to its total, else all. */
function chargedBy(total: string, ordenes: OrdenFacturable[]): OrdenFacturable[] {
  const facturables = ordenes.filter((orden) => !whyNotFacturable(orden));
  const pagado = Money.sum(facturables.map(({ pagadoAbs }) => pagadoAbs));
  return facturables.length > 0 && pagado.equals(Money.of(total)) ? facturables : ordenes;
}

/** The orden of each concept: the only orden, or the one that sold the sku it names; null when several did, or none. */
function conceptosOf({ xml }: Ajeno, ordenes: OrdenFacturable[]): (string | null)[] {
  return xml.conceptos.map(({ noIdentificacion }) => {
    const sold = ordenes.filter(
      ({ articulos }) =>
        ordenes.length === 1 ||
        (noIdentificacion !== '' && articulos.some(({ sku }) => sku && textoCfdi(sku, 100) === noIdentificacion)),
    );
    return sold.length === 1 ? sold[0]!.id : null;
  });
}

/** The factura that the CFDI says it replaces. Throws NotAllowed when that one is not here. */
async function sustituidaOf(trx: Trx, { xml }: Ajeno) {
  const uuids = xml.relacionados.flatMap(({ tipoRelacion, uuids }) => (tipoRelacion === '04' ? uuids : []));
  if (uuids.length === 0) return undefined;
  const vieja = await trx
    .selectFrom('factura')
    .select('id')
    .where('uuid', 'in', uuids)
    .where('tipo', '=', 'individual')
    .executeTakeFirst();
  if (!vieja) throw notAdoptable(`sustituye al CFDI ${uuids[0]}, que no está aquí`);
  return vieja;
}
