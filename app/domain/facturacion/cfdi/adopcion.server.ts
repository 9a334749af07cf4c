import { NotAllowed, CompanyFault } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import { adoptEffect, type Adopted } from '~/platform/effects/restored.server';
import type { CfdiPac } from '~/integrations/facturacom/nouns';
import type { Trx, Db } from '~db/client.server';
import { keepDocumento, type Kept, type Timbrado } from './internal/keepDocumento.server';

/** A CFDI that the PAC has and this database lacks: it was restored from a backup, or somebody else stamped there. `receptorUid` is its client at the PAC, where known. */
export type Ajeno = Timbrado & { cfdi: CfdiPac; receptorUid: string | null };

/** The error for a CFDI that is not adopted, with the reason for people. */
export const notAdoptable = (texto: string) => new NotAllowed('Restauración', texto);

/** The reason while a request of ours for the same is still under way. */
export const PENDIENTE = 'su solicitud está pendiente: al reanudar factura.com se busca y se reconoce sola';
/** The remedy when a sale of the CFDI has not come back yet. */
export const CONCILIA_OTRA_VEZ =
  'activa el marketplace en Empresas para que llegue y concilia otra vez (npm run restaurar -- --conciliar)';

/** Writes the effect that stands for the request that made the CFDI, and returns its id. Throws NotAllowed when the reference is taken or under way here. */
export async function adoptStamp(
  trx: Trx,
  { cfdi }: Ajeno,
  adopted: Pick<Adopted, 'type' | 'key' | 'subjects'>,
): Promise<string> {
  const effect = await adoptEffect(trx, {
    ...adopted,
    connection: 'facturacom',
    ref: cfdi.numOrder,
    evidence: { uid: cfdi.uid, uuid: cfdi.uuid, existed: true, ...(cfdi.cancelada && { refTaken: true }) },
  });
  if ('id' in effect) return effect.id;
  throw notAdoptable(
    effect.state === 'done'
      ? `aquí otro CFDI tiene la misma referencia «${cfdi.numOrder}»: compáralos y cancela en factura.com el que sobre`
      : PENDIENTE,
  );
}

/** Tells the adoption in the bitacora of the factura. */
export async function recordAdopcion(
  trx: Trx,
  facturaId: string,
  { cfdi, xml }: Ajeno,
  datos: Record<string, unknown>,
): Promise<void> {
  await record(trx, {
    usuarioId: null,
    entidad: 'factura',
    entidadId: facturaId,
    accion: 'adoptar del PAC',
    datos: { ...datos, uuid: xml.uuid, total: xml.total, ...(cfdi.cancelada && { respuesta: 'Ya estaba cancelada.' }) },
  });
}

/** Keeps a CFDI from its XML, since its request is lost, and returns the factura's id. No letter is sent: it left then, or a person sends it. */
export async function keepAjeno(
  trx: Trx,
  effectId: string,
  { cfdi, uid, xml, contenido, receptorUid }: Ajeno,
  { conceptoOrdenIds, ...kept }: Omit<Kept, 'clienteFiscalId' | 'emails'>,
): Promise<string> {
  const { receptor } = xml;
  const cliente = await trx
    .selectFrom('clienteFiscal')
    .select('id')
    .where('rfc', '=', receptor.rfc)
    .where('razonSocial', '=', receptor.nombre)
    .executeTakeFirst();
  return keepDocumento(
    trx,
    { uid, xml, contenido },
    {
      ...kept,
      estatus: cfdi.cancelada ? 'cancelada' : 'vigente',
      effectId,
      usuarioId: null,
      clienteFiscalId: kept.tipo === 'global' ? null : (cliente?.id ?? null),
      emails: [],
      receptorUid,
      rfc: receptor.rfc,
      razonSocial: receptor.nombre,
      cp: receptor.cp,
      regimen: receptor.regimen,
      usoCfdi: receptor.usoCfdi,
      formaPago: xml.formaPago,
      subtotal: xml.subTotal,
      iva: xml.impuestos.totalTraslados,
      total: xml.total,
      conceptos: xml.conceptos.map((concepto, posicion) => ({
        ordenId: conceptoOrdenIds[posicion] ?? null,
        claveProdServ: concepto.claveProdServ,
        noIdentificacion: concepto.noIdentificacion || null,
        cantidad: concepto.cantidad,
        claveUnidad: concepto.claveUnidad,
        descripcion: concepto.descripcion,
        valorUnitario: concepto.valorUnitario,
        importe: concepto.importe,
        base: concepto.traslados[0]?.base ?? concepto.importe,
        tasaIva: concepto.traslados[0]?.tasa || '0',
        iva: concepto.traslados[0]?.importe ?? '0',
      })),
    },
  );
}

/**
 * Throws CompanyFault while the PAC has a living CFDI that may charge this sale and that could not be adopted. Nothing of the
 * sale is stamped meanwhile.
 */
export async function requireNoneUnadopted(db: Db | Trx, titulo: string, numOrden: string): Promise<void> {
  const otro = await db
    .selectFrom('cfdiPorAdoptar')
    .select('folio')
    .where('numOrden', '=', numOrden)
    .executeTakeFirst();
  if (otro)
    throw new CompanyFault(
      titulo,
      `factura.com tiene vigente el CFDI ${otro.folio} de esta venta y aquí falta adoptarlo. Se coteja cada noche, y el porqué está en Avisos: revísalo con tu contador.`,
    );
}

/** Tells whether a restore left CFDI of the PAC that wait to be adopted. */
export async function hasUnadopted(db: Db): Promise<boolean> {
  return (await db.selectFrom('cfdiPorAdoptar').select('uuid').limit(1).executeTakeFirst()) !== undefined;
}
