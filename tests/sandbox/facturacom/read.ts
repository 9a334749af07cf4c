/** The reading of a request: required fields, client and series. Missing fields are refused in factura.com's words. */
import { EMISOR } from './cuenta';
import { readDecimal, type Decimal } from './decimals';
import { multiply, type Concepto, type Documento, type Impuesto, type Relacion } from './documento';
import { localNow } from './fechas';
import { fieldsRefusal, ownRefusal, sentencesRefusal } from './refusals';
import type { Cliente, Serie, State } from './state';

export type Body = Record<string, unknown>;

export interface Pedido {
  documento: Documento;
  cliente: Cliente;
  serie: Serie;
  numOrder: string;
  comentarios: string;
  enviarCorreo: boolean;
}

const REQUIRED = ['Receptor', 'Conceptos', 'UsoCFDI', 'Serie', 'FormaPago', 'MetodoPago', 'Moneda'] as const;
const TIPOS: Record<string, 'I' | 'E'> = { factura: 'I', nota_credito: 'E', nota_devolucion: 'E' };

export function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text of a JSON string or number; '' when absent. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

export function readPedido(body: Body, state: State): Pedido {
  const tipoDocumento = textOf(body.TipoDocumento ?? body.TipoCfdi);
  const missing = [
    ...REQUIRED.filter((name) => body[name] === undefined || body[name] === null || body[name] === ''),
    ...(tipoDocumento ? [] : ['TipoDocumento']),
  ];
  if (missing.length > 0)
    throw fieldsRefusal(Object.fromEntries(missing.map((name) => [name, [`El campo ${name} es requerido.`]])));
  const tipo = TIPOS[tipoDocumento];
  if (!tipo) throw ownRefusal(`El tipo de documento ${tipoDocumento} no es válido`);
  if (!Array.isArray(body.Conceptos) || body.Conceptos.length === 0)
    throw sentencesRefusal(['El campo Conceptos debe contener al menos 1 elemento.']);

  const receptor = isBody(body.Receptor) ? body.Receptor : {};
  const cliente = state.clientes.get(textOf(receptor.UID));
  if (!cliente) throw ownRefusal('El cliente no existe, verifique el UID del receptor');
  const serie = state.series.get(Number(body.Serie));
  if (!serie) throw ownRefusal('La serie no existe');
  if (!serie.activa) throw ownRefusal(`La serie ${serie.nombre} no está activa`);
  if (serie.tipo !== tipoDocumento)
    throw ownRefusal(`La serie ${serie.nombre} no corresponde al tipo de documento ${tipoDocumento}`);
  if (textOf(body.Moneda) !== 'MXN') throw ownRefusal('Esta sandbox solo timbra en MXN');

  const problems: string[] = [];
  const conceptos = body.Conceptos.map((concepto, index) =>
    readConcepto(
      isBody(concepto) ? concepto : {},
      index,
      problems,
      state.switches.ignoraImporte,
      body.InformacionGlobal !== undefined,
    ),
  );
  if (problems.length > 0) throw sentencesRefusal(problems);

  const global = isBody(body.InformacionGlobal) ? body.InformacionGlobal : undefined;
  return {
    cliente,
    serie,
    numOrder: textOf(body.NumOrder),
    comentarios: textOf(body.Comentarios),
    enviarCorreo:
      body.EnviarCorreo === undefined ||
      body.EnviarCorreo === true ||
      body.EnviarCorreo === 'true' ||
      textOf(body.EnviarCorreo) === '1',
    documento: {
      serie: serie.nombre,
      folio: serie.siguiente,
      fecha: textOf(body.FechaFromAPI ?? body.Fecha) || localNow(),
      tipo,
      tipoDocumento,
      formaPago: textOf(body.FormaPago),
      metodoPago: textOf(body.MetodoPago),
      condicionesDePago: textOf(body.CondicionesDePago) || undefined,
      moneda: 'MXN',
      lugarExpedicion: textOf(body.LugarExpedicion) || EMISOR.cp,
      informacionGlobal: global && {
        periodicidad: textOf(global.Periodicidad),
        meses: textOf(global.Meses),
        anio: textOf(global['Año']),
      },
      relaciones: readRelaciones(body.CfdiRelacionados),
      emisor: { rfc: EMISOR.rfc, nombre: EMISOR.nombre, regimen: textOf(body.RegimenFiscal) || EMISOR.regimen },
      receptor: {
        rfc: cliente.rfc,
        nombre: cliente.razons,
        cp: cliente.codpos,
        regimen: textOf(receptor.RegimenFiscalR) || cliente.regimen,
        usoCfdi: textOf(body.UsoCFDI),
      },
      conceptos,
    },
  };
}

