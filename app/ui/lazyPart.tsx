import { lazy, useState, type ComponentType } from 'react';
import { reloadOnce } from './otraVersion';

/** For each known part, a promise of its file where the page came with the part. */
const known: (() => Promise<unknown> | undefined)[] = [];

/**
 * Defines a part that a browser fetches when the part is first shown, or earlier by `prefetch`. The server has the part from the start, so its HTML stands in
 * the page without scripts too. The part has to be shown inside a `<Suspense>`. `name` is unique in the product. Where the file cannot be had the page is loaded again,
 * as Remix does for a screen: a new version has other names.
 */
export function lazyPart<Props extends object>(
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
  // A failure is silent here; opening the part asks again.
  const prefetch = () => void fetch().catch(() => undefined);
  if (import.meta.env.SSR) prefetch();
  else {
    // The file is fetched at once where the part's place in the page arrived before this module.
    const coming = isInPage() ? fetch() : undefined;
    known.push(() => coming ?? (isInPage() ? fetch() : undefined));
  }
  const Later = lazy(() => fetch().catch(reloadOnce)) as unknown as ComponentType<Props>;

  function Part(props: Props) {
    // The component stays the same while it is shown: typed text survives when the file arrives by another way.
    const [Shown] = useState(() => here ?? Later);
    return (
      <>
        <Shown {...props} />
        <template data-parte={name} />
      </>
    );
  }
  return { Part, prefetch, isHere: () => here !== undefined };
}

/**
 * Resolves when the files of all parts that the server wrote into this page are there. React hydrates only then: a part still under way when the page changes
 * around it would be drawn anew, and its typed text lost.
 */
export async function partsOfThisPage(): Promise<void> {
  // Module scripts may run before the whole document arrived.
  if (document.readyState === 'loading')
    await new Promise((arrived) => document.addEventListener('DOMContentLoaded', arrived, { once: true }));
  // A part may bring further parts.
  for (let at = 0; at < known.length; at += 1) await known[at]!();
}
