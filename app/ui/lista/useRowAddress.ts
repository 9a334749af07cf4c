import { useLocation, useNavigate, useNavigation } from '@remix-run/react';
import { withParamOf, withParams } from '~/core/list';
import type { RowDetail } from './props';

/** Where a row opens: the same list with the row's key in the field `opens` of its address. An expanded row's address shuts it. */
export function useRowAddress<Row>(
  rowKey: (row: Row) => string,
  { opens, detail }: { opens: boolean | string; detail: RowDetail | null | undefined },
) {
  const { search, pathname } = useLocation();
  const navigate = useNavigate();
  const { location: there } = useNavigation();
  const field = typeof opens === 'string' ? opens : 'ver';
  const closed = { ver: null, editar: null, menu: null, [field]: null };
  const shut = withParams(search, closed);
  const openAt = withParamOf(search, closed);
  const verOf = (search: string) => new URLSearchParams(search).get(field);
  const ver = verOf(search);
  /** The row that will be open: a press is shown at once, while its record is read. */
  const abriendo = there?.pathname === pathname ? verOf(there.search) : ver;
  const isOpen = (row: Row) => detail?.key === rowKey(row);
  const hrefOf = (row: Row) => (isOpen(row) ? shut : openAt(field, rowKey(row)));
  // Going from one open row to another adds no history entry.
  const open = (row: Row | undefined) =>
    row !== undefined && navigate(hrefOf(row), { preventScrollReset: true, replace: ver !== null && !detail });
  return { isOpen, hrefOf, shut, ver, abriendo, open };
}
