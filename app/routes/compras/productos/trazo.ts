import { toInstant } from '~/core/time';
/** One reading at an instant; null where the reading failed. */
export type Punto = { en: string; valor: number | null };

export const ANCHO = 440;
export const ALTO = 72;
const AIRE = 6;

type Escala = { desde: number; hasta: number; menor: number; mayor: number };

const msOf = (en: string) => toInstant(en).getTime();

/** Returns the path of a line between the least and the greatest value; a single value is a line at half height. */
export function trazo(puntos: Punto[], { desde, hasta, menor, mayor }: Escala): string {
  const x = (en: number) => (hasta > desde ? ((en - desde) / (hasta - desde)) * ANCHO : 0);
  const y = (valor: number) =>
    ALTO - AIRE - (mayor > menor ? (valor - menor) / (mayor - menor) : 0.5) * (ALTO - 2 * AIRE);
  const partes = puntos.map(({ en, valor }, at) => {
    if (valor === null) return '';
    const [begin, end] = [x(msOf(en)), x(at + 1 < puntos.length ? msOf(puntos[at + 1]!.en) : hasta)];
    const joined = at > 0 && puntos[at - 1]!.valor !== null;
    return `${joined ? 'L' : 'M'}${begin.toFixed(1)} ${y(valor).toFixed(1)}H${Math.max(end, begin + (hasta > desde ? 0 : ANCHO)).toFixed(1)}`;
  });
  return partes.join('');
}
