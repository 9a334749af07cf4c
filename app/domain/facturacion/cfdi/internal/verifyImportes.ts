import { Money } from '~/core/money';

/** The amounts of a concept as text. The SAT's limits depend on the decimals that are written, so the rules read text and not numbers. */
export type ConceptoWritten = {
  cantidad: string;
  valorUnitario: string;
  importe: string;
  base: string;
  tasaIva: string;
  iva: string;
};

export type CfdiWritten = {
  conceptos: ConceptoWritten[];
  subTotal: string;
  traslados: { tasaIva: string; base: string; importe: string }[];
  totalTraslados: string;
  total: string;
};

/** A broken rule. `codigo` is the SAT's number without its prefix; `concepto` counts from 1. */
export type AmountFault = { codigo: string; concepto?: number; texto: string };

const TASAS = new Set(['0.000000', '0.080000', '0.160000']);
const WRITTEN = /^\d{1,18}(?:\.\d{1,6})?$/;

/** The rules of CFDI 4.0 that the amounts break. With none the PAC accepts them under both readings of the limits. */
export function verifyCfdiAmounts(cfdi: CfdiWritten): AmountFault[] {
  const unreadable = unreadableAmounts(cfdi);
  if (unreadable.length > 0) return unreadable;
  return [...cfdi.conceptos.flatMap((concepto, index) => conceptoFaults(concepto, index + 1)), ...sumFaults(cfdi)];
}

function unreadableAmounts(cfdi: CfdiWritten): AmountFault[] {
  const texts = [
    cfdi.subTotal,
    cfdi.totalTraslados,
    cfdi.total,
    ...cfdi.traslados.flatMap((traslado) => [traslado.base, traslado.importe, traslado.tasaIva]),
    ...cfdi.conceptos.flatMap((concepto) => Object.values(concepto)),
  ];
  const wrong = texts.filter((text) => !WRITTEN.test(text));
  return wrong.map((text) => ({ codigo: '301', texto: `«${text}» no es un importe con un máximo de 6 decimales.` }));
}

function conceptoFaults(concepto: ConceptoWritten, number: number): AmountFault[] {
  const faults: AmountFault[] = [];
  const add = (codigo: string, texto: string) =>
    faults.push({ codigo, concepto: number, texto: `Concepto ${number}: ${texto}` });
  if (microsOf(concepto.valorUnitario) === 0n) add('40166', 'el valor unitario debe ser mayor que cero.');
  if (microsOf(concepto.base) === 0n) add('40174', 'la base del impuesto debe ser mayor que cero.');
  if (!TASAS.has(concepto.tasaIva)) add('40179', `la tasa ${concepto.tasaIva} no existe en el catálogo.`);
  if (microsOf(concepto.base) !== microsOf(concepto.importe))
    add('40174', 'la base difiere del importe y no hay descuento.');
  if (faults.length > 0) return faults;
  if (!insideImporteLimits(concepto)) add('40167', 'el importe no corresponde a cantidad × valor unitario.');
  if (!insideIvaLimits(concepto)) add('40180', 'el impuesto no corresponde a base × tasa.');
  return faults;
}

