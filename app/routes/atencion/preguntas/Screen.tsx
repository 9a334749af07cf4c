import type { ReactNode } from 'react';
import { useLocation } from '@remix-run/react';
import { Asked } from '~/ui/useAnswer';

/** What surrounds a list of questions: the question its action asks back. */
export function PreguntasAround({ children }: { children: ReactNode }) {
  const { search } = useLocation();
  return (
    <>
      <Asked cancelar={search || '?'} />
      {children}
    </>
  );
}
