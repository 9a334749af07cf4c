import { useLocation, useNavigate } from '@remix-run/react';
import { useCallback, useMemo, useState } from 'react';
import { fitAncho, withAncho } from '~/core/columnas';
import { withParams } from '~/core/list';
import { remember } from '../remember';
import { useHydrated } from '../useHydrated';
import { arrange, type Column } from './column';

/** Sets the width of a column. A width is saved when the drag ends. */
export type Widen = (clave: string, ancho: number, keep: boolean) => void;

/**
 * Returns the columns as this person has them. A dragged width holds at once and is saved beside the page; an address that names the columns takes the new
 * width.
 */
export function useColumnas<Row, Totales>(columns: Column<Row, Totales>[], columnas: string | null, source: string) {
  const { search } = useLocation();
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const [dragged, setDragged] = useState<{ from: string | null; columnas: string } | null>(null);
  // The server's newer answer outranks an earlier drag.
  const now = dragged && dragged.from === columnas ? dragged.columnas : columnas;
  const arranged = useMemo(() => arrange(columns, now), [columns, now]);

  const widen = useCallback<Widen>(
    (clave, ancho, keep) => {
      const wide = withAncho(now ?? '', clave, ancho);
      setDragged({ from: columnas, columnas: wide });
      if (!keep) return;
      if (new URLSearchParams(search).has('cols'))
        return void navigate(withParams(search, { cols: wide }), { replace: true, preventScrollReset: true });
      remember(source, { intent: 'ancho', clave, ancho: String(fitAncho(ancho)) });
    },
    [now, columnas, search, navigate, source],
  );
  return { columns: arranged, widen: hydrated ? widen : undefined };
}
