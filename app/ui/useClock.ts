import { useEffect, useState } from 'react';

const TICK_MS = 10_000;

/** The server's clock, going on from the instant it told: what the browser's own says may be wrong. */
export function useClock(ahora: string, everyMs = TICK_MS): number {
  const [gone, setGone] = useState(0);
  useEffect(() => {
    const began = performance.now();
    setGone(0);
    const timer = setInterval(() => setGone(performance.now() - began), everyMs);
    return () => clearInterval(timer);
  }, [ahora, everyMs]);
  return Date.parse(ahora) + gone;
}
