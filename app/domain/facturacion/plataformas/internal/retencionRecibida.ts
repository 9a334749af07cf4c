import { z } from 'zod';
import { enPesos } from '~/core/importe';
import { Money } from '~/core/money';
import { isRfc } from '~/core/rfc';
import { isStorable } from '~/core/text';
import { addDays, civilDay, instantOf, isCivilDay, nombreOfMes } from '~/core/time';
import type { RetencionXml } from '~/integrations/sat/retencionXml.server';

/** What a platform withheld and told of one period, as far as we use it. Amounts are in pesos and cents. */
export type RetencionRecibida = {
  uuid: string;
  emisor: { rfc: string; nombre: string };
  receptorRfc: string;
  emitidoEn: Date;
  /** First and last month of the period, 'YYYY-MM'. */
  desde: string;
  mes: string;
  servicios: number;
  sinIva: Money;
  iva: Money;
  isrRetenido: Money;
  ivaRetenido: Money;
  retenido: Money;
  usoPlataforma: Money;
  /** Part of `sinIva` and its IVA that rows with a date outside the period bring. */
  otroMes: Money;
  /** Sums of the document that do not come to what it says, in sentences. */
  observaciones: string[];
  /** UUID of the document that this one replaces. */
  sustituye: string | null;
};

/** Key of platforms in c_CveRetenc. */
const PLATAFORMAS = '26';
/** First year of the complement, and the days that the issuer's clock may run ahead of ours. */
const DESDE = '2019-01-01';
const DIAS_ADELANTE = 3;
const MAX_PESOS = Money.of('999999999999.99');
const [ISR, IVA] = ['001', '002'];

const UUID = /^[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}$/;
/** Version 1.0 writes the offset of the place; it is left out, as 2.0 leaves it. */
const FECHA = /^(\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.\d{1,6})?(?:Z|[+-]\d{2}:\d{2})?$/;
const IMPORTES = 'Tiene importes que no se pueden leer.';
const PERIODO = 'Su periodo no se puede leer.';

const importe = z
  .string()
  .regex(/^\d{1,12}(?:\.\d{1,6})?$/, IMPORTES)
  .transform(Money.of)
  .refine((one) => one.compare(MAX_PESOS) <= 0, IMPORTES);
const mesDelAnio = z.string().regex(/^(0?[1-9]|1[0-2])$/, PERIODO);

/** Schema for the result of `readRetencionXml`. The message of each issue is the reason that people read. */
export const retencionRecibida = (now: Date) =>
  z
    .object({
      uuid: z.string().regex(UUID, 'Su UUID no es válido.'),
      fecha: z.string().regex(FECHA, 'Su fecha no se puede leer.'),
      clave: z.literal(PLATAFORMAS, 'No es de plataformas tecnológicas: su clave de retención no es 26.'),
      emisor: z.object({
        rfc: z.string().refine(isRfc, 'El RFC de su emisor no es válido.'),
        nombre: z
          .string()
          .refine((text) => text.length <= 300 && isStorable(text), 'El nombre de su emisor no se puede leer.'),
      }),
      receptorRfc: z.string().refine((rfc) => rfc === '' || isRfc(rfc), 'El RFC de su receptor no es válido.'),
      periodo: z.object({ mesIni: mesDelAnio, mesFin: mesDelAnio, ejercicio: z.string().regex(/^20\d{2}$/, PERIODO) }),
      totales: z.object({ operacion: importe, gravado: importe, exento: importe, retenido: importe }),
      retenidos: z.array(z.object({ impuesto: z.string(), monto: importe })),
      sustituye: z.union([z.literal(''), z.string().regex(UUID, 'El UUID que sustituye no es válido.')]),
      plataforma: z.object({
        numServ: z.string().regex(/^\d{1,7}$/, 'Su número de servicios no se puede leer.'),
        sinIva: importe,
        ivaTrasladado: importe,
        ivaRetenido: importe,
        isrRetenido: importe,
        // It may be below zero where more was withheld than charged.
        difIva: z
          .string()
          .regex(/^-?\d{1,12}(?:\.\d{1,6})?$/, IMPORTES)
          .transform(Money.of),
        usoPlataforma: importe,
        servicios: z.array(
          z.object({
            fecha: z.string().refine((dia) => isCivilDay(dia.slice(0, 10)), 'Tiene fechas que no se pueden leer.'),
            tipo: z.string(),
            precioSinIva: importe,
            iva: importe,
            comision: importe,
          }),
        ),
      }),
    } satisfies Partial<Record<keyof RetencionXml, z.ZodType>>)
    .transform((xml, ctx): RetencionRecibida => {
      const refuse = (message: string) => {
        ctx.addIssue({ code: 'custom', message });
        return z.NEVER;
      };
      const local = FECHA.exec(xml.fecha)![1]!;
      const dia = local.slice(0, 10);
      const hasta = addDays(civilDay(now), DIAS_ADELANTE);
      if (!isCivilDay(dia) || dia < DESDE || dia > hasta)
        return refuse(`Su fecha (${dia}) no está entre ${DESDE} y ${hasta}.`);
      const { ejercicio, mesIni, mesFin } = xml.periodo;
      const mesDe = (mes: string) => `${ejercicio}-${mes.padStart(2, '0')}`;
      const [desde, mes] = [mesDe(mesIni), mesDe(mesFin)];
      if (desde > mes || mes > hasta.slice(0, 7)) return refuse(PERIODO);
      const { plataforma, totales, retenidos } = xml;
      const fuera = plataforma.servicios.filter(({ fecha }) => fecha.slice(0, 7) < desde || fecha.slice(0, 7) > mes);
      const delImpuesto = (clave: string) => retenidos.filter(({ impuesto }) => impuesto === clave);
      const retenidoDe = (clave: string, dicho: Money) =>
        retenidos.length > 0 ? sumOf(delImpuesto(clave).map(({ monto }) => monto)) : dicho;
      return {
        uuid: xml.uuid,
        emisor: xml.emisor,
        receptorRfc: xml.receptorRfc,
        emitidoEn: instantOf(local),
        desde,
        mes,
        servicios: plataforma.servicios.length,
        sinIva: plataforma.sinIva.cents(),
        iva: plataforma.ivaTrasladado.cents(),
        isrRetenido: retenidoDe(ISR!, plataforma.isrRetenido).cents(),
        ivaRetenido: retenidoDe(IVA!, plataforma.ivaRetenido).cents(),
        retenido: totales.retenido.cents(),
        usoPlataforma: plataforma.usoPlataforma.cents(),
        otroMes: sumOf(fuera.flatMap(({ precioSinIva, iva }) => [precioSinIva, iva])).cents(),
        observaciones: observacionesOf(xml, { desde, mes, fuera: fuera.length }),
        sustituye: xml.sustituye === '' || xml.sustituye === xml.uuid ? null : xml.sustituye,
      };
    });

