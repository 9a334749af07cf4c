import { useLocation } from '@remix-run/react';
import { DESHACER } from '~/core/submission';
import { areaOf } from '~/core/usuario';
import { useRef, type ComponentProps, type ReactNode } from 'react';
import { PageHeader } from './Blocks';
import { DataTable } from './DataTable';
import { deferredPart } from './deferredPart';
import { usePanel, type Panel } from './ficha/panel';
import type { DataTableProps } from './lista/props';
import { RangoFechas } from './RangoFechas';
import { Asked, Refusal } from './useAnswer';

const Cola = deferredPart('Cola', async () => (await import('./ficha/Cola')).Cola);

type Totals = { registros: number } | null;
/** A record that a panel shows. */
type Abierta = { id: string; editar?: string | boolean | null };

type OwnProps<Row, Registro extends Abierta> = {
  /** The heading of the screen, and the name of its table where no `label` is given. */
  titulo: string;
  label?: string;
  /** A sentence under the heading. */
  nota?: ReactNode;
  /** Links and buttons at the right of the heading. */
  botones?: ReactNode;
  /** Sections between the heading and the table. */
  encima?: ReactNode;
  /** The range of days of the list, as the filter of its loader says it. */
  rango?: ComponentProps<typeof RangoFechas>;
  /** Filters of this list that stand in the bar of the table in place of a range, or after it. */
  filtros?: ReactNode;
  /** The side panel of a row, and the record that the loader opened. */
  panel?: Panel<Registro>;
  abierta?: Registro | 'ausente' | null;
  /** What rows of one record have in common, where a record that is done in part comes back under another key. */
  junto?: (row: Row) => string;
  /** The address to which 'no' leads when an action asks; the screen as it stands by default. False where a dialog of the screen asks. */
  cancelar?: string | false;
  /** Intents that a button alone sends: the refusal of such an intent is a dialog of the screen. */
  refusals?: readonly string[];
  /** Dialogs that the address opens over the list. */
  children?: ReactNode;
};

export type ListScreenProps<Row, Totales extends Totals, Registro extends Abierta> = OwnProps<Row, Registro> &
  Omit<DataTableProps<Row, Totales>, 'label' | 'area' | 'ficha' | 'children'>;

/**
 * The anatomy of every screen that is a list: heading with its buttons, the questions and refusals of the screen's actions, the sections of the screen, the
 * table with its range and filters, the side panel of a row, the dialogs. Whatever `DataTable` takes is handed on.
 */
export function ListScreen<Row, Totales extends Totals, Registro extends Abierta>({
  titulo,
  label = titulo,
  nota,
  botones,
  encima,
  rango,
  filtros,
  panel,
  abierta = null,
  junto,
  cancelar,
  refusals = [],
  children,
  ...table
}: ListScreenProps<Row, Totales, Registro>) {
  const { search, pathname } = useLocation();
  const area = areaOf(pathname);
  const ficha = usePanel(panel, { lista: table.lista, area, inicial: abierta });
  const ver = new URLSearchParams(search).get('ver');
  const sigue = useJunto(table.lista.ventana.filas, table.rowKey, junto);
  return (
    <>
      <PageHeader titulo={titulo} nota={nota}>
        {botones}
      </PageHeader>
      {cancelar !== false && <Asked cancelar={(cancelar ?? search) || '?'} />}
      {[...refusals, DESHACER].map((intent) => (
        <Refusal key={intent} of={intent} />
      ))}
      {encima}
      <DataTable
        key={table.lista.lista}
        opens={panel !== undefined}
        {...table}
        label={label}
        area={area}
        // A list without a panel has no records to read ahead.
        ficha={
          panel &&
          (ficha ? (
            <>
              {ficha}
              <Cola area={area} ver={ver ?? ''} corte={table.lista.corte} sigue={sigue} />
            </>
          ) : null)
        }
      >
        {(rango || filtros) && (
          <>
            {rango && <RangoFechas {...rango} />}
            {filtros}
          </>
        )}
      </DataTable>
      {children}
    </>
  );
}

/** Returns whether the list has a row of the same record as this key has or had. */
function useJunto<Row>(
  filas: readonly Row[],
  rowKey: (row: Row) => string,
  junto: ((row: Row) => string) | undefined,
): (key: string) => boolean {
  const known = useRef(new Map<string, string>());
  if (!junto) return NOTHING;
  for (const fila of filas) known.current.set(rowKey(fila), junto(fila));
  return (key) => filas.some((fila) => junto(fila) === known.current.get(key));
}
const NOTHING = () => false;
