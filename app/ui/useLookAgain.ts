import { useRevalidator } from '@remix-run/react';
import { useEffect } from 'react';
import type { Answer } from '~/core/submission';

/** After a refusal because something moved, the page shows what stands now: an answer of 4xx does not run the loaders again. */
export function useLookAgain(answer: Answer | undefined) {
  const { revalidate } = useRevalidator();
  const id = answer?.choque && answer.id;
  useEffect(() => {
    if (id !== undefined) revalidate();
  }, [id, revalidate]);
}
