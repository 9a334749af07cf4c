import { NotAllowed } from '~/core/errors';
import { instantOf } from '~/core/time';
import { record } from '~/platform/bitacora.server';
import { adoptEffect, type Adopted } from '~/platform/effects/restored.server';
import { storeArchivo } from '~/platform/files/archivos.server';
import type { CfdiPac } from '~/integrations/facturacom/nouns';
import type { Trx } from '~db/client.server';
import type { EstatusFactura, Market, MotivoNotaCredito, TipoFactura } from '~db/columns';
import type { CfdiXml } from './cfdiXml.server';

/** A CFDI as it is kept: one that we asked for, and one that the PAC has and this database forgot. */
export type Timbrado = { uid: string; xml: CfdiXml; contenido: Buffer };

export type Kept = {
  tipo: TipoFactura;
  market: Market | null;
  numOrden: string | null;
  clienteFiscalId: string | null;
  emails: string[];
  /** Of an individual factura, the one it replaces. */
  sustituyeId?: string | null;
  /** Of a credit note, the factura it takes back from, and why. */
  origenId?: string;
  motivo?: MotivoNotaCredito;
  /** The orden each concept comes from, in the order of the concepts. */
  conceptoOrdenIds: (string | null)[];
};

type Concepto = {
  ordenId: string | null;
  claveProdServ: string;
  noIdentificacion: string | null;
  cantidad: string;
  claveUnidad: string;
  descripcion: string;
  valorUnitario: string;
  importe: string;
  base: string;
  tasaIva: string;
  iva: string;
};

type Documento = Omit<Kept, 'conceptoOrdenIds'> & {
  estatus: EstatusFactura;
  effectId: string;
  usuarioId: string | null;
  receptorUid: string | null;
  rfc: string;
  razonSocial: string;
  cp: string;
  regimen: string;
  usoCfdi: string;
  formaPago: string;
  subtotal: string;
  iva: string;
  total: string;
  conceptos: Concepto[];
};

/** Writes a document: its XML, its row and its concepts. */
export async function keepDocumento(
  trx: Trx,
  { uid, xml, contenido }: Timbrado,
  { conceptos, ...row }: Documento,
): Promise<string> {
  const xmlId = await storeArchivo(trx, {
    nombre: `${xml.serie}-${xml.folio}.xml`,
    tipo: 'application/xml',
    contenido,
  });
  const { id } = await trx
    .insertInto('factura')
    .values({
      ...row,
      uuid: xml.uuid,
      uid,
      serie: xml.serie,
      folio: Number(xml.folio),
      fecha: instantOf(xml.fecha),
      fechaTimbrado: instantOf(xml.fechaTimbrado),
      canceladaEn: row.estatus === 'cancelada' ? new Date() : null,
      xmlId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('facturaConcepto')
    .values(conceptos.map((concepto, posicion) => ({ ...concepto, facturaId: id, posicion })))
    .execute();
  return id;
}

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
