import { Suspense, useState, type ComponentType } from 'react';
import { lazyPart } from './lazyPart';

type Options = {
  /** Set where people are likely to want the part: it is fetched when the browser is idle. */ ahead?: boolean;
};

/** A part that the first load of a page leaves out, such as a dialog: `lazyPart`, with nothing in its place while its file is under way. */
export function deferredPart<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
  { ahead = true }: Options = {},
): ComponentType<Props> {
  const { Part, prefetch, isHere } = lazyPart(name, async () => ({ default: await load() }));
  if (!import.meta.env.SSR && ahead) whenIdle(prefetch);
  return function DeferredPart(props: Props) {
    // React hydrates the content of a Suspense later than the page around it, and draws it anew when the page changes first.
    const [waits] = useState(() => !isHere());
    const part = <Part {...props} />;
    return waits ? <Suspense>{part}</Suspense> : part;
  };
}

/** Fetches only for people with a mouse who do not save data: they open things at once and do not pay for bytes. */
function whenIdle(work: () => void) {
  const { saveData } = (navigator as { connection?: { saveData?: boolean } }).connection ?? {};
  if (saveData || !matchMedia('(pointer: fine)').matches) return;
  const wait = () => (window.requestIdleCallback ?? setTimeout)(work);
  if (document.readyState === 'complete') wait();
  else window.addEventListener('load', wait, { once: true });
}
