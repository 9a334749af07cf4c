import { randomUUID } from 'node:crypto';
import { saveCredential } from '~/platform/connections/credentials.server';
import type { Db } from '~db/client.server';
import type { Clase, EstatusOrden } from '~db/columns';

let made = 0;

export type ArticuloSketch = { modelo: string; cantidad?: number; proveedor?: string; precio?: string };

/** A sale of these articulos, with a shipment when `envio` says its number. */
export async function buildOrdenDe(
  db: Db,
  articulos: ArticuloSketch[],
  sketch: {
    fecha?: string;
    envio?: string;
    guia?: string;
    estatus?: EstatusOrden;
    clase?: Clase;
    packId?: string;
    pagado?: string;
  } = {},
) {
  const {
    fecha = '2026-11-10T18:00:00Z',
    envio,
    guia = null,
    clase = 'normal',
    estatus = clase === 'cancelada' ? 'cancelado' : 'enPreparacion',
    packId = null,
    pagado = '500.00',
  } = sketch;
  const marketId = String(2_000_770_000_000_000 + ++made);
  const envioId =
    envio &&
    (
      await db
        .insertInto('envio')
        .values({
          market: 'ml',
          marketId: envio,
          estatus: 'ready_to_ship',
          guia,
          paqueteria: 'DHL',
          nombreReceptor: 'María Peña',
          telefono: '5512345678',
          calle: 'Río Lerma',
          numeroE: '12',
          numeroI: 'SN',
          colonia: 'Cuauhtémoc',
          cp: '06500',
          ciudad: 'Ciudad de México',
          estado: 'Ciudad de México',
          fechaCreacion: new Date(fecha),
          actualizadoEn: new Date(fecha),
          datos: '{}',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const orden = await db
    .insertInto('orden')
    .values({
      market: 'ml',
      marketId,
      numOrden: packId ?? marketId,
      packId,
      fechaCreacion: new Date(fecha),
      actualizadaEn: new Date(fecha),
      estatus,
      marketStatus: 'paid',
      situacion: 'pagada',
      clase,
      titulo: `Venta de ${articulos[0]!.modelo}`,
      total: pagado,
      pagadoAbs: pagado,
      comision: '0.00',
      retencion: '0.00',
      datos: '{}',
      envioId: envioId ?? null,
    })
    .returning(['id', 'numOrden', 'marketId'])
    .executeTakeFirstOrThrow();
  await db
    .insertInto('articulo')
    .values(
      articulos.map(({ modelo, cantidad = 1, proveedor = 'SYSCOM', precio = '100.00' }, posicion) => ({
        ordenId: orden.id,
        posicion,
        nombre: `Equipo ${modelo}`,
        sku: `AMS|${made}|${proveedor}|${modelo}`,
        cantidad,
        importe: precio,
        precioUnitario: precio,
        comision: '0.00',
      })),
    )
    .execute();
  return orden;
}

export type CfdiSketch = {
  uuid?: string;
  rfc?: string;
  receptor?: string;
  serie?: string;
  folio?: string;
  total?: string;
  moneda?: string;
  tipoCambio?: string;
  tipo?: string;
  fecha?: string;
  lugar?: string;
  metodoPago?: string;
  /** The documents that a note is of. */
  relacionados?: { tipoRelacion: string; uuids: string[] };
  conceptos?: ConceptoSketch[];
};

/** A line at 16 % with `iva`, at another `tasa`, or exempt. Without any of these it writes out no IVA. */
type ConceptoSketch = {
  clave?: string;
  descripcion: string;
  cantidad?: string;
  importe: string;
  iva?: string;
  tasa?: string;
  exento?: boolean;
  ivaRetenido?: string;
  objetoImp?: string;
};

const impuestosXml = ({ importe, iva, tasa = '0.160000', exento, ivaRetenido }: ConceptoSketch) => {
  if (iva === undefined && !exento) return '';
  const traslado = exento
    ? `<cfdi:Traslado Base="${importe}" Impuesto="002" TipoFactor="Exento"/>`
    : `<cfdi:Traslado Base="${importe}" Impuesto="002" TipoFactor="Tasa" TasaOCuota="${tasa}" Importe="${iva}"/>`;
  const retencion =
    ivaRetenido &&
    `<cfdi:Retenciones><cfdi:Retencion Base="${importe}" Impuesto="002" TipoFactor="Tasa" TasaOCuota="0.106667" Importe="${ivaRetenido}"/></cfdi:Retenciones>`;
  return `<cfdi:Impuestos><cfdi:Traslados>${traslado}</cfdi:Traslados>${retencion ?? ''}</cfdi:Impuestos>`;
};

/** The company the sandbox's PAC issues for. */
export const NUESTRO_RFC = 'EKU9003173C9';

/** The company is linked, as far as its RFC: nothing can be asked of the PAC with these keys. */
export async function linkNuestroRfc(db: Db): Promise<void> {
  await saveCredential(db, 'facturacom', { account: NUESTRO_RFC, secrets: { apiKey: 'x', secret: 'x' } });
}

const relacionadosXml = (relacionados: CfdiSketch['relacionados']) =>
  relacionados
    ? `<cfdi:CfdiRelacionados TipoRelacion="${relacionados.tipoRelacion}">${relacionados.uuids
        .map((uuid) => `<cfdi:CfdiRelacionado UUID="${uuid}"/>`)
        .join('')}</cfdi:CfdiRelacionados>`
    : '';

/** A document that a payment paid, with its taxes at 16 % unless `impuestos` holds the XML of others. */
export type DoctoSketch = {
  uuid: string;
  pagado: string;
  base?: string;
  iva?: string;
  saldoAnterior?: string;
  insoluto?: string;
  parcialidad?: number;
  moneda?: string;
  equivalencia?: string;
  objetoImp?: string;
  impuestos?: string;
};
type PagoSketch = { fecha: string; moneda?: string; tipoCambio?: string; doctos: DoctoSketch[] };

/** What a supplier sends for a payment: a stamped CFDI 4.0 of type P with the complement 'Pagos 2.0'. */
export function complementoDeProveedor({
  uuid = randomUUID(),
  rfc = 'SSC840823JT3',
  receptor = NUESTRO_RFC,
  folio = 'P1',
  fecha = '2026-11-20T10:00:00',
  pagos,
}: Pick<CfdiSketch, 'uuid' | 'rfc' | 'receptor' | 'folio' | 'fecha'> & { pagos: PagoSketch[] }): string {
  const doctoXml = (docto: DoctoSketch) => {
    const {
      pagado,
      saldoAnterior = pagado,
      insoluto = '0.00',
      parcialidad = 1,
      moneda = 'MXN',
      equivalencia = '1',
    } = docto;
    const impuestos =
      docto.impuestos ??
      (docto.base === undefined
        ? ''
        : `<pago20:TrasladosDR><pago20:TrasladoDR BaseDR="${docto.base}" ImpuestoDR="002" TipoFactorDR="Tasa" TasaOCuotaDR="0.160000" ImporteDR="${docto.iva}"/></pago20:TrasladosDR>`);
    return `<pago20:DoctoRelacionado IdDocumento="${docto.uuid}" Folio="F" MonedaDR="${moneda}" EquivalenciaDR="${equivalencia}" NumParcialidad="${parcialidad}" ImpSaldoAnt="${saldoAnterior}" ImpPagado="${pagado}" ImpSaldoInsoluto="${insoluto}" ObjetoImpDR="${docto.objetoImp ?? '02'}">${impuestos && `<pago20:ImpuestosDR>${impuestos}</pago20:ImpuestosDR>`}</pago20:DoctoRelacionado>`;
  };
  const pagoXml = ({ fecha: dia, moneda = 'MXN', tipoCambio = '1', doctos }: PagoSketch) =>
    `<pago20:Pago FechaPago="${dia}T12:00:00" FormaDePagoP="03" MonedaP="${moneda}" TipoCambioP="${tipoCambio}" Monto="${doctos[0]!.pagado}">${doctos.map(doctoXml).join('')}</pago20:Pago>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<cfdi:Comprobante xmlns:cfdi="http://www.sat.gob.mx/cfd/4" xmlns:pago20="http://www.sat.gob.mx/Pagos20" Version="4.0" Folio="${folio}" Fecha="${fecha}" Sello="abcdefghSELLOCOLA" NoCertificado="30001000000500003416" Certificado="x"
  SubTotal="0" Moneda="XXX" Total="0" TipoDeComprobante="P" Exportacion="01" LugarExpedicion="31000">
  <cfdi:Emisor Rfc="${escape(rfc)}" Nombre="PROVEEDOR DE PRUEBA" RegimenFiscal="601"/>
  <cfdi:Receptor Rfc="${escape(receptor)}" Nombre="ESCUELA KEMPER URGATE" DomicilioFiscalReceptor="42501" RegimenFiscalReceptor="601" UsoCFDI="CP01"/>
  <cfdi:Conceptos><cfdi:Concepto ClaveProdServ="84111506" Cantidad="1" ClaveUnidad="ACT" Descripcion="Pago" ValorUnitario="0" Importe="0" ObjetoImp="01"/></cfdi:Conceptos>
  <cfdi:Complemento><pago20:Pagos Version="2.0"><pago20:Totales MontoTotalPagos="1"/>${pagos.map(pagoXml).join('')}</pago20:Pagos><tfd:TimbreFiscalDigital xmlns:tfd="http://www.sat.gob.mx/TimbreFiscalDigital" Version="1.1" UUID="${uuid}" FechaTimbrado="${fecha}" RfcProvCertif="SLP2001015X3" SelloCFD="x" NoCertificadoSAT="30001000000500003456" SelloSAT="yyyyyyyySATCOLA8"/></cfdi:Complemento>
</cfdi:Comprobante>`;
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** What a supplier sends: a stamped CFDI 4.0, of income unless `tipo` says otherwise. */
export function cfdiDeProveedor(sketch: CfdiSketch = {}): string {
  const {
    uuid = randomUUID(),
    rfc = 'SSC840823JT3',
    receptor = NUESTRO_RFC,
    serie = 'A',
    folio = '1001',
    total = '116.00',
    moneda = 'MXN',
    tipoCambio,
    tipo = 'I',
    fecha = '2026-11-12T10:00:00',
    lugar = '31000',
    metodoPago = 'PUE',
    relacionados,
  } = sketch;
  const conceptos = sketch.conceptos ?? [{ clave: 'DS-2CD', descripcion: 'Cámara', importe: '100.00', iva: '16.00' }];
  const lines = conceptos.map((concepto) => {
    const { clave = '', descripcion, cantidad = '1', importe, objetoImp = '02' } = concepto;
    return `<cfdi:Concepto ClaveProdServ="46171610" ${clave && `NoIdentificacion="${escape(clave)}"`} Cantidad="${cantidad}" ClaveUnidad="H87"
    Descripcion="${escape(descripcion)}" ValorUnitario="${importe}" Importe="${importe}" ObjetoImp="${objetoImp}">${impuestosXml(concepto)}</cfdi:Concepto>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<cfdi:Comprobante xmlns:cfdi="http://www.sat.gob.mx/cfd/4" Version="4.0" Serie="${serie}" Folio="${folio}" Fecha="${fecha}" Sello="abcdefghSELLOCOLA" FormaPago="03" NoCertificado="30001000000500003416"
  SubTotal="${total}" Moneda="${moneda}" ${tipoCambio ? `TipoCambio="${tipoCambio}"` : ''} Total="${total}" TipoDeComprobante="${tipo}" Exportacion="01" MetodoPago="${metodoPago}" LugarExpedicion="${lugar}" Certificado="x">
  ${relacionadosXml(relacionados)}  <cfdi:Emisor Rfc="${escape(rfc)}" Nombre="PROVEEDOR DE PRUEBA" RegimenFiscal="601"/>
  <cfdi:Receptor Rfc="${escape(receptor)}" Nombre="ESCUELA KEMPER URGATE" DomicilioFiscalReceptor="42501" RegimenFiscalReceptor="601" UsoCFDI="G01"/>
  <cfdi:Conceptos>${lines.join('')}</cfdi:Conceptos>
  <cfdi:Complemento><tfd:TimbreFiscalDigital xmlns:tfd="http://www.sat.gob.mx/TimbreFiscalDigital" Version="1.1" UUID="${uuid}" FechaTimbrado="${fecha}" RfcProvCertif="SLP2001015X3" SelloCFD="x" NoCertificadoSAT="30001000000500003456" SelloSAT="yyyyyyyySATCOLA8"/></cfdi:Complemento>
</cfdi:Comprobante>`;
}