/** The amounts of a document, read. */
type Leida = {
  totales: Record<'operacion' | 'gravado' | 'exento' | 'retenido', Money>;
  retenidos: { impuesto: string; monto: Money }[];
  plataforma: Record<'sinIva' | 'ivaTrasladado' | 'ivaRetenido' | 'isrRetenido' | 'difIva' | 'usoPlataforma', Money> & {
    numServ: string;
    servicios: { precioSinIva: Money; iva: Money; comision: Money }[];
  };
};

const sumOf = (amounts: readonly Money[]) => Money.sum(amounts);
const pesos = (amount: Money) =>
  amount.isNegative() ? `-${enPesos(Money.zero.minus(amount).toFixed(2))}` : enPesos(amount.toFixed(2));

/** Returns which sums of a document do not come to what it says: a PAC's rules of version 1.0. The base of a withheld IVA may be the IVA, so no base is looked at. */
function observacionesOf(
  { totales, retenidos, plataforma }: Leida,
  { desde, mes, fuera }: { desde: string; mes: string; fuera: number },
): string[] {
  const { servicios } = plataforma;
  const dichas: string[] = [];
  const igual = (que: string, dice: Money, contra: string, suma: Money) => {
    if (!dice.cents().equals(suma.cents())) dichas.push(`${que}: ${pesos(dice)}, y ${contra} ${pesos(suma)}.`);
  };
  const precios = sumOf(servicios.map(({ precioSinIva }) => precioSinIva));
  igual('Operaciones del total', totales.operacion, 'el complemento dice', plataforma.sinIva);
  igual('Operaciones sin IVA', plataforma.sinIva, 'sus servicios suman', precios);
  igual('Monto gravado', totales.gravado, 'sus operaciones son', totales.operacion);
  if (!totales.exento.isZero()) dichas.push(`Dice ${pesos(totales.exento)} exentos.`);
  igual('Total retenido', totales.retenido, 'sus impuestos suman', sumOf(retenidos.map(({ monto }) => monto)));
  for (const [clave, nombre, delComplemento] of [
    [ISR, 'ISR retenido', plataforma.isrRetenido],
    [IVA, 'IVA retenido', plataforma.ivaRetenido],
  ] as const) {
    const suyos = retenidos.filter(({ impuesto }) => impuesto === clave);
    if (suyos.length > 1) dichas.push(`${nombre} viene ${suyos.length} veces.`);
    igual(nombre, sumOf(suyos.map(({ monto }) => monto)), 'el complemento dice', delComplemento);
  }
  igual('IVA trasladado', plataforma.ivaTrasladado, 'sus servicios suman', sumOf(servicios.map(({ iva }) => iva)));
  igual(
    'IVA entregado',
    plataforma.difIva,
    'trasladado menos retenido es',
    plataforma.ivaTrasladado.minus(plataforma.ivaRetenido),
  );
  igual(
    'Uso de la plataforma',
    plataforma.usoPlataforma,
    'las comisiones suman',
    sumOf(servicios.map(({ comision }) => comision)),
  );
  if (Number(plataforma.numServ) !== servicios.length)
    dichas.push(`Dice ${Number(plataforma.numServ)} servicios y trae ${servicios.length}.`);
  if (desde !== mes) dichas.push(`Cubre de ${nombreOfMes(desde)} a ${nombreOfMes(mes)}.`);
  if (fuera > 0)
    dichas.push(`${fuera} ${fuera === 1 ? 'servicio tiene' : 'servicios tienen'} fecha fuera de su periodo.`);
  return dichas;
}
