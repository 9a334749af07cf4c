import { useLocation } from '@remix-run/react';
import { useState, type ReactNode, type RefObject } from 'react';
import { deferredPart } from '../deferredPart';
import { HiddenParams } from '../HiddenParams';
import type { AccionesDeFila, Pedido } from './acciones';

const MenuDeFila = deferredPart('MenuDeFila', async () => (await import('./MenuDeFila')).MenuDeFila);
const MenuPedido = deferredPart('MenuPedido', async () => (await import('./MenuPedido')).MenuPedido, { ahead: false });

/** Asked for by a key, or the first of it at once. */
type Como = 'tecla' | 'primera';

type Options<Row> = {
  /** Prefix of the rows' ids in the document. */
  id: string;
  row: (index: number) => Row | undefined;
  rowKey: (row: Row) => string;
  nombra: (row: Row) => string;
  /** The rows that the server wrote, with the number of the first. */
  escritas: { desde: number; filas: readonly Row[] };
  /** The box of the table; null while no menu can hang in it. */
  caja: RefObject<HTMLDivElement> | null;
  setActive: (index: number) => void;
};

/** Returns the menus of a list's rows: one that hangs at a row, and one that comes with the page without scripts; undefined where rows have no acts. */
export function useMenus<Row>(
  enFila: AccionesDeFila<Row> | undefined,
  { id, row: rowAt, rowKey, nombra, escritas: { desde, filas }, caja, setActive }: Options<Row>,
):
  | { pedir: (index: number, boton: Element | null, how?: Como) => void; pedida: ReactNode; colgado: ReactNode }
  | undefined {
  const { search } = useLocation();
  const [pedido, setPedido] = useState<Pedido | null>(null);
  if (!enFila) return undefined;
  const key = new URLSearchParams(search).get('menu');
  const at = key ? filas.findIndex((row) => rowKey(row) === key) : -1;
  return {
    /** Shows the acts of a row, or runs the first one. */
    pedir: (index, boton, how) => {
      const row = rowAt(index);
      if (!boton || row === undefined) return;
      const acciones = enFila.de(row);
      if (acciones.length === 0) return;
      setActive(index);
      setPedido({
        nombre: nombra(row),
        acciones,
        una: how === 'primera' ? acciones[0] : undefined,
        boton,
        tecla: how === 'tecla',
      });
    },
    pedida:
      at >= 0 ? (
        <MenuPedido nombre={nombra(filas[at]!)} acciones={enFila.de(filas[at]!)} fila={`${id}${desde + at}`} />
      ) : key ? (
        <p className="panel" data-tono="aviso" role="alert">
          Esa fila ya no está en la lista.
        </p>
      ) : null,
    colgado: (
      <>
        <form id={`${id}fila`} method="get" action="#menu-fila" hidden>
          <HiddenParams search={search} without={['menu', 'ver']} />
        </form>
        {caja && <MenuDeFila pedido={pedido} terminar={() => setPedido(null)} caja={caja} />}
      </>
    ),
  };
}
