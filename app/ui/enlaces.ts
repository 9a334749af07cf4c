import { openAnew, pageOnItsWay } from './otraVersion';
import { pathOf, pause, probe, readRed, retry, subscribeRed, tellClosed } from './red';

/** What the build asks in the place of Remix's reload of the page where the files of a screen do not arrive (`bin/lib/sinRecargar.mjs`): true, the page stays. */
const page = () => window as Window & { sinArchivos?: () => boolean };

let pressed: HTMLAnchorElement | null | undefined;
const words = () => pressed?.ariaLabel ?? pressed?.innerText.split('\n')[0];

/**
 * Keeps the page where a link is pressed without a network. What the router opens waits, a page whose files do not arrive is opened by the browser once the server
 * answers, and a link that only the browser can open stays unopened until 'Reintentar'.
 */
export function keepPageAtLinks(): void {
  const note = ({ target }: MouseEvent) => void (pressed = (target as Element).closest('a'));
  window.addEventListener('click', note, true);
  window.addEventListener('click', holdLink);
  // A browser that says that it is offline may stand beside its server.
  window.addEventListener('offline', () => void probe());
  page().sinArchivos = () => {
    void openLater();
    return true;
  };
  listenToScreens();
  let perdida = false;
  subscribeRed(() => {
    if (perdida === readRed().perdida) return;
    perdida = !perdida;
    if (!perdida) return;
    if (pageOnItsWay() === undefined) retry.now = probe;
    else tellClosed(words());
  });
}

/** What a screen asks by itself is the screen's own matter, and the first that is heard of a network that goes and comes. */
function listenToScreens(): void {
  const asks = window.fetch;
  window.fetch = (input, init) => {
    const answer = asks(input, init);
    if (pathOf(input) !== undefined)
      void answer.then(
        () => readRed().perdida && void probe(),
        (error: unknown) => error instanceof TypeError && void probe(),
      );
    return answer;
  };
}

function holdLink(event: MouseEvent): void {
  const link = pressed;
  if (!readRed().perdida || link?.origin !== location.origin || link.hash) return;
  tellClosed(words());
  if (event.defaultPrevented) return;
  event.preventDefault();
  retry.now = () => probe().then(() => readRed().perdida || link.click());
}

/** Opens the page whose files did not arrive, unless the person went elsewhere meanwhile. */
async function openLater(): Promise<void> {
  const address = pageOnItsWay() ?? location.pathname + location.search;
  for (let attempt = 0; ; attempt++) {
    await probe();
    if ((pageOnItsWay() ?? address) !== address) return;
    if (!readRed().perdida) return void openAnew(address);
    await pause(attempt);
  }
}
