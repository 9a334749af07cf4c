import { useEffect } from 'react';
import { listenToWriting } from './alEscribir';
import { holdEnter, pressPrimary } from './keys';

/** What the keyboard does wherever it is: the primary button, Enter where nothing is sent, capitals as they are typed. */
export function usePrimaryKey() {
  useEffect(listenToWriting, []);
  useEffect(() => {
    document.addEventListener('keydown', holdEnter);
    document.addEventListener('keydown', pressPrimary);
    return () => {
      document.removeEventListener('keydown', holdEnter);
      document.removeEventListener('keydown', pressPrimary);
    };
  }, []);
}
