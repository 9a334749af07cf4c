import { useRevalidator } from '@remix-run/react';
import { useEffect, type ReactNode } from 'react';
import { Titular } from './Titular';

const CADA_MS = 2_000;

/** The page waits for an answer from outside: it says so and asks again by itself, without JavaScript too. */
export function EnEspera({ titulo, children }: { titulo: string; children: ReactNode }) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && revalidate(), CADA_MS);
    return () => clearInterval(timer);
  }, [revalidate]);
  return (
    <section className="hoja media" aria-live="polite" aria-busy="true" data-espera="">
      <noscript>
        <meta httpEquiv="refresh" content="4" />
      </noscript>
      <Titular className="girando">{titulo}</Titular>
      <div>{children}</div>
    </section>
  );
}
