import { useEffect, useRef, useState, type RefObject } from 'react';
import { Icono } from '../Icono';
import { useTeclas } from '../useTeclas';

type Props = {
  /** The box in which the rows scroll. */ caja: RefObject<HTMLElement>;
  /** Returns the identifiers of a cell, line by line; undefined where the cell has none. */
  identificadores: (fila: number, columna: number) => readonly (string | null)[] | undefined;
  /** The row under the keyboard. */ activa: number | null;
};
type Lugar = { texto: string; top: number; left: number };

const DICHO_MS = 2_500;
const LADO = 24;

/**
 * The one button of a table that copies an identifier: at the end of the line under the pointer or the focus, over the cell. Rows hold nothing for it. By
 * keyboard C copies the first identifier of the row.
 */
export function CopiarDeFila({ caja, identificadores, activa }: Props) {
  const [lugar, setLugar] = useState<Lugar | null>(null);
  const [copiado, setCopiado] = useState('');
  const find = useRef(identificadores);
  find.current = identificadores;

  useEffect(() => {
    const box = caja.current!;
    const look = ({ target }: Event) => {
      const at = target as Element;
      if (at.closest('.copiar-de-fila')) return;
      setLugar((was) => lugarOf(box, at, find.current) ?? (was && null));
    };
    const leave = () => setLugar(null);
    box.addEventListener('pointerover', look);
    box.addEventListener('focusin', look);
    box.addEventListener('pointerleave', leave);
    return () => {
      box.removeEventListener('pointerover', look);
      box.removeEventListener('focusin', look);
      box.removeEventListener('pointerleave', leave);
    };
  }, [caja]);
  useEffect(() => {
    const timer = setTimeout(() => setCopiado(''), DICHO_MS);
    return () => clearTimeout(timer);
  }, [copiado]);

  const copy = async ({ texto }: Lugar) => {
    await navigator.clipboard.writeText(texto);
    setCopiado(texto);
  };
  useTeclas({
    c: () => {
      const box = caja.current!;
      const row =
        document.activeElement?.closest('tr[data-i]') ??
        (activa === null ? null : box.querySelector(`tr[data-i="${activa}"]`));
      for (const cell of row?.children ?? []) {
        const found = lugarOf(box, cell, find.current);
        if (!found) continue;
        setLugar(found);
        return void copy(found);
      }
    },
  });

  return (
    <>
      {lugar && (
        <button
          type="button"
          className="copiar-de-fila"
          tabIndex={-1}
          style={{ top: lugar.top, left: lugar.left }}
          aria-label={`Copiar ${lugar.texto}`}
          title="Copiar"
          onClick={() => void copy(lugar)}
        >
          <Icono nombre={copiado === lugar.texto ? 'visto' : 'copiar'} />
        </button>
      )}
      <span role="status" className="oculto">
        {copiado && `Copiado: ${copiado}`}
      </span>
    </>
  );
}

/** Returns the identifier at a place, and the position of the button in the box, so that the button scrolls with its row. */
function lugarOf(box: HTMLElement, at: Element, identificadores: Props['identificadores']): Lugar | null {
  const cell = at.closest('td');
  const row = cell?.closest<HTMLElement>('tr[data-i]');
  if (!cell || !row) return null;
  const lines = [...cell.querySelectorAll('.linea')];
  const line = at.closest('.linea');
  const texto = identificadores(Number(row.dataset.i), cell.cellIndex)?.[line ? lines.indexOf(line) : 0];
  if (!texto) return null;
  const frame = box.getBoundingClientRect();
  const { top, height } = (line ?? lines[0] ?? cell).getBoundingClientRect();
  return {
    texto,
    top: top + height / 2 - LADO / 2 - frame.top - box.clientTop + box.scrollTop,
    left: cell.getBoundingClientRect().right - LADO - frame.left - box.clientLeft + box.scrollLeft,
  };
}
