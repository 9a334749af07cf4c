import { useEffect } from 'react';
import { pressPrimary } from './keys';

export function usePrimaryKey() {
  useEffect(() => {
    document.addEventListener('keydown', pressPrimary);
    return () => document.removeEventListener('keydown', pressPrimary);
  }, []);
}
