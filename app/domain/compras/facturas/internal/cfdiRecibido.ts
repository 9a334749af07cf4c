import { z } from 'zod';
import { Money } from '~/core/money';
import { isRfc } from '~/core/rfc';
import { isStorable } from '~/core/text';
import { addDays, civilDay, instantOf, isCivilDay } from '~/core/time';
import type { MetodoDePago } from '~db/columns';
import type { Linea } from './distribute';
import { impuestosOf, MAX_PESOS, type Impuestos } from './impuestos';

/** A supplier's invoice (I) or credit note (E) as far as we use it. Amounts are in pesos, and every value fits its column and screen. */
export type CfdiRecibido = {
  tipo: 'I' | 'E';
  uuid: string;
  emisor: { rfc: string; nombre: string };
  receptorRfc: string;
  folio: string;
  fecha: Date;
  total: Money;
  metodoPago: MetodoDePago;
  /** Why a note names other documents (c_TipoRelacion), and their UUID; none of an invoice. */
  tipoRelacion: string | null;
  relacionados: string[];
  conceptos: Linea[];
  /** Its taxes by rate, or the reason why they are not told. */
  impuestos: Impuestos | { motivo: string };
};

/** Largest number of lines. Each line is compared with hundreds of sales whenever the screen opens. */
export const MAX_CONCEPTOS = 2_000;
/** Documents that one note may name. */
const MAX_RELACIONADOS = 500;
/** First day of CFDI, and the days that the issuer's clock may run ahead of ours. */
const DESDE = '2011-01-01';
const DIAS_ADELANTE = 3;
/** Largest rate of exchange, in pesos: no currency of c_Moneda is worth more. */
const MAX_CAMBIO = Money.of('1000');

/** UUID in upper case, as our tables keep them. */
export const UUID = /^[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}$/;
const FECHA = /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;
const IMPORTES = 'Tiene importes que no se pueden leer.';

/** A text within the length of the SAT's XSD, counted in characters and not in UTF-16 units. */
export const texto = (nombre: string, max: number) =>
  z
    .string()
    .refine((text) => [...text].length <= max, `${nombre} tiene más de ${max} caracteres.`)
    .refine(isStorable, `${nombre} tiene caracteres que no se pueden leer.`);

/** An amount of the SAT's type t_Importe, as far as our columns go. */
export const importe = z.string().regex(/^\d{1,12}(?:\.\d{1,6})?$/, IMPORTES);
/** A decimal of xs:decimal, which may also be written as .5 or 2. */
const decimal = (mensaje: string) =>
  z
    .string()
    .regex(/^(?=\.?\d)\d{0,12}(?:\.\d{0,6})?$/, mensaje)
    .transform((text) => text.replace(/^(?=\.)/, '0').replace(/\.$/, ''))
    .refine((text) => !Money.of(text).isZero(), mensaje);
export const rfc = (nombre: string) => z.string().refine(isRfc, `El RFC de su ${nombre} no es válido.`);

export const fecha = (now: Date) =>
  z.string().superRefine((text, ctx) => {
    const dia = FECHA.exec(text)?.[1];
    const hasta = addDays(civilDay(now), DIAS_ADELANTE);
    if (dia === undefined || !isCivilDay(dia)) ctx.addIssue({ code: 'custom', message: 'Su fecha no se puede leer.' });
    else if (dia < DESDE || dia > hasta)
      ctx.addIssue({ code: 'custom', message: `Su fecha (${dia}) no está entre ${DESDE} y ${hasta}.` });
  });

