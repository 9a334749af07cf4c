import { useLocation, useNavigate } from '@remix-run/react';
import { useRecorrido } from './recorrido';
import { useActo, useVuelta } from './useActo';

type Props = {
  /** The area of the person ('/sa'). */
  area: string;
  /** The open record. */
  ver: string;
  /** A value that changes whenever the list is read again. */
  corte: string;
  /** Whether the list has a row of the same record, also under another key. */
  sigue: (ver: string) => boolean;
};

/**
 * The list as a queue: a record that leaves it by this person's act gives its place to the next one, in a history entry of its own, and the notice of what was done
 * leads back to it. A record that leaves in any other way keeps its panel.
 */
export function Cola({ area, ver, corte, sigue }: Props) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const way = useRecorrido();
  const avisar = useVuelta(area);
  useActo<{ ver: string; nombre: string; corte?: string }>(
    (form) =>
      (way?.posicion !== null && [...form.values()].includes(ver)) || sigue(ver) ? { ver, nombre: titleOf() } : null,
    (acto) => {
      acto.corte ??= corte;
      // The person went on, or the list was read once more: what goes now goes for another reason.
      if (!way || acto.ver !== ver || acto.corte !== corte) return true;
      if (way.posicion !== null || sigue(ver)) return false;
      avisar(acto.nombre, pathname + search);
      way.paso.current = null;
      navigate(way.siguiente ?? way.anterior ?? way.cerrar, { preventScrollReset: true });
      return true;
    },
  );
  return null;
}

/** The name of the open record, as its panel says it: noun and number. */
const titleOf = () => document.querySelector('.lado-titulo > *')?.textContent ?? '';
