import { sql } from 'kysely';
import type { Trx } from '~db/client.server';
import { record } from '~/platform/bitacora.server';
import { defineEffect, each, Mismatch } from '~/platform/effects/definition';
import { readCfdiXml } from '~/integrations/sat/cfdiXml.server';
import { settleClaims } from '~/domain/facturacion/cfdi/claims.server';
import { globalEnPac } from './globalEnPac.server';
import { GlobalRequest } from './globalRequest';
import { keepCfdi, stampCfdi } from '~/domain/facturacion/cfdi/timbrado.server';

const timbrado = stampCfdi<GlobalRequest>();

/** Writes the amount that a global charges for each of its ordenes, in one statement: a global may have thousands. */
export async function insertFacturaOrdenes(
  trx: Trx,
  facturaId: string,
  ordenes: readonly { id: string; importe: string | null }[],
): Promise<void> {
  const [ids, importes] = [ordenes.map(({ id }) => id), ordenes.map(({ importe }) => importe)];
  await sql`
    insert into factura_orden (factura_id, orden_id, importe)
    select ${facturaId}, t.orden_id, t.importe
    from unnest(${ids}::uuid[], ${importes}::numeric[]) t (orden_id, importe)`.execute(trx);
}

/** Stamps one CFDI of a month's sales to the general public. Its reference is the month and its number in the month. */
export const stampGlobal = defineEffect({
  ...timbrado,
  type: 'cfdi.global',
  label: 'Timbrado de factura global',
  request: GlobalRequest,
  key: ({ mes, numero }) => `global:${mes}:${numero}`,
  subjects: ({ cfdi, mes, ventas }) => [
    ['mes', mes],
    ...ventas.flatMap(({ ordenes }) =>
      each(
        'orden',
        ordenes.map(({ id }) => id),
      ),
    ),
    ['receptor', cfdi.receptor.rfc],
  ],
  ref: ({ mes, numero }, generation) => `GLOBAL-${mes}-${numero}${generation === 0 ? '' : `-${generation + 1}`}`,
  send: async (call) => (await globalEnPac(call)) ?? timbrado.send(call),
  async confirm(call, evidence) {
    const { request, clients } = call;
    const { fecha, conceptos } = readCfdiXml(await (await clients.pac()).downloadXml(evidence.uid!));
    if (request.cfdi.conceptos.some(({ noIdentificacion }, at) => noIdentificacion !== conceptos[at]?.noIdentificacion))
      throw new Mismatch(['Sus ventas no son las que se pidieron']);
    // A CFDI of an earlier try has the day of that try; its sales and amounts make it ours.
    const cfdi = fecha < request.cfdi.fecha ? { ...request.cfdi, fecha } : request.cfdi;
    return timbrado.confirm({ ...call, request: { ...request, cfdi } }, evidence);
  },
  async settle(trx, effect, { uid, xml, contenido }) {
    const { request, usuarioId } = effect;
    const conceptoOrdenIds = request.ventas.flatMap(({ ordenes, conceptos }) =>
      Array.from({ length: conceptos }, () => ordenes[0]!.id),
    );
    const id = await keepCfdi(
      trx,
      effect,
      { uid, xml, contenido },
      { tipo: 'global', market: null, numOrden: null, clienteFiscalId: null, emails: [], conceptoOrdenIds },
    );
    const ordenes = request.ventas.flatMap((venta) => venta.ordenes);
    await insertFacturaOrdenes(trx, id, ordenes);
    await settleClaims(trx, { ordenIds: ordenes.map((orden) => orden.id), effectId: effect.id, facturaId: id });
    await record(trx, {
      usuarioId,
      entidad: 'factura',
      entidadId: id,
      accion: 'timbrar global',
      datos: { mes: request.mes, ventas: request.ventas.length, uuid: xml.uuid, total: request.cfdi.total },
    });
  },
  async release(trx, effect) {
    await trx.deleteFrom('fiscalClaim').where('effectId', '=', effect.id).where('facturaId', 'is', null).execute();
  },
});
