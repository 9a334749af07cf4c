import { instantOf } from '~/core/time';
import { storeArchivo } from '~/platform/files/archivos.server';
import type { Trx } from '~db/client.server';
import type { EstatusFactura, Market, MotivoNotaCredito, TipoFactura } from '~db/columns';
import type { CfdiXml } from '~/integrations/sat/cfdiXml.server';

/** A CFDI as the PAC has it: its id there, its XML read, and the bytes of the XML. */
export type Timbrado = { uid: string; xml: CfdiXml; contenido: Buffer };

/** The part of a factura's row that the XML does not say. */
export type Kept = {
  tipo: TipoFactura;
  market: Market | null;
  numOrden: string | null;
  clienteFiscalId: string | null;
  emails: string[];
  /** The factura that an individual one replaces. */
  sustituyeId?: string | null;
  /** The factura that a credit note takes back from, and the reason. */
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

/** Writes a document: its XML, its row and its concepts. Returns the factura's id. */
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
