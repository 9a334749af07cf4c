import { useEffect, useState } from 'react';
import { remember } from '../remember';

type Otro = { nombre: string; escribe: boolean };

/** How often a panel says that it is open, and asks who else has it. */
const EVERY_MS = 6_000;
/** How long after the last key a person counts as writing. */
const WRITES_MS = 10_000;

/** Names of who else has this record open, and who of them writes. `que` is its noun and id, `url` the address that keeps it. */
export function Presencia({ que, url }: { que: string; url: string }) {
  const [otros, setOtros] = useState<Otro[]>([]);
  useEffect(() => {
    let typedAt = -WRITES_MS;
    const end = new AbortController();
    const typed = ({ target }: Event) => {
      if (target instanceof Element && target.closest('.lado, .aqui, .hoja')) typedAt = performance.now();
    };
    const beat = async () => {
      if (document.visibilityState !== 'visible') return;
      const escribe = performance.now() - typedAt < WRITES_MS;
      remember(url, { intent: 'estoy', que, ...(escribe && { escribe: '1' }) });
      const answer = await fetch(`${url}?que=${que}`, { signal: end.signal }).catch(() => undefined);
      // Without an answer nobody knows who is there.
      setOtros(answer?.ok ? ((await answer.json()) as { otros: Otro[] }).otros : []);
    };
    const ask = () => void beat().catch(() => undefined);
    ask();
    const timer = setInterval(ask, EVERY_MS);
    document.addEventListener('input', typed);
    return () => {
      end.abort();
      clearInterval(timer);
      document.removeEventListener('input', typed);
      setOtros([]);
    };
  }, [que, url]);
  return (
    <span className="presencia" role="status">
      {otros.map(({ nombre, escribe }) => (escribe ? `${nombre} escribe` : `${nombre} lo tiene abierto`)).join(' · ')}
    </span>
  );
}
