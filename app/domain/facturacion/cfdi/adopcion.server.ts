import { NotAllowed, CompanyFault } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import { adoptEffect, type Adopted } from '~/platform/effects/restored.server';
import type { CfdiPac } from '~/integrations/facturacom/nouns';
import type { Trx, Db } from '~db/client.server';
import { keepDocumento, type Kept, type Timbrado } from './internal/keepDocumento.server';

/** A CFDI that the PAC has and this database, back from a backup, does not. `receptorUid` is the PAC's client it was stamped to, where that is known. */
export type Ajeno = Timbrado & { cfdi: CfdiPac; receptorUid: string | null };

/** Why a CFDI of the PAC is not adopted, for people. */
export const noAdoptable = (texto: string) => new NotAllowed('Restauración', texto);

/** What it is about is on its way by itself. */
export const PENDIENTE = 'su solicitud está pendiente: al reanudar factura.com se busca y se reconoce sola';
export const CONCILIA_OTRA_VEZ =
  'activa el marketplace en Empresas para que llegue y concilia otra vez (npm run restaurar -- --conciliar)';

/** The effect that stands for what another machine asked of the PAC. */
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
  throw noAdoptable(
    effect.state === 'done'
      ? `aquí otro CFDI tiene la misma referencia «${cfdi.numOrder}»: compáralos y cancela en factura.com el que sobre`
      : PENDIENTE,
  );
}

/** What happened to it is told where people look for it. */
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

/** Keeps a CFDI by what its XML says, since nobody here remembers what was asked. Its letter is not sent: it went out then, or a person sends it. */
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

/** After a backup was restored: living CFDI of the PAC that may charge a sale and are not here. Until somebody explains them nothing of theirs is stamped again. */
export async function requireSinPorAdoptar(db: Db | Trx, titulo: string, numOrden: string): Promise<void> {
  const otro = await db
    .selectFrom('cfdiPorAdoptar')
    .select('folio')
    .where('numOrden', '=', numOrden)
    .executeTakeFirst();
  if (otro)
    throw new CompanyFault(
      titulo,
      `factura.com tiene vigente el CFDI ${otro.folio} de esta venta y aquí falta adoptarlo. Concilia otra vez (npm run restaurar -- --conciliar), o revísalo con tu contador.`,
    );
}

export async function hasUnadopted(db: Db): Promise<boolean> {
  return (await db.selectFrom('cfdiPorAdoptar').select('uuid').limit(1).executeTakeFirst()) !== undefined;
}
