import type { ListFilter } from '~/core/list';
import type { List } from '~/platform/lists/list.server';
import type { Usuario } from '~/core/usuario';
import type { Db } from '~db/client.server';

/** Returns every row of a list for a query. The old client has no pages in these calls. */
export async function gather<F extends ListFilter, Row, Totales>(
  db: Db,
  list: List<F, Row, Totales>,
  search: string | Record<string, string>,
  usuario: Usuario,
): Promise<Row[]> {
  const filtro = list.parse(new URLSearchParams(search), usuario);
  return db.transaction().execute(async (trx) => {
    const rows: Row[] = [];
    for await (const row of list.stream(trx, filtro)) rows.push(row);
    return rows;
  });
}
