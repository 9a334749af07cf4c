/** Pictures of pieces: a figure for each category, in a tone of each brand, drawn in squares of eight points. */
import { pieza } from '../world/catalogo';
import type { Categoria } from '../world/tienda';

export type Color = readonly [red: number, green: number, blue: number];
/** The colour at a point, whose coordinates go from 0 to 1. */
export type Figura = (x: number, y: number) => Color;

const PAPEL: Color = [244, 245, 247];
const OSCURO: Color = [52, 58, 64];
const CLARO: Color = [206, 212, 218];
const TONOS: readonly Color[] = [
  [25, 113, 194],
  [224, 49, 49],
  [47, 158, 68],
  [232, 89, 12],
  [95, 61, 196],
  [9, 146, 104],
];

type Parte = (x: number, y: number) => boolean;
const box =
  (left: number, top: number, right: number, bottom: number): Parte =>
  (x, y) =>
    x >= left && x <= right && y >= top && y <= bottom;
const disc =
  (cx: number, cy: number, radius: number): Parte =>
  (x, y) =>
    Math.hypot(x - cx, y - cy) <= radius;
const ring =
  (cx: number, cy: number, outer: number, inner: number): Parte =>
  (x, y) =>
    disc(cx, cy, outer)(x, y) && !disc(cx, cy, inner)(x, y);
const row = (many: number, part: (at: number) => Parte): Parte => {
  const parts = Array.from({ length: many }, (_, at) => part(at));
  return (x, y) => parts.some((one) => one(x, y));
};

type Capa = [part: Parte, color: Color | 'tono'];
/** Parts of a figure, the lowest first. */
const FIGURAS: Readonly<Record<Categoria, readonly Capa[]>> = {
  CAMARAS: [
    [box(0.16, 0.36, 0.74, 0.62), CLARO],
    [box(0.16, 0.36, 0.74, 0.41), 'tono'],
    [disc(0.74, 0.49, 0.15), OSCURO],
    [disc(0.74, 0.49, 0.08), 'tono'],
    [box(0.3, 0.62, 0.38, 0.8), OSCURO],
    [box(0.2, 0.8, 0.48, 0.85), OSCURO],
  ],
  GRABADORES: [
    [box(0.12, 0.38, 0.88, 0.64), OSCURO],
    [box(0.12, 0.38, 0.88, 0.43), 'tono'],
    [row(4, (at) => disc(0.2 + at * 0.06, 0.55, 0.016)), CLARO],
    [disc(0.8, 0.54, 0.05), CLARO],
  ],
  REDES: [
    [box(0.1, 0.44, 0.9, 0.64), OSCURO],
    [box(0.1, 0.44, 0.9, 0.48), 'tono'],
    [row(8, (at) => box(0.16 + at * 0.088, 0.53, 0.22 + at * 0.088, 0.6)), CLARO],
    [row(2, (at) => box(0.2 + at * 0.56, 0.2, 0.23 + at * 0.56, 0.44)), OSCURO],
  ],
  CABLES: [
    [ring(0.48, 0.48, 0.32, 0.2), 'tono'],
    [ring(0.48, 0.48, 0.27, 0.25), OSCURO],
    [box(0.74, 0.62, 0.8, 0.8), 'tono'],
    [box(0.71, 0.78, 0.83, 0.9), CLARO],
  ],
  ENERGIA: [
    [box(0.32, 0.14, 0.68, 0.86), OSCURO],
    [box(0.38, 0.22, 0.62, 0.36), 'tono'],
    [row(3, (at) => box(0.38, 0.5 + at * 0.09, 0.62, 0.55 + at * 0.09)), CLARO],
  ],
  GABINETES: [
    [box(0.24, 0.1, 0.76, 0.9), OSCURO],
    [box(0.29, 0.15, 0.71, 0.85), CLARO],
    [row(5, (at) => box(0.32, 0.2 + at * 0.13, 0.68, 0.27 + at * 0.13)), 'tono'],
  ],
  ACCESO: [
    [box(0.34, 0.12, 0.66, 0.88), OSCURO],
    [box(0.38, 0.17, 0.62, 0.44), 'tono'],
    [disc(0.5, 0.3, 0.07), CLARO],
    [disc(0.5, 0.66, 0.1), CLARO],
    [ring(0.5, 0.66, 0.07, 0.04), 'tono'],
  ],
};

/** Returns the figure of a piece. */
export function figuraOf(n: number): Figura {
  const { categoria, marca } = pieza(n);
  const tono = TONOS[[...marca].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % TONOS.length]!;
  return (x, y) => {
    const color = FIGURAS[categoria].findLast(([part]) => part(x, y))?.[1] ?? PAPEL;
    return color === 'tono' ? tono : color;
  };
}
