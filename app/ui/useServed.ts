import { useRef } from 'react';
import { useBrowserLayout } from './useBrowserLayout';

/**
 * Returns a ref for an uncontrolled field that follows the server's value: `ref={useServed(value)}` beside the default. The element stays the same, since a new
 * one would drop the focus. Text typed before hydration stays.
 */
export function useServed(value: string | boolean) {
  const field = useRef<HTMLInputElement>(null);
  const shown = useRef(value);
  useBrowserLayout(() => {
    if (shown.current === value) return;
    shown.current = value;
    if (!field.current) return;
    if (typeof value === 'boolean') field.current.checked = value;
    else field.current.value = value;
  }, [value]);
  return field;
}
