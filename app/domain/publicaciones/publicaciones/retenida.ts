import type { Question } from '~/core/fieldRules';
import { enPesos } from '~/core/importe';
import type { Money } from '~/core/money';

/** A change that waits for a person: the value at the marketplace, and the value to come. */
export type Retenida = {
  titulo: string;
  precio: string | Money | null;
  precioRetenido: string | Money | null;
  /** The price, where a person typed it; null where the rule gave it. */
  precioEscrito: string | Money | null;
  stock: number | null;
  stockRetenido: boolean | null;
};

/** Tells whether a price or a zero of stock is held back. */
export const waitsForPersona = ({
  precioRetenido,
  stockRetenido,
}: Pick<Retenida, 'precioRetenido' | 'stockRetenido'>) => precioRetenido !== null || stockRetenido === true;

const pesos = (valor: string | Money | null) =>
  valor === null ? '—' : enPesos(typeof valor === 'string' ? valor : valor.toFixed(2));

/** Returns the old and the new value in one line. */
export const dichoOfRetenida = (retenida: Omit<Retenida, 'titulo'>): string => {
  const { precio, precioRetenido, precioEscrito, stock, stockRetenido } = retenida;
  return [
    precioRetenido !== null && `Precio de ${pesos(precio)} a ${pesos(precioRetenido)}.`,
    precioRetenido !== null && precioEscrito !== null && 'El de hoy lo escribió una persona.',
    stockRetenido && `Stock de ${stock ?? '—'} a 0.`,
  ]
    .filter(Boolean)
    .join(' ');
};

/** The question before a held change is applied or dropped. */
export const askRetenida = (retenida: Retenida, aplicar: boolean): Question => ({
  titulo: aplicar ? 'Aplicar el cambio' : 'Descartar el cambio',
  texto: `¿Esta seguro que desea ${aplicar ? 'aplicar' : 'descartar'} el cambio?`,
  hechos: `${retenida.titulo}. ${dichoOfRetenida(retenida)}${aplicar ? '' : ' En el mercado queda lo que está.'}`,
});
