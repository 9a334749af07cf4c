import { Link, useLocation } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { writeCount } from '~/core/count';
import { MUCHOS, withParams, type ListEnTodas, type ListFilter, type ListPage } from '~/core/list';
import { TODAS } from '~/core/periodo';
import { Icono } from '../Icono';

type Page = Pick<ListPage<ListFilter, unknown, { registros: number }>, 'alcance' | 'enTodas' | 'chips'>;

const SHUT = { pagina: null, ver: null };

/** The filters of the list as chips; a press removes one. */
export function Chips({ chips }: Pick<Page, 'chips'>) {
  const { search } = useLocation();
  if (chips.length === 0) return null;
  const without = (fields: string[]) =>
    withParams(search, { ...SHUT, ...Object.fromEntries(fields.map((field) => [field, null])) });
  return (
    <ul className="chips" aria-label="Filtros">
      {chips.map(({ texto, quita }) => (
        <li key={quita[0]}>
          <Link className="chip" to={without(quita)} aria-label={`Quitar ${texto}`} preventScrollReset discover="none">
            {texto}
            <Icono nombre="cerrar" />
          </Link>
        </li>
      ))}
      <li>
        <Link to={without(chips.flatMap(({ quita }) => quita))} preventScrollReset discover="none">
          Restablecer
        </Link>
      </li>
    </ul>
  );
}

/** Where the search of a list looked: outside of its range there may be more. */
export function Alcance({
  lista: { alcance, enTodas },
  registros,
  query,
  source,
}: {
  lista: Pick<Page, 'alcance' | 'enTodas'>;
  /** The number of rows; null while they are counted. */ registros: number | null;
  query: string;
  source: string;
}) {
  const { search } = useLocation();
  const found = useEnTodas(enTodas, `${source}?${query}&enTodas=1`);
  if (alcance === null) return null;
  return (
    <p className="lista-alcance">
      <span role="status">{alcance}</span>
      {found !== null && registros !== null && found > registros && (
        <>
          {' '}
          <Link
            to={withParams(search, { ...SHUT, rango: TODAS, desde: null, hasta: null })}
            preventScrollReset
            discover="none"
          >
            Buscar en todas las fechas ({found > MUCHOS ? `más de ${writeCount(MUCHOS)}` : writeCount(found)})
          </Link>
        </>
      )}
    </p>
  );
}

/** Returns the number of results over all dates. A number that did not come with the page is asked for; a number that never comes is not offered. */
function useEnTodas(enTodas: number | 'aparte' | null, url: string): number | null {
  const [asked, setAsked] = useState<{ url: string; enTodas: number } | null>(null);
  const aparte = enTodas === 'aparte';
  useEffect(() => {
    if (!aparte) return;
    const abort = new AbortController();
    fetch(url, { signal: abort.signal, headers: { Accept: 'application/json' } })
      .then(async (answer) => {
        if (answer.ok && !answer.redirected) setAsked({ url, ...((await answer.json()) as ListEnTodas) });
      })
      .catch(() => undefined);
    return () => abort.abort();
  }, [aparte, url]);
  return aparte ? (asked?.url === url ? asked.enTodas : null) : (enTodas as number | null);
}
