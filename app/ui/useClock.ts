import { useEffect, useState } from 'react';
import { toInstant } from '~/core/time';

const TICK_MS = 10_000;

/** Returns the server's clock, running on from the instant the server told, since the browser's own clock may be wrong. */
export function useClock(ahora: string, everyMs = TICK_MS): number {
  const [gone, setGone] = useState(0);
  useEffect(() => {
    const began = performance.now();
    setGone(0);
    const timer = setInterval(() => setGone(performance.now() - began), everyMs);
    return () => clearInterval(timer);
  }, [ahora, everyMs]);
  return toInstant(ahora).getTime() + gone;
}
