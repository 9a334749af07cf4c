import { writeCount } from '~/core/count';
import type { CifrasDelDia } from '~/domain/cierre/reportes/cifrasDelDia.server';
import { formatFecha } from '~/ui/Fecha';
import { formatPesos } from '~/ui/Pesos';

/** The figures of a day in words, and their drawings as SVG paths: the server writes all of it. */
export type CifrasDichas = {
  /** The day of before, as dd/mm. */
  dia: string;
  cifras: { nombre: string; hoy: string; nota: string; antes: string }[];
  dibujos: Dibujo[];
};
/** A figure by hour: the bars of both days, the line of zero where something hangs below it, and all of it in words. */
export type Dibujo = { nombre: string; hoy: string; antes: string; cero: string; dicho: string };

type Cifras = CifrasDelDia['hoy'];
type Hora = CifrasDelDia['porHora']['hoy'][number];

type Cifra = {
  nombre: string;
  valor: (cifras: Cifras) => number | null;
  texto: (cifras: Cifras) => string;
  nota?: (cifras: Cifras) => string;
};

/** An amount that may be estimated (≈) or unknown (—). */
const pesosOf = (importe: string | null, estimado: boolean) =>
  importe === null ? '—' : `${estimado ? '≈ ' : ''}${formatPesos(importe)}`;

const CIFRAS: readonly Cifra[] = [
  { nombre: 'Ventas', valor: ({ ventas }) => ventas, texto: ({ ventas }) => writeCount(ventas) },
  {
    nombre: 'Vendido',
    valor: ({ vendido }) => Number(vendido),
    texto: ({ vendido }) => formatPesos(vendido.toFixed(2)),
  },
  {
    nombre: 'Utilidad',
    valor: ({ utilidad }) => (utilidad === null ? null : Number(utilidad)),
    texto: ({ utilidad, estimadas }) => pesosOf(utilidad?.toFixed(2) ?? null, estimadas > 0),
    nota: ({ ventas, sinSaber }) =>
      sinSaber === 0
        ? ''
        : sinSaber === ventas
          ? ' todavía no se sabe'
          : ` de ${writeCount(ventas - sinSaber)} de ${writeCount(ventas)} ventas`,
  },
  { nombre: 'Facturas', valor: ({ facturas }) => facturas, texto: ({ facturas }) => writeCount(facturas) },
  { nombre: 'Canceladas', valor: ({ canceladas }) => canceladas, texto: ({ canceladas }) => writeCount(canceladas) },
];

/** Returns the figures of a day as people read them. */
export function cifrasDichas({ hoy, antes, diaDeAntes, porHora }: CifrasDelDia): CifrasDichas {
  const dia = formatFecha(diaDeAntes).slice(0, 5);
  const horas = { ...porHora, dia };
  // Hours of which nothing is known, or nothing is left, have no bar: a drawing of them alone would be empty.
  const hasBars = [...porHora.hoy, ...porHora.antes].some(({ utilidad }) => Number(utilidad) !== 0);
  return {
    dia,
    cifras: CIFRAS.map(({ nombre, valor, texto, nota = () => '' }) => ({
      nombre,
      hoy: texto(hoy),
      nota: nota(hoy),
      antes: texto(antes) + cambio(valor(hoy), valor(antes)) + nota(antes),
    })),
    dibujos: [
      dibujoOf(
        'Ordenes',
        horas,
        ({ ordenes }) => ordenes,
        ({ ordenes }) => writeCount(ordenes),
      ),
      ...(hasBars
        ? [
            dibujoOf(
              'Utilidad',
              horas,
              ({ utilidad }) => Number(utilidad),
              ({ utilidad, estimada }) => pesosOf(utilidad, estimada),
            ),
          ]
        : []),
    ],
  };
}

/** Returns the change in per cent; none is told where the earlier figure is close to nothing. */
function cambio(hoy: number | null, antes: number | null): string {
  if (hoy === null || antes === null || antes === 0 || hoy === antes) return '';
  const percent = Math.round((100 * (hoy - antes)) / Math.abs(antes));
  return Math.abs(percent) > MOST_PERCENT ? '' : ` (${percent > 0 ? '+' : ''}${percent} %)`;
}

const MOST_PERCENT = 300;
/** The width of an hour and the height of a drawing, in its own units: 240 by 64. */
const [ANCHO, ALTO] = [10, 64];

type Horas = { hoy: readonly Hora[]; antes: readonly Hora[]; dia: string };

/** Draws a figure by hour. What is below zero hangs from the line. */
function dibujoOf(
  nombre: string,
  { hoy, antes, dia }: Horas,
  valor: (hora: Hora) => number,
  texto: (hora: Hora) => string,
): Dibujo {
  const valores = [...hoy, ...antes].map(valor);
  const [most, least] = [Math.max(1, ...valores), Math.min(0, ...valores)];
  const px = (n: number) => Math.round((n / (most - least)) * ALTO);
  const linea = px(most);
  const barras = (horas: readonly Hora[], from: number, wide: number) =>
    horas
      .map((una, hour) => {
        const high = px(valor(una));
        return high === 0 ? '' : `M${hour * ANCHO + from} ${linea}v${-high}h${wide}v${high}z`;
      })
      .join('');
  const dichas = (horas: readonly Hora[]) =>
    horas.flatMap((una, hour) => (una.ordenes > 0 ? `a las ${hour}, ${texto(una)}` : [])).join('; ') || 'ninguna';
  return {
    nombre,
    hoy: barras(hoy, 2, 5),
    antes: barras(antes, 0, 9),
    cero: least < 0 ? `M0 ${linea}h${24 * ANCHO}` : '',
    dicho: `${nombre} por hora. Hoy: ${dichas(hoy)}. El ${dia}: ${dichas(antes)}.`,
  };
}
