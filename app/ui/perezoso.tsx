import { lazy, useState, type ComponentType } from 'react';

/** Of each part that is known, the way to it if the page came with it. */
const known: (() => Promise<unknown> | undefined)[] = [];

/**
 * A part that a browser fetches when it is first shown, or when `anticipar` says that it soon will be. The server has it at hand from the start: what it
 * writes into a page stands there without scripts too. To be shown inside a `<Suspense>`. `name` tells it from all others.
 */
export function perezoso<Props extends object>(
  name: string,
  fetchIt: () => Promise<{ default: ComponentType<Props> }>,
) {
  let here: ComponentType<Props> | undefined;
  const fetch = () =>
    fetchIt().then((module) => {
      here = module.default;
      return module;
    });
  const isInPage = () => document.querySelector(`template[data-parte="${name}"]`) !== null;
  // Whoever opens it asks again, and is told then.
  const anticipar = () => void fetch().catch(() => undefined);
  if (import.meta.env.SSR) anticipar();
  else {
    // On its way at once, where its place in the page has arrived before this file has.
    const coming = isInPage() ? fetch() : undefined;
    known.push(() => coming ?? (isInPage() ? fetch() : undefined));
  }
  const Later = lazy(() => fetch().catch(reloaded)) as unknown as ComponentType<Props>;

  function Part(props: Props) {
    // The same for as long as it is shown: what is typed in it stays when its file arrives by another way.
    const [Shown] = useState(() => here ?? Later);
    return (
      <>
        <Shown {...props} />
        <template data-parte={name} />
      </>
    );
  }
  return { Part, anticipar, isHere: () => here !== undefined };
}

/**
 * When the parts are there that the server wrote into this page. Only then does React take the page over: a part that is still on its way when the page
 * changes around it would be drawn anew, and what was typed in it lost.
 */
export async function partsOfThisPage(): Promise<void> {
  // Scripts of a page do not wait for all of it.
  if (document.readyState === 'loading')
    await new Promise((arrived) => document.addEventListener('DOMContentLoaded', arrived, { once: true }));
  // A part may bring others.
  for (let at = 0; at < known.length; at += 1) await known[at]!();
}

/** After a new version was put in place its files have other names: the page of the new one knows them. Remix does the same for a screen. */
function reloaded(): Promise<never> {
  location.reload();
  return new Promise(() => {});
}
