import { DosLineas, type Column } from '~/ui/DataTable';
import { MarcaDePago, type Fila } from './columns';

/**
 * The column of the supplier's folio of the quotation or pedido, and whether it was paid. `a` is the address of the quotation, for people who may open it;
 * everybody who sees the sale sees the folio.
 */
export const cotizacionColumn = (a: string | undefined): Omit<Column<Fila, never>, 'total'> => ({
  header: 'Cotización',
  width: 100,
  hideUnder: 'md',
  copia: ({ cotizacion }) => [cotizacion],
  cell: (orden) => <Cotizacion {...orden} a={a} />,
});

/** The folio over the mark of its payment. */
function Cotizacion({
  id,
  cotizacion,
  pagos,
  conArchivos,
  a,
}: Pick<Fila, 'id' | 'cotizacion' | 'pagos' | 'conArchivos'> & { a: string | undefined }) {
  if (cotizacion === null && pagos === 0) return '—';
  return (
    <DosLineas debajo={pagos > 0 && <MarcaDePago conArchivos={conArchivos} />}>
      {a === undefined ? (cotizacion ?? '—') : <a href={`${a}?ver=${id}`}>{cotizacion ?? 'Sin folio'}</a>}
    </DosLineas>
  );
}
