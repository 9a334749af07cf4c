import { useLocation } from '@remix-run/react';
import { type ReactNode, useEffect, useState } from 'react';
import { Estatus } from '~/ui/Estatus';
import type { Tono } from '~/ui/Estatus';

const NAME = 'conexion';

/** The address of the screen with one card open; every form of a card goes there, so that its answer finds the card open. */
export const abrirTo = (id: string) => `?abrir=${id}`;

/** The open card of the screen, and how a card tells that it was opened or closed. */
export type Abiertas = { abierta: string; toggled: (id: string, open: boolean) => void };

/**
 * Keeps which card is open: at first the one that the server says. A card that a person opens goes into the address without a call, so that what was typed in
 * the others stays, and a reload or the way back finds it open.
 */
export function useAbierta(dicha: string): Abiertas {
  const { key } = useLocation();
  const [state, set] = useState({ key, abierta: dicha });
  if (state.key !== key) set({ key, abierta: dicha });
  const toggled = (id: string, open: boolean) =>
    set((last) => {
      const abierta = open ? id : last.abierta === id ? '' : last.abierta;
      return abierta === last.abierta ? last : { ...last, abierta };
    });
  // A card may have been opened while the page was still loading.
  useEffect(() => {
    const open = document.querySelector<HTMLElement>(`details[name="${NAME}"][open]`);
    toggled(open?.dataset.tarjeta ?? '', true);
  }, []);
  useEffect(() => {
    const address = new URL(window.location.href);
    if (state.abierta === (address.searchParams.get('abrir') ?? dicha)) return;
    address.searchParams.set('abrir', state.abierta);
    history.replaceState(history.state, '', address);
  }, [state.abierta, dicha]);
  return { abierta: state.abierta, toggled };
}

type Props = {
  id: string;
  titulo: string;
  tono: Tono;
  /** The state in words. */
  dice: string;
  abiertas: Abiertas;
  children: ReactNode;
};

/** One card of the screen, with its state in the head. Of all cards one is open at a time, by the browser itself. */
export function Tarjeta({ id, titulo, tono, dice, abiertas: { abierta, toggled }, children }: Props) {
  return (
    <section className="hoja tarjeta" aria-labelledby={`titulo-${id}`}>
      <details
        name={NAME}
        data-tarjeta={id}
        open={abierta === id}
        onToggle={(event) => event.target === event.currentTarget && toggled(id, event.currentTarget.open)}
      >
        <summary>
          <h2 id={`titulo-${id}`}>{titulo}</h2>
          <Estatus tono={tono}>{dice}</Estatus>
        </summary>
        <div className="apilado">{children}</div>
      </details>
    </section>
  );
}
