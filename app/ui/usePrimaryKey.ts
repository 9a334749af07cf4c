import { useEffect } from 'react';
import { listenToWriting } from './typing';
import { listenToRefusals } from './validity';
import { holdEnter, pressPrimary } from './keys';

/** Installs the keys of every page: Ctrl+Enter for the primary button, Enter where nothing is sent, capitals while typing, and our words for what the browser refuses. */
export function usePrimaryKey() {
  useEffect(listenToWriting, []);
  useEffect(listenToRefusals, []);
  useEffect(() => {
    document.addEventListener('keydown', holdEnter);
    document.addEventListener('keydown', pressPrimary);
    return () => {
      document.removeEventListener('keydown', holdEnter);
      document.removeEventListener('keydown', pressPrimary);
    };
  }, []);
}
