import { useEffect } from 'react';
import { listenToWriting } from './typing';
import { holdEnter, pressPrimary } from './keys';

/** Installs the keys of every page: Ctrl+Enter for the primary button, Enter where nothing is sent, and capitals while typing. */
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
