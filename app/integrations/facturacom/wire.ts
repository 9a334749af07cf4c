import { diezDigitosOf } from '~/core/telefono';
import type { NewCfdi, NewClientePac, NewConcepto } from './nouns';

/**
 * The body of a stamp. Amounts are text with fixed decimals, so no float drifts on the way. `EnviarCorreo` is false because the letter is
 * an effect of ours. Drafts are never asked for: a draft answers success without a UUID.
 */
export function toWire(cfdi: NewCfdi, numOrder: string): Record<string, unknown> {
  return {
    Receptor: { UID: cfdi.receptor.uid, RegimenFiscalR: cfdi.receptor.regimen },
    TipoDocumento: cfdi.tipo,
    Serie: cfdi.serieId,
    UsoCFDI: cfdi.usoCfdi,
    FormaPago: cfdi.formaPago,
    MetodoPago: 'PUE',
    Moneda: 'MXN',
    NumOrder: numOrder,
    FechaFromAPI: cfdi.fecha,
    EnviarCorreo: false,
    Draft: '0',
    BorradorSiFalla: '0',
    ...(cfdi.lugarExpedicion && { LugarExpedicion: cfdi.lugarExpedicion }),
    ...(cfdi.informacionGlobal && {
      InformacionGlobal: {
        Periodicidad: cfdi.informacionGlobal.periodicidad,
        Meses: cfdi.informacionGlobal.meses,
        Año: cfdi.informacionGlobal.anio,
      },
    }),
    ...(cfdi.relacionados && {
      CfdiRelacionados: { TipoRelacion: cfdi.relacionados.tipoRelacion, UUID: cfdi.relacionados.uuids },
    }),
    ...(cfdi.comentarios && { Comentarios: cfdi.comentarios }),
    Conceptos: cfdi.conceptos.map(conceptoToWire),
  };
}

/** The body of a document that has everything the API asks for and that no PAC can stamp. */
export function unstampable(
  numOrder: string,
  { clienteUid, serieId }: { clienteUid: string; serieId: number },
): Record<string, unknown> {
  return {
    Receptor: { UID: clienteUid },
    TipoDocumento: 'factura',
    Serie: serieId,
    UsoCFDI: 'X00',
    FormaPago: '77',
    MetodoPago: 'PUE',
    Moneda: 'MXN',
    NumOrder: numOrder,
    FechaFromAPI: '2020-01-01T00:00:00',
    EnviarCorreo: false,
    Draft: '0',
    BorradorSiFalla: '0',
    Conceptos: [
      {
        ClaveProdServ: '00000000',
        Cantidad: '1',
        ClaveUnidad: 'ACT',
        Unidad: 'Actividad',
        ValorUnitario: '0.000000',
        Importe: '0.000000',
        Descripcion: 'Prueba de número de orden repetido',
        ObjetoImp: '01',
      },
    ],
  };
}

function conceptoToWire(concepto: NewConcepto): Record<string, unknown> {
  const traslado = {
    Base: concepto.base,
    Impuesto: '002',
    TipoFactor: 'Tasa',
    TasaOCuota: concepto.tasaIva,
    Importe: concepto.iva,
  };
  return {
    ClaveProdServ: concepto.claveProdServ,
    ...(concepto.noIdentificacion && { NoIdentificacion: concepto.noIdentificacion }),
    Cantidad: String(concepto.cantidad),
    ClaveUnidad: concepto.claveUnidad,
    Unidad: concepto.unidad,
    ValorUnitario: concepto.valorUnitario,
    Importe: concepto.importe,
    Descripcion: concepto.descripcion,
    ObjetoImp: '02',
    Impuestos: { Traslados: [traslado], Retenidos: [], Locales: [] },
  };
}

/** The body of a client. */
export function clienteToWire(cliente: NewClientePac): Record<string, string> {
  const [email = '', email2 = '', email3 = ''] = cliente.emails;
  return {
    rfc: cliente.rfc,
    razons: cliente.razonSocial,
    codpos: cliente.cp,
    regimen: cliente.regimen,
    email,
    email2,
    email3,
    usocfdi: cliente.usoCfdi ?? '',
    nombre: cliente.nombre ?? '',
    apellidos: cliente.apellidos ?? '',
    telefono: diezDigitosOf(cliente.telefono) ?? cliente.telefono ?? '',
    calle: cliente.calle ?? '',
    numero_exterior: cliente.numeroExterior ?? '',
    numero_interior: cliente.numeroInterior ?? '',
    colonia: cliente.colonia ?? '',
    ciudad: cliente.ciudad ?? '',
    delegacion: cliente.delegacion ?? '',
    estado: cliente.estado ?? '',
    pais: 'MEX',
  };
}
