import { RemixBrowser } from '@remix-run/react';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { partsOfThisPage } from './ui/lazyPart';
import { keepPageWithoutNetwork } from './ui/red';

// A navigation that another navigation overtakes aborts the reading of its answer, and Remix leaves the promise of the
// reading unhandled.
window.addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof DOMException && event.reason.name === 'AbortError') event.preventDefault();
});

/**
 * Resolves once the answer of the loaders has been read. RemixBrowser suspends until then, because the answer may still
 * be arriving. A key or a click in the meantime makes React hydrate at once, and a root that suspends then never
 * completes (React error 345). So RemixBrowser is called here, before any of its hooks, and becomes a root only
 * afterwards.
 */
async function loadersRead(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (suspended) {
    if (!(suspended instanceof Promise)) throw suspended;
    await suspended;
  }
}

/**
 * True for what React says when a press arrives before it has taken over every part of the page (React error 421): it draws that part itself, and the press
 * counts. Nothing failed.
 */
const isDrawnAnew = (error: unknown) =>
  error instanceof Error && /React error .421\b|before it finished hydrating/.test(error.message);

keepPageWithoutNetwork();

void Promise.all([loadersRead(), partsOfThisPage()]).then(() => {
  setTimeout(() => void import('./ui/despues').then(({ startLater }) => startLater()), 1_000);
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <RemixBrowser />
      </StrictMode>,
      { onRecoverableError: (error) => void (isDrawnAnew(error) || reportError(error)) },
    );
  });
});
