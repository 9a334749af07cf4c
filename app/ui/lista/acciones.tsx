import type { Question } from '~/core/fieldRules';
import type { Tono } from '../Estatus';
import type { Column } from './column';

/** An act on one row: a link, or a form for the screen's action after a question. */
export type AccionDeFila = {
  texto: string;
  /** In its row, where there is room for a word. */
  corto?: string;
  /** The name read aloud, with the row it is about. */
  nombre: string;
  tono?: Tono;
} & (
  | { href: string; download?: true }
  | {
      envia: Record<string, string | number | boolean>;
      /** A function asks here; 'del servidor' leaves the question to the server, which checks the obstacles first. */
      pregunta: (() => Question) | 'del servidor';
    }
);

export type AccionesDeFila<Row> = {
  /** The first stands in the row too. */
  de: (row: Row) => AccionDeFila[];
  /** Of the column, in px. */
  ancho: number;
  /** Where the acts stand on a card: below its text, or behind a menu. Without a value a card has no acts, and the record it opens has them. */
  tarjeta?: 'debajo' | 'menu';
};

/** A person's request in a row: one act, or the menu. */
export type Pedido = {
  nombre: string;
  acciones: AccionDeFila[];
  una: AccionDeFila | undefined;
  boton: Element;
  /** The request came by a key, so the menu begins at its first line. */ tecla: boolean;
};

/**
 * Returns the column of a row's acts: the first act and the button of the menu. The buttons belong to one GET form, so that without JavaScript the same page
 * comes back with the row's acts. A row holds nothing else of its acts.
 */
export function columnaOfAcciones<Row, Totales>(
  { de, ancho, tarjeta }: AccionesDeFila<Row>,
  form: string,
  rowKey: (row: Row) => string,
  nombreDe: (row: Row) => string,
): Column<Row, Totales> {
  return {
    header: 'Administración',
    width: ancho,
    className: 'fija',
    ...(tarjeta && { tarjeta: tarjeta === 'menu' ? 'menu' : 'acciones' }),
    cell: (row) => {
      const [primera, ...otras] = de(row);
      if (!primera) return null;
      const { texto, corto = texto, nombre, tono } = primera;
      return (
        <>
          {'href' in primera ? (
            <a className="boton" data-tono={tono} href={primera.href} download={primera.download} aria-label={nombre}>
              {corto}
            </a>
          ) : (
            <button
              className="boton"
              data-tono={tono}
              form={form}
              name="menu"
              value={rowKey(row)}
              data-hace
              aria-label={nombre}
            >
              {corto}
            </button>
          )}
          {otras.length > 0 && (
            <button
              className="boton mas"
              form={form}
              name="menu"
              value={rowKey(row)}
              aria-label={`Más acciones de ${nombreDe(row)}`}
            >
              ⋮
            </button>
          )}
        </>
      );
    },
  };
}
