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
  /** Returns whether the record still waits. */
  espera: (ficha: T) => boolean;
  /** The box of the form, whose first field a person goes on in. */
  caja: RefObject<HTMLElement>;
};

/** Reads one thing of a queue that is seen to in its card, and tells the card when it is done, gone, or in the hands of this person. */
export function useAqui<T>(
  { area, corte, conFoco, alOcupar, alTerminar }: AquiProps,
  { ficha: cual, pantalla, formId, escrito, espera, caja }: Options<T>,
) {
  const { ficha, fallo, reintentar } = useFicha<T>({
    url: `${area}/fichas/${cual}`,
    inicial: null,
    corte,
    editando: false,
  });
  const { lugar, hecho } = useLugarDe(`${area}/${pantalla}`, formId);
  const isWaiting = ficha ? espera(ficha) : undefined;
  const ocupada = lugar.state !== 'idle' || escrito;
  // Done elsewhere, while nothing of this person's would be lost.
  const sobra = (ficha === null || isWaiting === false) && !ocupada;

  const decir = useRef({ alOcupar, alTerminar });
  decir.current = { alOcupar, alTerminar };
  useEffect(() => decir.current.alOcupar(ocupada), [ocupada]);
  useEffect(() => {
    if (hecho || sobra) decir.current.alTerminar();
  }, [hecho, sobra]);
  useEffect(() => {
    // Under a thumb a field opens by touch.
    if (isWaiting && conFoco && isFocusFree() && window.matchMedia('(pointer: fine)').matches)
      focusOn(caja.current?.querySelector<HTMLElement>('[data-foco]'));
  }, [isWaiting, conFoco, caja]);
  return { ficha, espera: isWaiting, ocupada, lugar, fallo, reintentar };
}