/** Schema for the result of `readCfdiXml`. The message of each issue is the reason that people read. */
export const cfdiRecibido = (now: Date) =>
  z
    .object({
      uuid: z.string().regex(UUID, 'Su UUID no es válido.'),
      tipo: z.enum(['I', 'E'], 'No es una factura, una nota de crédito ni un complemento de pago.'),
      fecha: fecha(now),
      serie: texto('La serie', 25),
      folio: texto('El folio', 40),
      moneda: z.string().regex(/^[A-Z]{3}$/, 'Su moneda no es válida.'),
      tipoCambio: z.string(),
      metodoPago: z.string(),
      total: importe,
      relacionados: z.array(z.object({ tipoRelacion: z.string(), uuids: z.array(z.string()) })),
      lugarExpedicion: z.string(),
      emisor: z.object({ rfc: rfc('emisor'), nombre: texto('El nombre del emisor', 300) }),
      receptor: z.object({ rfc: rfc('receptor') }),
      conceptos: z
        .array(
          z.object({
            noIdentificacion: texto('El número de identificación de un concepto', 100),
            descripcion: texto('La descripción de un concepto', 1_000),
            cantidad: decimal('Tiene cantidades que no se pueden leer.'),
            importe,
            descuento: importe,
            objetoImp: z.string(),
            traslados: z.array(
              z.object({ importe, base: z.string(), impuesto: z.string(), tipoFactor: z.string(), tasa: z.string() }),
            ),
            retenciones: z.array(z.object({ importe, impuesto: z.string() })),
          }),
        )
        .min(1, 'No tiene conceptos.')
        .max(MAX_CONCEPTOS, `Tiene más de ${MAX_CONCEPTOS} conceptos.`),
    })
    .transform((xml, ctx): CfdiRecibido => {
      const refuse = (message: string) => {
        ctx.addIssue({ code: 'custom', message });
        return z.NEVER;
      };
      const cambio = cambioOf(xml.moneda, xml.tipoCambio);
      if (typeof cambio === 'string') return refuse(cambio);
      const inPesos = (amount: Money) => Money.ofMicros((amount.micros * cambio.micros) / 1_000_000n);
      const total = inPesos(Money.of(xml.total)).cents();
      const sumOf = (some: { importe: string }[]) => Money.sum(some.map((one) => Money.of(one.importe)));
      const conceptos = xml.conceptos.map((concepto) => ({
        clave: concepto.noIdentificacion,
        descripcion: concepto.descripcion,
        cantidad: concepto.cantidad,
        bruto: inPesos(
          sumOf([concepto, ...concepto.traslados])
            .minus(Money.of(concepto.descuento))
            .minus(sumOf(concepto.retenciones)),
        ),
      }));
      if ([total, ...conceptos.map(({ bruto }) => bruto)].some((one) => one.isNegative() || one.compare(MAX_PESOS) > 0))
        return refuse(IMPORTES);
      const esNota = xml.tipo === 'E';
      if (esNota && total.isZero()) return refuse('Es una nota de crédito de cero pesos.');
      const relacionados = esNota ? [...new Set(xml.relacionados.flatMap(({ uuids }) => uuids))] : [];
      if (relacionados.length > MAX_RELACIONADOS || relacionados.some((uuid) => !UUID.test(uuid)))
        return refuse('No se puede leer de qué facturas es.');
      return {
        tipo: xml.tipo,
        metodoPago: metodoOf(xml.metodoPago),
        tipoRelacion: esNota ? (xml.relacionados[0]?.tipoRelacion ?? null) : null,
        relacionados,
        uuid: xml.uuid,
        emisor: xml.emisor,
        receptorRfc: xml.receptor.rfc,
        folio: folioOf(xml),
        fecha: instantOf(xml.fecha),
        total,
        impuestos: impuestosOf({ ...xml, lugar: xml.lugarExpedicion }, inPesos),
        conceptos: conceptos.map((concepto) => ({ ...concepto, bruto: concepto.bruto.toFixed(6) })),
      };
    });

/** The folio of a document as people write it; the first part of its UUID where it has none. */
export const folioOf = ({ serie, folio, uuid }: { serie: string; folio: string; uuid: string }): string =>
  `${serie}${folio}`.trim() || uuid.slice(0, 8);

const metodoOf = (texto: string): MetodoDePago => (texto === 'PUE' || texto === 'PPD' ? texto : 'sinDecir');

/** The taxes of a document as its row keeps them. */
export const columnsOfImpuestos = (impuestos: CfdiRecibido['impuestos']) =>
  'motivo' in impuestos ? { sinImpuestos: impuestos.motivo } : impuestos;

/** Returns the pesos of one unit of a currency, or the reason why they are unknown. */
function cambioOf(moneda: string, tipoCambio: string): Money | string {
  if (moneda === 'MXN') return Money.of('1');
  if (tipoCambio === '') return `Está en ${moneda} y no dice su tipo de cambio.`;
  const read = decimal('').safeParse(tipoCambio);
  if (!read.success || Money.of(read.data).compare(MAX_CAMBIO) > 0)
    return `Está en ${moneda} y su tipo de cambio no se puede leer.`;
  return Money.of(read.data);
}
