/** A CFDI before it is sealed: the request, completed with the data that factura.com fills in, and its sums. */
import { divideRounding, MICRO, ofMicro, round2, sumMicro, type Decimal } from './decimals';

export interface Impuesto {
  base: Decimal;
  impuesto: string;
  tipoFactor: string;
  tasa?: Decimal;
  importe?: Decimal;
}

export interface Concepto {
  claveProdServ: string;
  noIdentificacion?: string;
  cantidad: Decimal;
  claveUnidad: string;
  unidad?: string;
  descripcion: string;
  valorUnitario: Decimal;
  importe: Decimal;
  descuento?: Decimal;
  objetoImp: string;
  /** Undefined when no `Impuestos` node was sent. */
  impuestos?: { traslados: Impuesto[]; retenciones: Impuesto[] };
}

export interface Relacion {
  tipo: string;
  uuids: string[];
}

export interface Documento {
  serie: string;
  folio: number;
  fecha: string;
  tipo: 'I' | 'E';
  tipoDocumento: string;
  formaPago: string;
  metodoPago: string;
  condicionesDePago?: string;
  moneda: string;
  lugarExpedicion: string;
  informacionGlobal?: { periodicidad: string; meses: string; anio: string };
  relaciones: Relacion[];
  emisor: { rfc: string; nombre: string; regimen: string };
  receptor: { rfc: string; nombre: string; cp: string; regimen: string; usoCfdi: string };
  conceptos: Concepto[];
}

/** One tax of the whole document: the sum of all concepts with the same kind, factor and rate. */
export interface Grupo {
  impuesto: string;
  tipoFactor: string;
  tasa?: Decimal;
  base: Decimal;
  importe?: Decimal;
}

export interface Sumas {
  subTotal: Decimal;
  descuento?: Decimal;
  traslados: Grupo[];
  retenciones: { impuesto: string; importe: Decimal }[];
  totalTraslados?: Decimal;
  totalRetenciones?: Decimal;
  total: Decimal;
}

const cents = (micro: bigint) => ofMicro(micro, 2);

/** Cantidad times ValorUnitario, with six decimals. It stands for an Importe that the request does not bring. */
export function multiply(cantidad: Decimal, valorUnitario: Decimal): Decimal {
  return ofMicro(divideRounding(cantidad.micro * valorUnitario.micro, MICRO));
}

export function sumasOf(conceptos: Concepto[]): Sumas {
  const subTotal = round2(sumMicro(conceptos.map(({ importe }) => importe)));
  const descuentos = conceptos.flatMap(({ descuento }) => descuento ?? []);
  const descuento = round2(sumMicro(descuentos));
  const traslados = groupsOf(conceptos.flatMap(({ impuestos }) => impuestos?.traslados ?? []));
  const retenciones = groupsOf(conceptos.flatMap(({ impuestos }) => impuestos?.retenciones ?? []));
  const conImporte = traslados.flatMap(({ importe }) => importe ?? []);
  const totalTraslados = sumMicro(conImporte);
  const totalRetenciones = sumMicro(retenciones.flatMap(({ importe }) => importe ?? []));
  return {
    subTotal: cents(subTotal),
    descuento: descuentos.length > 0 ? cents(descuento) : undefined,
    traslados,
    retenciones: retencionesByImpuesto(retenciones),
    totalTraslados: conImporte.length > 0 ? cents(totalTraslados) : undefined,
    totalRetenciones: retenciones.length > 0 ? cents(totalRetenciones) : undefined,
    total: cents(subTotal - descuento + totalTraslados - totalRetenciones),
  };
}

function groupsOf(impuestos: Impuesto[]): Grupo[] {
  const groups = new Map<string, Impuesto[]>();
  for (const impuesto of impuestos) {
    const key = [impuesto.impuesto, impuesto.tipoFactor, impuesto.tasa?.micro ?? ''].join('|');
    groups.set(key, [...(groups.get(key) ?? []), impuesto]);
  }
  return [...groups.values()].flatMap((members) => {
    const [first] = members;
    if (!first) return [];
    const importes = members.flatMap(({ importe }) => importe ?? []);
    return {
      impuesto: first.impuesto,
      tipoFactor: first.tipoFactor,
      tasa: first.tasa,
      base: cents(round2(sumMicro(members.map(({ base }) => base)))),
      importe: importes.length > 0 ? cents(round2(sumMicro(importes))) : undefined,
    };
  });
}

/** Withheld taxes of the document, by tax and without rate. */
function retencionesByImpuesto(groups: Grupo[]): { impuesto: string; importe: Decimal }[] {
  return [...new Set(groups.map(({ impuesto }) => impuesto))].map((impuesto) => ({
    impuesto,
    importe: cents(
      sumMicro(groups.flatMap((group) => (group.impuesto === impuesto && group.importe ? group.importe : []))),
    ),
  }));
}
