import type { FetcherWithComponents } from '@remix-run/react';
import { createContext, useContext } from 'react';
import type { Answer } from '~/core/submission';

/** The place of a form that stands outside its own screen: the address that takes it, and the fetcher that sends it and brings its answer. */
export type Lugar = Pick<FetcherWithComponents<Answer>, 'Form' | 'state' | 'formData'> & {
  action: string;
  answer: Answer | undefined;
};

/**
 * Around a form of another screen: the form is sent to that screen, its answer comes to the form alone (`EN_SU_LUGAR`), and the page stays. Without it a form
 * belongs to the screen it stands on.
 */
export const EnOtroLugar = createContext<Lugar | null>(null);

export const useLugar = (): Lugar | null => useContext(EnOtroLugar);
