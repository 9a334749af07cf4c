import { useEffect, useRef, useState } from 'react';
import { useOnChange } from './useOnChange';

/**
 * Returns the loader's value, kept fresh: while the value `moves` and somebody is looking, `source` (JSON of the same shape) is asked every `everyMs`.
 * `onStill` is called once, when an answer no longer moves.
 */
export function useLive<T>(
  loaded: T,
  source: string,
  { moves, everyMs, onStill }: { moves: (now: T) => boolean; everyMs: number; onStill?: () => void },
): T {
  const [now, setNow] = useState(loaded);
  useOnChange(loaded, () => setNow(loaded));
  const latest = useRef({ moves, onStill });
  latest.current = { moves, onStill };
  const moving = moves(now);
  useEffect(() => {
    if (!moving) return;
    const end = new AbortController();
    const look = async () => {
      if (document.visibilityState !== 'visible') return;
      const answer = await fetch(source, { signal: end.signal, headers: { Accept: 'application/json' } });
      if (!answer.ok || answer.redirected) return;
      const fresh = (await answer.json()) as T;
      setNow(fresh);
      if (!latest.current.moves(fresh)) latest.current.onStill?.();
    };
    const timer = setInterval(() => void look().catch(() => undefined), everyMs); // A failed look is silent; the next one tells.
    return () => {
      clearInterval(timer);
      end.abort();
    };
  }, [moving, source, everyMs]);
  return now;
}
