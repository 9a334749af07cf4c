import { useCallback, useEffect, useRef, useState } from 'react';
import { useHydrated } from './useHydrated';

/**
 * For a button that waits until certain fields are filled. Use it so: `const [filled, watch] = useFilled('usuario',
 * 'password')`, then `{...watch}` on the form and `disabled={!filled}` on the button. Before hydration it says
 * filled: without JavaScript nobody would enable the button.
 */
export function useFilled(...names: string[]) {
  const hydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const [filled, setFilled] = useState(true);
  const last = useRef(true);
  const wanted = names.join(' ');

  const look = useCallback(() => {
    if (!form.current) return;
    const typed = new FormData(form.current);
    const now = wanted.split(' ').every((name) => String(typed.get(name) ?? '').trim() !== '');
    // React may call the component again for an unchanged state and skip its children, so an unchanged value is not set.
    if (now === last.current) return;
    last.current = now;
    setFilled(now);
  }, [wanted]);
  // The browser's memory or the server may have filled the form without typing.
  useEffect(look);

  return [!hydrated || filled, { ref: form, onInput: look, onFocus: look, onReset: () => setTimeout(look) }] as const;
}
