export type Tono = 'neutro' | 'aviso' | 'mal' | 'ok';
export type Reloj = { texto: string; tono: Tono };

export const MINUTO = 60_000;
export const HORA = 60 * MINUTO;
export const DIA = 24 * HORA;

/**
 * From which age on a thing without a day of its own is looked at twice, and late. `queda`: of one with a day of its own, with how little left of it it is looked at,
 * however short its time was.
 */
export type Plazos = { aviso: number; mal: number; queda?: number };
type Plazo = { desde: Date; vence: Date | null };

/** When a thing is late: what is the most urgent has the least. */
export function limiteOf({ desde, vence }: Plazo, { mal }: Plazos): number {
  return vence?.getTime() ?? desde.getTime() + mal;
}

export const isTarde = (plazo: Plazo, plazos: Plazos, ahora: Date) => limiteOf(plazo, plazos) <= ahora.getTime();

/** The clock of a thing: with a day of its own, what is left of it; without one, how old it is. */
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

/** '22 min', '5 h', '8 días': in the largest unit that it fills. */
function lapso(ms: number): string {
  if (ms < HORA) return `${Math.max(1, Math.floor(ms / MINUTO))} min`;
  // Two days of hours are still read as hours: that is what a sale in preparation is held to.
  if (ms < 2 * DIA) return `${Math.floor(ms / HORA)} h`;
  return `${Math.floor(ms / DIA)} días`;
}
