import { useRef } from 'react';
import { useBrowserLayout } from './useBrowserLayout';

/**
 * For a field that nobody controls and that shows what the server has whenever that is another: `ref={useServed(value)}` beside its default. It stays the same
 * field; a new one in its place would drop the focus. What was typed before the page woke up is left alone.
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
