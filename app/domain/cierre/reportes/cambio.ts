import { z } from 'zod';
import { Dia } from '~/core/fields';
import { addDays, civilDateTime, civilDay, clockAsUtc, dayRange, daysBetween, instantOf, monthOf } from '~/core/time';
import type { InstantRange } from '~/core/time';

/** Lengths of the periods that are compared. */
const PASOS = ['dia', 'semana', 'mes'] as const;
/** Periods that a period is compared with: the same weekday of the week before, the one before, and that of last year. */
const CONTRAS = ['mismoDia', 'anterior', 'anio'] as const;

/** What is compared with what: the period of a length that holds a day (`el`, today without one), and the one it is held against. */
export const PedidoDeCambio = z.object({
  paso: z.enum(PASOS).default('mes'),
  contra: z.enum(CONTRAS).optional(),
  el: Dia().optional().meta({ description: 'Un día del periodo; sin él, hoy.' }),
});

type Paso = (typeof PASOS)[number];
type Contra = (typeof CONTRAS)[number];
/** A comparison whose every part is chosen. */
export type Comparacion = { paso: Paso; contra: Contra; el: string };

/** A period of whole days, and the instants that are read of it. */
export type Tramo = { desde: string; hasta: string; range: InstantRange };
export type Tramos = {
  ahora: Tramo;
  antes: Tramo;
  /** Whether the later period still runs: each is read as far as the later one has come. */
  enCurso: boolean;
};

/** Days of 52 weeks: a day, or a week, of last year begins on the same weekday. */
const UN_ANIO_DE_SEMANAS = 364;

/** Causes of a change of profit, in the order in which they are told. Together they are the whole change. */
export const CAUSAS = ['precio', 'mezcla', 'comision', 'costo', 'envio'] as const;
export type Causa = (typeof CAUSAS)[number];

/** Returns the comparison that is asked for. A day of the future is today, and only a day has a weekday to be held against. */
export function comparacionOf({ paso, contra, el }: z.output<typeof PedidoDeCambio>, now: Date): Comparacion {
  const hoy = civilDay(now);
  const tiene = contra !== undefined && (contra !== 'mismoDia' || paso === 'dia');
  return { paso, contra: tiene ? contra : paso === 'dia' ? 'mismoDia' : 'anterior', el: el && el < hoy ? el : hoy };
}

/**
 * Returns both periods. A period that still runs is read until now, and the other one until the same day and hour of it, or to its end where it is
 * shorter.
 */
export function tramosOf({ paso, contra, el }: Comparacion, now: Date): Tramos {
  const hoy = civilDay(now);
  const [desde, hasta] = periodoWith(el, paso);
  const [desdeAntes, hastaAntes] = periodoBefore(desde, paso, contra);
  if (hasta < hoy) return { ahora: entero(desde, hasta), antes: entero(desdeAntes, hastaAntes), enCurso: false };
  const corte = addDays(desdeAntes, daysBetween(desde, hoy));
  return {
    ahora: { desde, hasta: hoy, range: { from: dayRange(desde).from, to: now } },
    antes:
      corte > hastaAntes
        ? entero(desdeAntes, hastaAntes)
        : {
            desde: desdeAntes,
            hasta: corte,
            range: { from: dayRange(desdeAntes).from, to: instantOf(`${corte}T${civilDateTime(now).slice(11)}`) },
          },
    enCurso: true,
  };
}

const entero = (desde: string, hasta: string): Tramo => ({ desde, hasta, range: dayRange(desde, hasta) });

/** Returns the first and the last day of the period that holds a day. Weeks begin on Monday. */
function periodoWith(day: string, paso: Paso): [string, string] {
  if (paso === 'dia') return [day, day];
  if (paso === 'mes') {
    const { first, last } = monthOf(dayRange(day).from);
    return [first, last];
  }
  const lunes = addDays(day, -((clockAsUtc(day).getUTCDay() + 6) % 7));
  return [lunes, addDays(lunes, 6)];
}

/** Returns the first and the last day of the period that one is compared with. */
function periodoBefore(desde: string, paso: Paso, contra: Contra): [string, string] {
  if (paso === 'mes')
    return periodoWith(
      contra === 'anio' ? `${Number(desde.slice(0, 4)) - 1}${desde.slice(4)}` : addDays(desde, -1),
      'mes',
    );
  if (contra === 'anio') return periodoWith(addDays(desde, -UN_ANIO_DE_SEMANAS), paso);
  return periodoWith(addDays(desde, paso === 'dia' && contra === 'anterior' ? -1 : -7), paso);
}
