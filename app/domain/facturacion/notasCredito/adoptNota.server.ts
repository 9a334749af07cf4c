import { sql } from 'kysely';
import { enPesos } from '~/core/importe';
import { Money } from '~/core/money';
import {
  adoptStamp,
  keepAjeno,
  notAdoptable,
  PENDIENTE,
  recordAdopcion,
  type Ajeno,
} from '~/domain/facturacion/cfdi/adopcion.server';
import { letGoOfNota } from '~/domain/facturacion/cfdi/claims.server';
import { each } from '~/platform/effects/definition';
import { laVenta } from '~/domain/ventas/ordenes/laVenta';
import type { Trx } from '~db/client.server';
import { partesPorAcreditar, ventaPorAcreditar, type VentaPorAcreditar } from './internal/ventasPorAcreditar.server';
import { stampNotaCredito } from './internal/stampNotaCredito.server';

/**
 * Adopts a credit note that the PAC has and this database, restored from a backup, lacks: it takes its sale out of its factura. Its total
 * must be that of a note of the sale, so that nothing is guessed. A cancelled one only counts. Throws NotAllowed with the reason when it
 * cannot be adopted.
 */
export async function adoptNota(trx: Trx, ajeno: Ajeno): Promise<void> {
  const { cfdi, xml } = ajeno;
  const numOrden = xml.conceptos[0]?.noIdentificacion ?? '';
  const uuid = xml.relacionados.flatMap(({ uuids }) => uuids)[0];
  const origen = uuid
    ? await trx.selectFrom('factura').select(['id', 'serie', 'folio']).where('uuid', '=', uuid).executeTakeFirst()
    : undefined;
  if (!origen)
    throw notAdoptable(
      `acredita ${uuid ? `al CFDI ${uuid}, que no está aquí` : 'a ningún CFDI'}: revísala con tu contador`,
    );
  const folio = `${origen.serie}-${origen.folio}`;
  const ventas = await ventasOf(trx, origen.id, numOrden);
  const venta = cfdi.cancelada ? ventas[0] : ventas.find(({ total }) => total.equals(Money.of(xml.total)));
  if (!venta)
    throw notAdoptable(
      `acredita ${enPesos(xml.total)} de la venta ${numOrden} de la factura ${folio}, y aquí ${ventas[0] ? `serían ${enPesos(ventas[0].total)}` : 'esa venta no tiene qué acreditar'}: revísala con tu contador`,
    );
  const { market, ordenIds, importes, motivo, marca } = venta;
  const effectId = await adoptStamp(trx, ajeno, {
    type: stampNotaCredito.type,
    key: [`nota:${origen.id}:${market}:${numOrden}`, ...(marca ? [marca] : [])].join(':'),
    subjects: [
      ['factura', origen.id],
      laVenta(market, numOrden),
      ...each('orden', ordenIds),
      ['receptor', xml.receptor.rfc],
    ],
  });
  const notaId = await keepAjeno(trx, effectId, ajeno, {
    tipo: 'notaCredito',
    market,
    numOrden,
    origenId: origen.id,
    motivo,
    conceptoOrdenIds: xml.conceptos.map(() => ordenIds[0]!),
  });
  if (!cfdi.cancelada) {
    await trx
      .insertInto('notaCreditoOrden')
      .values(
        ordenIds.map((ordenId, at) => ({
          facturaId: origen.id,
          ordenId,
          effectId,
          notaId,
          importe: importes[at]!.toFixed(2),
          parcial: motivo === 'parcial',
        })),
      )
      .execute();
    await letGoOfNota(trx, notaId);
  }
  await recordAdopcion(trx, notaId, ajeno, { numOrden, factura: folio });
}

/** The amounts that a note of this sale could take back: the whole sale, the ordenes that came back, or what was given back of one. Locks the sale and its factura. */
async function ventasOf(trx: Trx, facturaId: string, numOrden: string): Promise<VentaPorAcreditar[]> {
  await sql`select 1 from orden join factura_orden fo on fo.orden_id = orden.id
    where fo.factura_id = ${facturaId} and orden.num_orden = ${numOrden} order by fecha_creacion, market_id
      for no key update of orden`.execute(trx);
  await sql`select 1 from factura where id = ${facturaId} for no key update`.execute(trx);
  const pedida = await trx
    .selectFrom('notaCreditoOrden')
    .innerJoin('orden', 'orden.id', 'notaCreditoOrden.ordenId')
    .select('orden.id')
    .where('facturaId', '=', facturaId)
    .where('numOrden', '=', numOrden)
    .where('notaId', 'is', null)
    .executeTakeFirst();
  if (pedida) throw notAdoptable(PENDIENTE);
  const [toda, vuelta] = [
    await ventaPorAcreditar(trx, { facturaId, numOrden }),
    await ventaPorAcreditar(trx, { facturaId, numOrden, soloVueltas: true }),
  ];
  const partes = await partesPorAcreditar(trx, { facturaId, numOrden });
  return [toda, vuelta, ...partes].filter((venta) => venta !== undefined);
}
