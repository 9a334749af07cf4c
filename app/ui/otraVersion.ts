/** The router as the browser has it: where it leads to while the data of a page are on their way. */
type Router = { state: { location: Place; navigation: { location?: Place; formMethod?: string } } };
type Place = { pathname: string; search: string };
const page = () => window as Window & { __remixManifest?: { version: string }; __remixRouter?: Router };

let leaving = false;
/** True while this page leaves by itself for its newer version. What was typed is kept in its tab, so nobody is asked. */
export const isLeavingByItself = () => leaving;

/** Returns the version of the files that this page runs. */
export const ownVersion = () => page().__remixManifest?.version ?? '';

const addressOf = ({ pathname, search }: Place) => pathname + search;

/**
 * Returns the address of the page that the router is opening; undefined where it reads the open page again. The data after a form that was taken belong to its
 * answer, which only this page can tell.
 */
export function pageOnItsWay(): string | undefined {
  const { location: here, navigation } = page().__remixRouter?.state ?? {};
  const address = navigation?.location && addressOf(navigation.location);
  return navigation?.formMethod && address === addressOf(here!) ? undefined : address;
}

/** Lets the browser open an address, with the files of its version. */
export function openAnew(address: string): Promise<never> {
  leaving = true;
  location.assign(address);
  return new Promise(() => {});
}

/** Opens this page again once a refusal was read whose form is of another version. */
export function openAnewAfter(answer: { otraForma?: true } | undefined): void {
  if (answer?.otraForma) void openAnew(addressOf(location));
}

const RELOADED = 'recargada';

/** Opens this page again, once in a minute. Throws where that did not help. */
export function reloadOnce(reason: unknown): Promise<never> {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < 60_000) throw reason;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  return openAnew(addressOf(location));
}
