export type Tono = 'neutro' | 'aviso' | 'mal' | 'ok';
/** The clock of a thing, as people read it. */
export type Reloj = { texto: string; tono: Tono };

export const MINUTO = 60_000;
export const HORA = 60 * MINUTO;
export const DIA = 24 * HORA;

/**
 * Ages of a thing without a date of its own, in ms: from `aviso` on it is marked, from `mal` on it is late. A thing with a date of its own is marked
 * when no more than `queda` is left, however short its time was.
 */
export type Plazos = { aviso: number; mal: number; queda?: number };
type Plazo = { desde: Date; vence: Date | null };

/** Returns the instant from which a thing is late, in ms: the most urgent thing has the least. */
export function limiteOf({ desde, vence }: Plazo, { mal }: Plazos): number {
  return vence?.getTime() ?? desde.getTime() + mal;
}

/** Tells whether a thing is late. */
export const isTarde = (plazo: Plazo, plazos: Plazos, ahora: Date) => limiteOf(plazo, plazos) <= ahora.getTime();

/** Returns the clock of a thing: the time left until its date, or its age where it has none. */
export function relojOf({ desde, vence, dice }: Plazo & { dice?: Reloj }, plazos: Plazos, ahora: Date): Reloj {
  if (dice) return dice;
  const age = ahora.getTime() - desde.getTime();
  if (!vence) {
    const tono = age >= plazos.mal ? 'mal' : age >= plazos.aviso ? 'aviso' : 'neutro';
    return { texto: `hace ${lapso(age)}`, tono };
  }
  const left = vence.getTime() - ahora.getTime();
  if (left <= 0) return { texto: `Vencido hace ${lapso(-left)}`, tono: 'mal' };
  const whole = vence.getTime() - desde.getTime();
  return {
    texto: `${quedan(left)} ${lapso(left)}`,
    tono: left * 4 > whole && left > (plazos.queda ?? 0) ? 'neutro' : 'aviso',
  };
}

const quedan = (ms: number) => (lapso(ms).startsWith('1 ') ? 'queda' : 'quedan');

/** Text of a span in the largest unit that it fills: '22 min', '5 h', '8 días'. */
function lapso(ms: number): string {
  if (ms < HORA) return `${Math.max(1, Math.floor(ms / MINUTO))} min`;
  // Spans up to two days are read in hours, as the deadlines of a day or two are.
  if (ms < 2 * DIA) return `${Math.floor(ms / HORA)} h`;
  return `${Math.floor(ms / DIA)} días`;
}
