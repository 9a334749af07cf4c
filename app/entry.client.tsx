import { RemixBrowser } from '@remix-run/react';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { partsOfThisPage } from './ui/perezoso';
import { keepPageWithoutNetwork } from './ui/red';

// A navigation that another one overtakes ends the reading of its answer; Remix leaves the promise of that reading to nobody.
window.addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof DOMException && event.reason.name === 'AbortError') event.preventDefault();
});

/**
 * RemixBrowser suspends until the answer of the loaders, which may still be arriving, has been read. A key or a click in that while makes React
 * hydrate at once, and a root that suspends then is a root that never completes (its error 345). So it is told to start reading here, before any
 * hook of its own, and becomes a root when it has.
 */
async function loadersRead(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (suspended) {
    if (!(suspended instanceof Promise)) throw suspended;
    await suspended;
  }
}

keepPageWithoutNetwork();

void Promise.all([loadersRead(), partsOfThisPage()]).then(() =>
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <RemixBrowser />
      </StrictMode>,
    );
  }),
);
