import { useCallback, useEffect, useRef, useState } from 'react';

type Found<T> = { about: string; answer: T };

/**
 * Returns a look-up beside a form, which stays usable. Only the last request counts, and a failed one is no error of the page. `failed` stays true until the
 * next request.
 */
export function useLookUp<T>() {
  const [state, setState] = useState<{ asking: boolean; failed: boolean; found: Found<T> | undefined }>({
    asking: false,
    failed: false,
    found: undefined,
  });
  const last = useRef<AbortController>();
  useEffect(() => () => last.current?.abort(), []);
  const ask = useCallback((about: string, url: string) => {
    last.current?.abort();
    const own = new AbortController();
    last.current = own;
    setState({ asking: true, failed: false, found: undefined });
    void read<T>(url, own.signal).then((answer) => {
      if (own.signal.aborted) return;
      setState({ asking: false, failed: answer === undefined, found: answer && { about, answer } });
    });
  }, []);
  return { ...state, ask };
}

async function read<T>(url: string, signal: AbortSignal): Promise<T | undefined> {
  try {
    const answer = await fetch(url, { signal, headers: { Accept: 'application/json' } });
    return answer.ok && !answer.redirected ? ((await answer.json()) as T) : undefined;
  } catch {
    return undefined;
  }
}
