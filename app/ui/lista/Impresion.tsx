import { Link, useLocation } from '@remix-run/react';
import { writeCount } from '~/core/count';
import { withParams, type Impresion as Leida, type ListFilter } from '~/core/list';
import { formatFecha } from '../Fecha';
import { useHydrated } from '../useHydrated';

type Props = Pick<Leida<unknown>, 'filas' | 'cuando'> & { total: number; label: string; filtro: ListFilter };

/** The head of a printed list: name, dates, search, and the time of reading. On the screen, the buttons that print or go back. */
export function Impresion({ filas, cuando, total, label, filtro }: Props) {
  const { search } = useLocation();
  const hydrated = useHydrated();
  return (
    <div className="impresion">
      {filas === null ? (
        <p className="panel" data-tono="aviso" role="alert">
          Son {writeCount(total)} registros: usa Exportar a Excel.
        </p>
      ) : (
        <p>
          <strong>{label}</strong> · {deQue(filtro)} · {writeCount(total)} {total === 1 ? 'registro' : 'registros'} ·{' '}
          {formatFecha(cuando)}
        </p>
      )}
      <p className="botones">
        <Link className="boton" to={withParams(search, { imprimir: null })}>
          Volver a la lista
        </Link>
        {filas !== null && hydrated && (
          <button type="button" className="boton" data-tono="acento" onClick={() => window.print()}>
            Imprimir
          </button>
        )}
      </p>
    </div>
  );
}

function deQue(filtro: ListFilter): string {
  const { q, desde, hasta } = filtro as ListFilter & { desde?: string; hasta?: string };
  return (
    [desde && hasta && `del ${formatFecha(desde)} al ${formatFecha(hasta)}`, q && `«${q}»`]
      .filter(Boolean)
      .join(' · ') || 'Todo'
  );
}
