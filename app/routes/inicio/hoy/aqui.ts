import type { Linea } from '~/platform/hoy/hoy.server';

/** The props of the component that lets a person see to one thing of a queue where it is told. */
export type AquiProps = {
  cosa: Pick<Linea, 'id' | 'titulo' | 'a'>;
  area: string;
  /** A value that changes whenever the page read its data again: the thing is then read again too. */
  corte: string;
  /** True after the thing before was done by somebody who was in its form: the field of this one then takes the focus. */
  conFoco: boolean;
  /** Tells whether this person has something in the form, which then stays whatever the queue does. */
  alOcupar: (ocupada: boolean) => void;
  /** Tells that the thing is done, or waits no more. */
  alTerminar: () => void;
  /** Tells that the thing waits, and that nothing can be done about it here: the next one stands open in its place. */
  alPasar: () => void;
};
