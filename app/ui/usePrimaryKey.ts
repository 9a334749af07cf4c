import { useEffect } from 'react';
import { holdEnter, pressPrimary } from './keys';

export function usePrimaryKey() {
  useEffect(() => {
    document.addEventListener('keydown', holdEnter);
    document.addEventListener('keydown', pressPrimary);
    return () => {
      document.removeEventListener('keydown', holdEnter);
      document.removeEventListener('keydown', pressPrimary);
    };
  }, []);
}
