import type { DecisionDeConteo, HallazgoDeConteo, MotivoDeBaja, ParteDelEstante } from '~db/columns';
import { codeIn, ESTADO_LABEL, type EstadoDeStock, mayPass, parseCodigo, parseFolio } from './pieza';

export type { DecisionDeConteo, HallazgoDeConteo, MotivoDeBaja, ParteDelEstante } from '~db/columns';

/** Parts of the shelf. The state of a piece is its place: the database keeps no other, and `stock_estado.en_bodega` has the same four. */
export const PARTES = ['enRevision', 'disponible', 'reservado', 'danado'] as const satisfies readonly ParteDelEstante[];

/** Returns the name of what is counted; null is the whole shelf. */
export const nombreOfParte = (parte: ParteDelEstante | null): string =>
  parte === null ? 'Todo el estante' : ESTADO_LABEL[parte];

/** Returns the states whose pieces a count expects. */
export const estadosOfParte = (parte: ParteDelEstante | null): readonly ParteDelEstante[] =>
  parte === null ? PARTES : [parte];

/** Returns whether a piece in this state is expected by a count. */
export const isInParte = (parte: ParteDelEstante | null, estado: EstadoDeStock): boolean =>
  estadosOfParte(parte).some((suyo) => suyo === estado);

/** Reasons for which a missing piece is written off, in the order that people see. */
export const MOTIVO_LABEL: Readonly<Record<MotivoDeBaja, string>> = {
  extraviada: 'Extraviada',
  robada: 'Robada',
  desechada: 'Se desechó',
  error: 'Se registró por error',
};
export const MOTIVOS = Object.keys(MOTIVO_LABEL) as [MotivoDeBaja, ...MotivoDeBaja[]];

/** Decisions that each finding allows, in the order that people see. */
export const DECISIONES: Readonly<Record<HallazgoDeConteo, readonly DecisionDeConteo[]>> = {
  encontrada: [],
  falta: ['aparecio', 'baja', 'pendiente'],
  fueraDeLugar: ['pasada', 'apartada'],
  fuera: ['pasada', 'apartada'],
  etiqueta: ['apartada'],
};

/** Returns a decision in words; of a button, and of what was decided. */
export function diceDecision(
  { hallazgo, decision }: { hallazgo: HallazgoDeConteo; decision: DecisionDeConteo },
  hecho: { pasaA: ParteDelEstante | null; motivo: MotivoDeBaja | null },
): string {
  switch (decision) {
    case 'pasada':
      return hecho.pasaA === null ? 'Pasó al estante' : `Pasar a ${ESTADO_LABEL[hecho.pasaA]}`;
    case 'apartada':
      return hallazgo === 'fueraDeLugar' ? 'Se llevó a su lugar' : 'Se sacó del estante';
    case 'aparecio':
      return 'Ya apareció';
    case 'baja':
      return hecho.motivo === null ? 'Dar de baja' : `Baja: ${MOTIVO_LABEL[hecho.motivo]}`;
    case 'pendiente':
      return 'Sigue sin aparecer';
  }
}

/** Returns whether a later decision may follow: a piece that is still missing may yet turn up, or be written off. */
export const staysOpen = (decision: DecisionDeConteo | null): boolean => decision === null || decision === 'pendiente';

/**
 * Returns the state to which a piece passes that stands in a part of the shelf against its state: that part, else 'En revisión', since somebody looks at it
 * before a buyer gets it. Null when the states allow neither.
 */
export function passTo(estado: EstadoDeStock, parte: ParteDelEstante | null): ParteDelEstante | null {
  const aqui = parte ?? 'enRevision';
  if (mayPass(estado, aqui)) return aqui;
  return mayPass(estado, 'enRevision') ? 'enRevision' : null;
}

/** Result of a scan, in words for people. `ya`: counted before. `aparecio`: it was missing in a count that had ended. */
export type Lectura = {
  clase: Exclude<HallazgoDeConteo, 'falta'> | 'ya' | 'desconocida' | 'aparecio';
  /** The folio, the code of the label, or what was read. */
  codigo: string;
  dice: string;
};

type Lugar = { folio: string; estado: EstadoDeStock; venta: string | null };
/** Returns where the register has a piece. */
export const dondeEsta = ({ estado, venta }: Omit<Lugar, 'folio'>): string =>
  venta === null ? `«${ESTADO_LABEL[estado]}»` : `«${ESTADO_LABEL[estado]}» en la orden ${venta}`;
export const diceFuera = ({ folio, ...lugar }: Lugar): string =>
  `${folio} está aquí, y se registra como ${dondeEsta(lugar)}.`;
export const diceYa = (codigo: string): string => `${codigo} ya se contó.`;
export const diceAparecio = (folio: string, nombre: string): string => `Apareció ${folio} · ${nombre}`;
export const diceEtiqueta = (codigo: string): string => `La etiqueta ${codigo} no es de ninguna pieza.`;
export const diceDesconocida = (texto: string): string => `${texto} no es un folio ni una etiqueta de aquí.`;

/** A piece that a count expects and nobody read yet. */
export type PorLeer = { folio: string; nombre: string; etiquetas: string[] };
/** Pieces still to be read, and the codes that were read, as a phone keeps them. */
export type PorContar = { faltan: readonly PorLeer[]; vistas: readonly string[] };

/**
 * Returns the piece that a scan finds where it is expected, a code that was counted before or is none of ours, or `pregunta`: only the server knows why the
 * piece is not expected. Phone and server tell it in the same words.
 */
export function readHere(
  { faltan, vistas }: PorContar,
  texto: string,
):
  | { clase: 'encontrada'; pieza: PorLeer }
  | { clase: 'ya' | 'desconocida'; dice: string }
  | { clase: 'pregunta'; codigo: string } {
  const leido = codeIn(texto);
  const codigo = parseFolio(leido) ?? parseCodigo(leido);
  if (!codigo) return { clase: 'desconocida', dice: diceDesconocida(leido) };
  const pieza = faltan.find(({ folio, etiquetas }) => folio === codigo || etiquetas.includes(codigo));
  if (pieza) return { clase: 'encontrada', pieza };
  return vistas.includes(codigo) ? { clase: 'ya', dice: diceYa(codigo) } : { clase: 'pregunta', codigo };
}
