import { WINDOW, withParams } from '~/core/list';
import { useHydrated } from '../useHydrated';

/** The links between the windows of a list, which are pages without JavaScript. */
export function Pages({ indice, total, search }: { indice: number; total: number; search: string }) {
  const hydrated = useHydrated();
  const pages = Math.ceil(total / WINDOW);
  if (hydrated || pages <= 1) return null;
  const to = (page: number) => withParams(search, { pagina: page === 1 ? null : String(page), ver: null });
  const page = indice + 1;
  return (
    <nav className="lista-paginas" aria-label="Páginas">
      {page > 1 && (
        <a className="boton" href={to(1)}>
          « Primera
        </a>
      )}
      {page > 1 && (
        <a className="boton" href={to(page - 1)} rel="prev">
          ‹ Anterior
        </a>
      )}
      <span>
        Página {page} de {pages}
      </span>
      {page < pages && (
        <a className="boton" href={to(page + 1)} rel="next">
          Siguiente ›
        </a>
      )}
      {page < pages && (
        <a className="boton" href={to(pages)}>
          Última »
        </a>
      )}
    </nav>
  );
}
