import { beforeEach } from 'vitest';
import { civilDay } from '~/core/time';
import { startTestSandbox } from '../../support/sandbox';

export type Json = Record<string, unknown>;
export type Answer = Json & { response?: string; message?: unknown; UUID?: string; uid?: string };

/** The sandbox's PAC, spoken to as its API is written; each test begins with its books empty. */
export async function openFacturacomSandbox(options: Parameters<typeof startTestSandbox>[0] = {}) {
  const sandbox = await startTestSandbox(options);
  const keys = await sandbox.facturacom.keys();
  const headers = { 'F-PLUGIN': keys.plugin, 'F-Api-Key': keys.apiKey, 'F-Secret-Key': keys.secretKey };
  beforeEach(() => sandbox.reset());

  const pac = (method: 'GET' | 'POST', path: string, body?: unknown): Promise<Response> =>
    fetch(`${sandbox.url}/facturacom/api${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const pacJson = async (method: 'GET' | 'POST', path: string, body?: unknown) =>
    (await (await pac(method, path, body)).json()) as Answer;
  return {
    sandbox,
    headers,
    pac,
    pacJson,
    create: (body: unknown) => pacJson('POST', '/v4/cfdi40/create', body),
    async newCliente(data: Json): Promise<string> {
      const answer = await pacJson('POST', '/v1/clients/create', data);
      return (answer.Data as { UID: string }).UID;
    },
  };
}

export const PERSONA = {
  rfc: 'RAOF850412K20',
  razons: 'MARIA FERNANDA RAMIREZ OCHOA',
  codpos: '06600',
  regimen: '612',
  usocfdi: 'G03',
  email: 'persona@correo.test',
};
export const EMPRESA = {
  rfc: 'CVS140305H19',
  razons: 'CONSTRUCTORA VALLE DEL SUR',
  codpos: '68000',
  regimen: '601',
  usocfdi: 'G03',
  email: 'empresa@correo.test',
};
export const PUBLICO = {
  rfc: 'XAXX010101000',
  razons: 'PUBLICO EN GENERAL',
  codpos: '42501',
  regimen: '616',
  usocfdi: 'S01',
  email: 'publico@correo.test',
};
const INFORMACION_GLOBAL = { Periodicidad: '04', Meses: '11', Año: civilDay(new Date()).slice(0, 4) };

let lastOrder = 0;
export function concepto(changes: Json = {}, traslado: Json = {}): Json {
  return {
    ClaveProdServ: '46171610',
    NoIdentificacion: 'AMS-1',
    Cantidad: '3',
    ClaveUnidad: 'H87',
    Unidad: 'Pieza',
    ValorUnitario: '86.198276',
    Descripcion: 'Cámara "domo" 2 MP & fuente <12 V>',
    ObjetoImp: '02',
    Impuestos: {
      Traslados: [
        {
          Base: '258.594828',
          Impuesto: '002',
          TipoFactor: 'Tasa',
          TasaOCuota: '0.16',
          Importe: '41.375172',
          ...traslado,
        },
      ],
    },
    ...changes,
  };
}
export function cfdi(uid: string, changes: Json = {}): Json {
  return {
    Receptor: { UID: uid },
    TipoDocumento: 'factura',
    UsoCFDI: 'G03',
    Serie: 17317,
    FormaPago: '31',
    MetodoPago: 'PUE',
    Moneda: 'MXN',
    NumOrder: `prueba-${++lastOrder}`,
    EnviarCorreo: false,
    Conceptos: [concepto()],
    ...changes,
  };
}
export const global = (uid: string, info: Json = {}, changes: Json = {}) =>
  cfdi(uid, {
    UsoCFDI: 'S01',
    InformacionGlobal: { ...INFORMACION_GLOBAL, ...info },
    Conceptos: [concepto({ ClaveProdServ: '01010101', ClaveUnidad: 'ACT', Unidad: undefined, Descripcion: 'Venta' })],
    ...changes,
  });

/** As a stamper would say it: local time of Mexico City some hours from now. */
export function localTime(hours: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Mexico_City', dateStyle: 'short', timeStyle: 'medium' })
    .format(Date.now() + hours * 3_600_000)
    .replace(' ', 'T');
}
