import { z } from 'zod';
import { Money } from '~/core/money';
import { instantOf } from '~/core/time';
import { fecha, folioOf, importe, rfc, texto, UUID } from './cfdiRecibido';
import { impuestosOf, MAX_PESOS, type Impuestos } from './impuestos';

/** A supplier's payment complement (CFDI of type P) as far as we use it. Amounts are in pesos. */
export type ComplementoRecibido = {
  tipo: 'P';
  uuid: string;
  emisor: { rfc: string; nombre: string };
  receptorRfc: string;
  folio: string;
  fecha: Date;
  /** Sum of what it says was paid. */
  total: Money;
  doctos: DoctoPagado[];
};

/** What a payment paid of one document, as its supplier says it. */
type DoctoPagado = {
  /** Day of the payment, 'YYYY-MM-DD'. */
  fecha: string;
  uuid: string;
  folio: string;
  /** Currency of the document; the amounts here are pesos. */
  moneda: string;
  lugar: string;
  parcialidad: number;
  saldoAnterior: Money;
  pagado: Money;
  insoluto: Money;
  impuestos: Omit<Impuestos, 'lugar'> | { motivo: string };
};

/** Largest number of documents in one complement. */
const MAX_DOCTOS = 2_000;
const ILEGIBLE = 'Su complemento de pago no se puede leer.';
const LUGAR = /^\d{5}$/;

const docto = z.object({
  uuid: z.string().regex(UUID, 'El UUID de una factura pagada no es válido.'),
  serie: texto('La serie de una factura pagada', 25),
  folio: texto('El folio de una factura pagada', 40),
  moneda: z.string().regex(/^[A-Z]{3}$/, ILEGIBLE),
  equivalencia: z.string().regex(/^\d{1,6}(?:\.\d{1,10})?$/, ILEGIBLE),
  parcialidad: z.string().regex(/^[1-9]\d{0,2}$/, ILEGIBLE),
  saldoAnterior: importe,
  pagado: importe,
  insoluto: importe,
  objetoImp: z.string(),
  traslados: z.array(
    z.object({ importe: z.string(), base: z.string(), impuesto: z.string(), tipoFactor: z.string(), tasa: z.string() }),
  ),
  retenciones: z.array(z.object({ importe: z.string(), impuesto: z.string() })),
});

/** Schema for `readCfdiXml` with the `pagos` of `readPagosXml`. The message of each issue is the reason that people read. */
export const complementoRecibido = (now: Date) =>
  z
    .object({
      uuid: z.string().regex(UUID, 'Su UUID no es válido.'),
      tipo: z.literal('P'),
      fecha: fecha(now),
      serie: texto('La serie', 25),
      folio: texto('El folio', 40),
      lugarExpedicion: z.string().regex(LUGAR, 'Su lugar de expedición no se puede leer.'),
      emisor: z.object({ rfc: rfc('emisor'), nombre: texto('El nombre del emisor', 300) }),
      receptor: z.object({ rfc: rfc('receptor') }),
      pagos: z
        .array(
          z.object({
            fecha: fecha(now),
            moneda: z.string().regex(/^[A-Z]{3}$/, ILEGIBLE),
            tipoCambio: z.string().regex(/^(?:\d{1,6}(?:\.\d{1,6})?)?$/, ILEGIBLE),
            doctos: z.array(docto),
          }),
        )
        .refine((pagos) => pagos.some(({ doctos }) => doctos.length > 0), 'No dice qué facturas se pagaron.')
        .refine(
          (pagos) => pagos.flatMap(({ doctos }) => doctos).length <= MAX_DOCTOS,
          `Paga más de ${MAX_DOCTOS} facturas.`,
        ),
    })
    .transform((xml, ctx): ComplementoRecibido => {
      const refuse = (message: string) => {
        ctx.addIssue({ code: 'custom', message });
        return z.NEVER;
      };
      const doctos: DoctoPagado[] = [];
      for (const pago of xml.pagos) {
        if (pago.moneda !== 'MXN' && pago.tipoCambio === '')
          return refuse(`Se pagó en ${pago.moneda} y no dice su tipo de cambio.`);
        for (const one of pago.doctos) {
          const inPesos = enPesosOf(one, pago);
          if (!inPesos) return refuse(ILEGIBLE);
          const pesos = (text: string) => inPesos(Money.of(text)).cents();
          const [saldoAnterior, pagado, insoluto] = [pesos(one.saldoAnterior), pesos(one.pagado), pesos(one.insoluto)];
          if ([saldoAnterior, pagado, insoluto].some((amount) => amount.compare(MAX_PESOS) > 0))
            return refuse(ILEGIBLE);
          doctos.push({
            fecha: pago.fecha.slice(0, 10),
            uuid: one.uuid,
            folio: folioOf(one),
            moneda: one.moneda,
            lugar: xml.lugarExpedicion,
            parcialidad: Number(one.parcialidad),
            saldoAnterior,
            pagado,
            insoluto,
            impuestos: impuestosDeDocto(one, inPesos),
          });
        }
      }
      const total = Money.sum(doctos.map(({ pagado }) => pagado));
      if (total.compare(MAX_PESOS) > 0) return refuse(ILEGIBLE);
      return {
        tipo: xml.tipo,
        uuid: xml.uuid,
        emisor: xml.emisor,
        receptorRfc: xml.receptor.rfc,
        folio: folioOf(xml),
        fecha: instantOf(xml.fecha),
        total,
        doctos,
      };
    });

type Docto = z.output<typeof docto>;

/** Units of an amount with ten decimals, in which equivalences are written. */
const DIEZ = 10_000_000_000n;

/** Returns what turns amounts of a document into pesos: a document in pesos as they are, another by its equivalence and the payment's rate. */
function enPesosOf(
  { moneda, equivalencia }: Docto,
  pago: { moneda: string; tipoCambio: string },
): ((amount: Money) => Money) | undefined {
  if (moneda === 'MXN') return (amount) => amount;
  const [enteros, decimales = ''] = equivalencia.split('.') as [string, string?];
  const escala = BigInt(enteros) * DIEZ + BigInt(decimales.padEnd(10, '0'));
  const cambio = pago.moneda === 'MXN' ? Money.of('1') : Money.of(pago.tipoCambio);
  if (escala === 0n || cambio.isZero()) return undefined;
  return (amount) => Money.ofMicros((amount.micros * cambio.micros * DIEZ) / (escala * 1_000_000n));
}

const NO_OBJETO = '01';

/** The taxes of what was paid of a document. Its bases and taxes have to come to what was paid. */
function impuestosDeDocto(
  { pagado, objetoImp, traslados, retenciones }: Docto,
  inPesos: (amount: Money) => Money,
): DoctoPagado['impuestos'] {
  const deIva = traslados.filter(({ impuesto }) => impuesto === '002');
  const bases = deIva.map(({ base }) => /^\d{1,12}(?:\.\d{1,6})?$/.exec(base)?.[0]);
  if (bases.some((base) => base === undefined)) return { motivo: 'Tiene impuestos que no se pueden leer.' };
  const importe = objetoImp === NO_OBJETO ? pagado : Money.sum(bases.map((base) => Money.of(base!))).toFixed(6);
  const conceptos = [{ importe, descuento: '0', objetoImp, traslados, retenciones }];
  const leidos = impuestosOf({ total: pagado, lugar: '00000', conceptos }, inPesos);
  if ('motivo' in leidos) return leidos;
  const { lugar: _, ...impuestos } = leidos;
  return impuestos;
}