function sumFaults(cfdi: CfdiWritten): AmountFault[] {
  const faults: AmountFault[] = [];
  const add = (codigo: string, texto: string) => faults.push({ codigo, texto });
  const cents = (texts: string[]) => Money.sum(texts.map(moneyOf)).cents().micros;
  for (const [codigo, name, text] of [
    ['40107', 'El subtotal', cfdi.subTotal],
    ['40204', 'El total de impuestos', cfdi.totalTraslados],
    ['40119', 'El total', cfdi.total],
  ] as const)
    if (decimalsOf(text) > 2) add(codigo, `${name} lleva más de 2 decimales.`);
  if (microsOf(cfdi.subTotal) !== cents(cfdi.conceptos.map((concepto) => concepto.importe)))
    add('40108', 'El subtotal no es la suma de los importes.');

  const tasas = new Set(cfdi.conceptos.map((concepto) => concepto.tasaIva));
  if (new Set(cfdi.traslados.map((traslado) => traslado.tasaIva)).size !== cfdi.traslados.length)
    add('40218', 'Una tasa se repite en el resumen de impuestos.');
  if (tasas.size !== cfdi.traslados.length) add('40215', 'El resumen de impuestos no tiene una línea por tasa.');
  for (const { tasaIva, base, importe } of cfdi.traslados) {
    const group = cfdi.conceptos.filter((concepto) => concepto.tasaIva === tasaIva);
    if (decimalsOf(base) > 2) add('40214', `La base de la tasa ${tasaIva} lleva más de 2 decimales.`);
    if (decimalsOf(importe) > 2) add('40220', `El impuesto de la tasa ${tasaIva} lleva más de 2 decimales.`);
    if (microsOf(base) !== cents(group.map((concepto) => concepto.base)))
      add('40215', `La base de la tasa ${tasaIva} no es la suma de las bases.`);
    if (microsOf(importe) !== cents(group.map((concepto) => concepto.iva)))
      add('40221', `El impuesto de la tasa ${tasaIva} no es la suma de los impuestos.`);
  }
  const traslados = Money.sum(cfdi.traslados.map((traslado) => moneyOf(traslado.importe)));
  if (microsOf(cfdi.totalTraslados) !== traslados.micros)
    add('40205', 'El total de impuestos no es la suma de los impuestos.');
  if (microsOf(cfdi.total) !== moneyOf(cfdi.subTotal).plus(moneyOf(cfdi.totalTraslados)).micros)
    add('40119', 'El total no es subtotal más impuestos.');
  return faults;
}

/**
 * Tells whether Importe is inside Anexo 20's limits, with d = 2 (the currency's decimals) and with d = those written: sources disagree, so both must
 * hold.
 */
export function insideImporteLimits({
  cantidad,
  valorUnitario,
  importe,
}: Pick<ConceptoWritten, 'cantidad' | 'valorUnitario' | 'importe'>): boolean {
  const [c, v] = [picosOf(cantidad), picosOf(valorUnitario)];
  const [halfC, halfV] = [halfUnit(cantidad), halfUnit(valorUnitario)];
  const lower = (c - halfC) * (v - halfV);
  const upper = (c + halfC - 1n) * (v + halfV - 1n);
  return bothReadings(
    importe,
    (value, decimals) => value >= lower / 10n ** (24n - decimals) && value <= ceil(upper, 10n ** (24n - decimals)),
  );
}

/** Tells whether the tax is inside Anexo 20's limits, under both readings. */
export function insideIvaLimits({ base, tasaIva, iva }: Pick<ConceptoWritten, 'base' | 'tasaIva' | 'iva'>): boolean {
  const [b, half, tasa] = [picosOf(base), halfUnit(base), microsOf(tasaIva)];
  const lower = (b - half) * tasa;
  const upper = (b + half - 1n) * tasa;
  return bothReadings(
    iva,
    (value, decimals) => value >= lower / 10n ** (18n - decimals) && value <= ceil(upper, 10n ** (18n - decimals)),
  );
}

/** Asks `inside` under both readings, with the amount in units of 10^-decimals. The 2-decimal reading compares the amount unrounded. */
function bothReadings(amount: string, inside: (value: bigint, decimals: bigint) => boolean): boolean {
  const micros = microsOf(amount);
  const own = BigInt(decimalsOf(amount));
  const unit = 10n ** (6n - own);
  const below = micros / 10_000n;
  return inside(micros / unit, own) && (inside(below, 2n) || inside(ceil(micros, 10_000n), 2n));
}

const ceil = (value: bigint, by: bigint) => (value + by - 1n) / by;
const moneyOf = (text: string) => Money.of(text);
const microsOf = (text: string) => Money.of(text).micros;
/** The number in units of 10^-12. */
const picosOf = (text: string) => microsOf(text) * 1_000_000n;
const decimalsOf = (text: string) => text.split('.')[1]?.length ?? 0;
/** Half of the last decimal written, in units of 10^-12. */
const halfUnit = (text: string) => 10n ** BigInt(12 - decimalsOf(text)) / 2n;
