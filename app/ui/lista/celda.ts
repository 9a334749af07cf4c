import type { Question } from '~/core/fieldRules';
import { parseImporte } from '~/core/importe';

/** A fact that a person changes in its cell: the form of its panel, with one field to type in. */
export type Celda = {
  /** The name of the fact, read aloud with its row: 'Precio'. */
  nombre: string;
  /** The field of the form that takes the typed text. */
  campo: string;
  /** The fact as the screen shows it; empty where there is none yet. */
  valor: string;
  tipo: 'importe' | 'entero' | 'texto';
  /** The rest of the form: its intent, the record with the version that was shown, and the facts that stay. */
  envia: Readonly<Record<string, string | number | boolean>>;
  /** The question before a zero is sent. Without a question a zero is taken back. */
  cero?: () => Question;
  /** The question before a text is sent because its field was left, for an act that nobody can undo. Enter sends without a question. */
  alSalir?: (texto: string) => Question;
};

/** What a typed text asks for. */
export type Pide = 'nada' | 'vacio' | 'cero' | 'cambio';

/** Returns what a text asks for, typed over the fact of a cell. An amount that cannot be read is a change, and the server says why not. */
export function pideOf(texto: string, { tipo, valor }: Pick<Celda, 'tipo' | 'valor'>): Pide {
  const escrito = texto.trim();
  if (escrito === valor) return 'nada';
  if (escrito === '') return 'vacio';
  if (tipo === 'texto') return 'cambio';
  const importe = importeIn(escrito);
  if (importe === null) return 'cambio';
  if (importe === importeIn(valor)) return 'nada';
  return importe === '0.00' ? 'cero' : 'cambio';
}

function importeIn(texto: string): string | null {
  const lectura = parseImporte(texto);
  return lectura.clase === 'importe' ? lectura.importe : null;
}
