import { randomUUID } from 'node:crypto';
import { NUESTRO_RFC } from './proveedores';

export type RetencionSketch = {
  uuid?: string;
  rfc?: string;
  receptor?: string;
  emisor?: string;
  mesIni?: string;
  mesFin?: string;
  ejercicio?: string;
  clave?: string;
  fecha?: string;
  sustituye?: string;
  operacion?: string;
  exento?: string;
  isr?: string;
  iva?: string;
  retenido?: string;
  trasladado?: string;
  numServ?: string;
  uso?: string;
  servicios?: { fecha?: string; precio: string; iva: string; comision?: string }[];
};

const TFD = (uuid: string) =>
  `<t:TimbreFiscalDigital xmlns:t="http://www.sat.gob.mx/TimbreFiscalDigital" Version="1.1" UUID="${uuid}" FechaTimbrado="2026-11-05T10:00:01" RfcProvCertif="SLP2001015X3" SelloCFD="x" NoCertificadoSAT="30001000000500003456" SelloSAT="y"/>`;

function filled(sketch: RetencionSketch) {
  const servicios = sketch.servicios ?? [{ precio: '1000.00', iva: '160.00', comision: '150.00' }];
  return {
    uuid: randomUUID(),
    rfc: 'AAA010101AAA',
    receptor: NUESTRO_RFC,
    emisor: 'MERCADO LIBRE DE PRUEBA',
    mesIni: '10',
    mesFin: '10',
    ejercicio: '2026',
    clave: '26',
    fecha: '2026-11-05T10:00:00',
    sustituye: '',
    operacion: '1000.00',
    exento: '0.00',
    isr: '25.00',
    iva: '80.00',
    retenido: '105.00',
    trasladado: '160.00',
    numServ: String(servicios.length),
    uso: '150.00',
    ...sketch,
    servicios,
  };
}

/** The complement, under a prefix that nobody else uses. Both versions have the same. */
function complemento({
  operacion,
  trasladado,
  iva,
  isr,
  uso,
  numServ,
  servicios,
  ejercicio,
  mesFin,
}: ReturnType<typeof filled>) {
  const difIva = ((Number(trasladado) * 100 - Number(iva) * 100) / 100).toFixed(2);
  const rows = servicios.map(
    ({ fecha = `${ejercicio}-${mesFin}-12`, precio, iva: suIva, comision }) =>
      `<pt:DetallesDelServicio FormaPagoServ="02" TipoDeServ="05" FechaServ="${fecha}" PrecioServSinIVA="${precio}"><pt:ImpuestosTrasladadosdelServicio Base="${precio}" Impuesto="02" TipoFactor="Tasa" TasaCuota="0.160000" Importe="${suIva}"/>${comision ? `<pt:ComisionDelServicio Importe="${comision}"/>` : ''}</pt:DetallesDelServicio>`,
  );
  return `<pt:ServiciosPlataformasTecnologicas xmlns:pt="http://www.sat.gob.mx/esquemas/retencionpago/1/PlataformasTecnologicas10" Version="1.0" Periodicidad="04" NumServ="${numServ}" MonTotServSIVA="${operacion}" TotalIVATrasladado="${trasladado}" TotalIVARetenido="${iva}" TotalISRRetenido="${isr}" DifIVAEntregadoPrestServ="${difIva}" MonTotalporUsoPlataforma="${uso}"><pt:Servicios>${rows.join('')}</pt:Servicios></pt:ServiciosPlataformasTecnologicas>`;
}

/** A CFDI de retenciones 2.0 of a platform. Without a sketch it is the example of the reference, with its stamp. */
export function retencionDePlataforma(sketch: RetencionSketch = {}): string {
  const said = filled(sketch);
  const {
    uuid,
    rfc,
    receptor,
    emisor,
    mesIni,
    mesFin,
    ejercicio,
    clave,
    fecha,
    sustituye,
    operacion,
    exento,
    isr,
    iva,
    retenido,
  } = said;
  return `<?xml version="1.0" encoding="UTF-8"?>
<r:Retenciones xmlns:r="http://www.sat.gob.mx/esquemas/retencionpago/2" Version="2.0" CveRetenc="${clave}" FechaExp="${fecha}" LugarExpRetenc="06600" NoCertificado="00001000000700000001" Certificado="x" Sello="x">
 ${sustituye && `<r:CfdiRetenRelacionados TipoRelacion="01" UUID="${sustituye}"/>`}
 <r:Emisor RfcE="${rfc}" NomDenRazSocE="${emisor}" RegimenFiscalE="601"/>
 <r:Receptor NacionalidadR="Nacional"><r:Nacional RfcR="${receptor}" NomDenRazSocR="ESCUELA KEMPER URGATE" DomicilioFiscalR="42501"/></r:Receptor>
 <r:Periodo MesIni="${mesIni}" MesFin="${mesFin}" Ejercicio="${ejercicio}"/>
 <r:Totales MontoTotOperacion="${operacion}" MontoTotGrav="${operacion}" MontoTotExent="${exento}" MontoTotRet="${retenido}"><r:ImpRetenidos BaseRet="${operacion}" ImpuestoRet="001" MontoRet="${isr}" TipoPagoRet="02"/><r:ImpRetenidos BaseRet="160.00" ImpuestoRet="002" MontoRet="${iva}" TipoPagoRet="01"/></r:Totales>
 <r:Complemento>${complemento(said)}${TFD(uuid)}</r:Complemento>
</r:Retenciones>`;
}

/** The same in version 1.0: another namespace, lower-case names and other words. */
export function retencionAnterior(sketch: RetencionSketch = {}): string {
  const said = filled({ fecha: '2021-11-05T10:00:00-06:00', ejercicio: '2021', ...sketch });
  const {
    uuid,
    rfc,
    receptor,
    emisor,
    mesIni,
    mesFin,
    ejercicio,
    clave,
    fecha,
    operacion,
    exento,
    isr,
    iva,
    retenido,
  } = said;
  return `<retenciones:Retenciones xmlns:retenciones="http://www.sat.gob.mx/esquemas/retencionpago/1" Version="1.0" CveRetenc="${clave}" FechaExp="${fecha}" NumCert="1" Cert="x" Sello="x">
 <retenciones:Emisor RFCEmisor="${rfc}" NomDenRazSocE="${emisor}"/>
 <retenciones:Receptor Nacionalidad="Nacional"><retenciones:Nacional RFCRecep="${receptor}" NomDenRazSocR="X"/></retenciones:Receptor>
 <retenciones:Periodo MesIni="${mesIni}" MesFin="${mesFin}" Ejerc="${ejercicio}"/>
 <retenciones:Totales montoTotOperacion="${operacion}" montoTotGrav="${operacion}" montoTotExent="${exento}" montoTotRet="${retenido}"><retenciones:ImpRetenidos BaseRet="${operacion}" Impuesto="01" montoRet="${isr}" TipoPagoRet="Pago provisional"/><retenciones:ImpRetenidos BaseRet="160" Impuesto="02" montoRet="${iva}" TipoPagoRet="Pago definitivo"/></retenciones:Totales>
 <retenciones:Complemento>${complemento(said)}${TFD(uuid)}</retenciones:Complemento>
</retenciones:Retenciones>`;
}
