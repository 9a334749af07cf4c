import { cambiosEntre, writeMostrado, type Mostrado } from '~/core/choque';
import { cuenta } from '~/core/cuenta';
import { Stale } from '~/core/errors';
import type { Money } from '~/core/money';
import { civilDateTime } from '~/core/time';
import type { Db, Trx } from '~db/client.server';
import type { Mes, Tabla } from './mes';
import { devueltasList, ordenesDelMesList, refacturacionList } from './mesLists.server';

const LISTA_DE = { ordenes: ordenesDelMesList, refacturacion: refacturacionList, devueltas: devueltasList } as const;

/** What a form of the month carries: which sales its screen showed, and what that said of them. */
export type MesVisto = { huella: string; mostrado: Mostrado };

type Totales = { registros: number; total: Money; ultima: Date | null; cuales: string };

/** What a table of a month holds and adds up to. */
export async function totalesOf(db: Db | Trx, tabla: Tabla, mes: Mes) {
  const lista = LISTA_DE[tabla];
  return lista.totals(db, lista.parse(new URLSearchParams({ mes })));
}

const huellaOf = ({ registros, total, cuales }: Totales) => `${registros}·${total.toString()}·${cuales}`;

const mostradoOf = ({ registros, total, ultima }: Totales): Mostrado => ({
  Ordenes: cuenta(registros),
  Total: `$${total.toFixed(2)}`,
  'Última venta': ultima === null ? '' : civilDateTime(ultima).slice(0, 16).replace('T', ' '),
});

export const marcasOfMes = (totales: Totales) => ({
  huella: huellaOf(totales),
  mostrado: writeMostrado(mostradoOf(totales)),
});

/** What a table holds, for whoever names the sales they saw one by one. Others beside those are refused; those that are not in it are in no document anyway. */
export async function vistoOfVentas(
  db: Db,
  { tabla, mes }: { tabla: Tabla; mes: Mes },
  ids: readonly string[],
): Promise<MesVisto> {
  const lista = LISTA_DE[tabla];
  const filtro = lista.parse(new URLSearchParams({ mes }));
  const seen = new Set(ids);
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const totales = await lista.totals(trx, filtro);
      for await (const { id } of lista.stream(trx, filtro))
        if (!seen.has(id))
          throw new Stale(
            { cambios: [{ campo: 'Ventas', mio: 'las que se veían', suyo: 'otras' }], marcas: marcasOfMes(totales) },
            { texto: 'Hay ventas del mes que no estaban entre las que se vieron.' },
          );
      return { huella: huellaOf(totales), mostrado: mostradoOf(totales) };
    });
}

/**
 * No document takes sales that nobody saw. It is asked once its sales are held, so what entered since they were read is refused too.
 */
export async function requireMesVisto(
  trx: Trx,
  titulo: string,
  { tabla, mes, visto }: { tabla: Tabla; mes: Mes; visto: MesVisto },
): Promise<void> {
  const totales = await totalesOf(trx, tabla, mes);
  if (huellaOf(totales) === visto.huella) return;
  const cambios = cambiosEntre(visto.mostrado, mostradoOf(totales));
  throw new Stale(
    {
      cambios:
        cambios.length > 0
          ? cambios
          : [{ campo: 'Ventas', mio: 'las que se veían', suyo: 'otras, que suman lo mismo' }],
      marcas: marcasOfMes(totales),
    },
    { titulo, texto: 'Las ventas de la tabla cambiaron mientras las veías.' },
  );
}
