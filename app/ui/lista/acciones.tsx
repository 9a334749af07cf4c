import type { Question } from '~/core/fieldRules';
import type { Tono } from '../Estatus';
import type { Column } from './column';

/** Something to be done with one row: a place to go to, or what its screen's action is sent, after a question. */
export type AccionDeFila = {
  texto: string;
  /** In its row, where there is room for a word. */
  corto?: string;
  /** As it is read aloud, with the row it is about. */
  nombre: string;
  tono?: Tono;
} & (
  | { href: string; download?: true }
  | {
      envia: Record<string, string | number | boolean>;
      /** Asked here, or by the server once its guards have looked: what they stop is then not asked about. */
      pregunta: (() => Question) | 'del servidor';
    }
);

export type AccionesDeFila<Row> = {
  /** The first stands in the row too. */
  de: (row: Row) => AccionDeFila[];
  /** Of the column, in px. */
  ancho: number;
  /** Cards have them as well, under what they tell or as the way to all of them; where they have not, the record that a card opens does. */
  tarjeta?: 'debajo' | 'menu';
};

/** What somebody asked for in a row: one thing, or to see all of them. */
export type Pedido = {
  nombre: string;
  acciones: AccionDeFila[];
  una: AccionDeFila | undefined;
  boton: Element;
  /** By a key: it begins at its first line. */ tecla: boolean;
};

/**
 * The column of what can be done with a row: its first action and the way to the others. Buttons of one GET form, so that without JavaScript the same page
 * comes with all of that row's actions; a row holds nothing else, whatever can be done with it.
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