function readConcepto(
  body: Body,
  index: number,
  problems: string[],
  ignoraImporte: boolean,
  global: boolean,
): Concepto {
  const label = `Conceptos.${index}`;
  const required = [
    'ClaveProdServ',
    'Cantidad',
    'ClaveUnidad',
    'ValorUnitario',
    'Descripcion',
    'ObjetoImp',
    ...(global ? [] : ['Unidad']),
  ];
  for (const name of required) if (textOf(body[name]) === '') problems.push(`El campo ${label}.${name} es requerido.`);
  const cantidad = number(body.Cantidad, `${label}.Cantidad`, problems);
  const valorUnitario = number(body.ValorUnitario, `${label}.ValorUnitario`, problems);
  const sent = ignoraImporte || isAbsent(body.Importe) ? undefined : number(body.Importe, `${label}.Importe`, problems);
  const objetoImp = textOf(body.ObjetoImp);
  const taxes = isBody(body.Impuestos) ? body.Impuestos : undefined;
  if (taxes && Array.isArray(taxes.Locales) && taxes.Locales.length > 0)
    problems.push(`El campo ${label}.Impuestos.Locales no está disponible en esta sandbox.`);
  return {
    claveProdServ: textOf(body.ClaveProdServ),
    noIdentificacion: textOf(body.NoIdentificacion) || undefined,
    cantidad,
    claveUnidad: textOf(body.ClaveUnidad),
    unidad: textOf(body.Unidad) || undefined,
    descripcion: textOf(body.Descripcion),
    valorUnitario,
    importe: sent ?? multiply(cantidad, valorUnitario),
    descuento:
      isAbsent(body.Descuento) || Number(body.Descuento) === 0
        ? undefined
        : number(body.Descuento, `${label}.Descuento`, problems),
    objetoImp,
    // With these values the API ignores taxes that were sent.
    impuestos:
      taxes && !['01', '03', '04'].includes(objetoImp)
        ? {
            traslados: readImpuestos(taxes.Traslados, `${label}.Traslados`, problems),
            retenciones: readImpuestos(taxes.Retenidos, `${label}.Retenidos`, problems),
          }
        : undefined,
  };
}

function readImpuestos(list: unknown, label: string, problems: string[]): Impuesto[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isBody).map((tax, index) => ({
    base: number(tax.Base, `${label}.${index}.Base`, problems),
    impuesto: textOf(tax.Impuesto),
    tipoFactor: textOf(tax.TipoFactor),
    tasa: isAbsent(tax.TasaOCuota) ? undefined : number(tax.TasaOCuota, `${label}.${index}.TasaOCuota`, problems),
    importe: isAbsent(tax.Importe) ? undefined : number(tax.Importe, `${label}.${index}.Importe`, problems),
  }));
}

/** Relations of a document. The documentation shows one object, and some wrappers send a list. */
function readRelaciones(value: unknown): Relacion[] {
  const list = Array.isArray(value) ? value.filter(isBody) : isBody(value) ? [value] : [];
  return list.map((one) => ({
    tipo: textOf(one.TipoRelacion),
    uuids: (Array.isArray(one.UUID) ? one.UUID : [one.UUID])
      .map((uuid) => textOf(uuid).toUpperCase())
      .filter((uuid) => uuid !== ''),
  }));
}

function number(value: unknown, label: string, problems: string[]): Decimal {
  const decimal = readDecimal(value);
  if (!decimal) problems.push(`El campo ${label} debe ser un número positivo con máximo 6 decimales.`);
  return decimal ?? { text: '0', micro: 0n, decimals: 0 };
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
