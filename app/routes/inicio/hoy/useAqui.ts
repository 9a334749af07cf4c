import { useEffect, useRef, type RefObject } from 'react';
import { focusOn, isFocusFree } from '~/ui/foco';
import { useFicha } from '~/ui/ficha/useFicha';
import { useLugarDe } from '~/ui/useLugarDe';
import type { AquiProps } from './aqui';

type Options<T> = {
  /** The record: its list, id and query. */
  ficha: string;
  /** The screen that takes the form. */
  pantalla: string;
  formId: string;
  /** True while something typed is in the form. */
  escrito: boolean;
  /** Returns whether the record still waits, and whether something can be done about it here. */
  espera: (ficha: T) => 'aqui' | 'fuera' | 'hecha';
  /** The box of the form, whose first field a person goes on in. */
  caja: RefObject<HTMLElement>;
  /** Set where what was done leads to one thing more: it stands there until the person goes on. */
  queda?: true;
};

/** Reads one thing of a queue that is seen to in its card, and tells the card when it is done, gone, or in the hands of this person. */
export function useAqui<T>(
  { area, corte, conFoco, alOcupar, alTerminar, alPasar }: AquiProps,
  { ficha: cual, pantalla, formId, escrito, espera, caja, queda }: Options<T>,
) {
  const { ficha, fallo, reintentar } = useFicha<T>({
    url: `${area}/fichas/${cual}`,
    inicial: null,
    corte,
    editando: false,
  });
  const { lugar, hecho } = useLugarDe(`${area}/${pantalla}`, formId);
  const estado = ficha ? espera(ficha) : undefined;
  const hecha = hecho && !queda;
  const ocupada = lugar.state !== 'idle' || escrito || (hecho && queda === true);
  // Done elsewhere, while nothing of this person's would be lost.
  const sobra = (ficha === null || estado === 'hecha') && !ocupada;
  const pasa = estado === 'fuera' && !ocupada;

  const decir = useRef({ alOcupar, alTerminar, alPasar });
  decir.current = { alOcupar, alTerminar, alPasar };
  useEffect(() => decir.current.alOcupar(ocupada), [ocupada]);
  useEffect(() => {
    if (hecha || sobra) decir.current.alTerminar();
    else if (pasa) decir.current.alPasar();
  }, [hecha, sobra, pasa]);
  useEffect(() => {
    // Under a thumb a field opens by touch.
    if (estado === 'aqui' && conFoco && isFocusFree() && window.matchMedia('(pointer: fine)').matches)
      focusOn(caja.current?.querySelector<HTMLElement>('[data-foco]'));
  }, [estado, conFoco, caja]);
  return { ficha, estado, ocupada, lugar, hecho, fallo, reintentar };
}
