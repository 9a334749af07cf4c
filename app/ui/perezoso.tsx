import { lazy, type ComponentType } from 'react';

/**
 * A part that a browser fetches when it is first shown, or when `anticipar` says that it soon will be. The server has it at hand from the start: what it
 * writes into a page stands there without scripts too. To be shown inside a `<Suspense>`.
 */
export function perezoso<Props extends object>(fetchIt: () => Promise<{ default: ComponentType<Props> }>) {
  let here: ComponentType<Props> | undefined;
  const anticipar = () =>
    void fetchIt().then(
      (module) => (here = module.default),
      // Whoever opens it asks again, and is told then.
      () => undefined,
    );
  if (import.meta.env.SSR) anticipar();
  const Later = lazy(fetchIt) as unknown as ComponentType<Props>;
  const Part = (props: Props) => {
    const Shown = here ?? Later;
    return <Shown {...props} />;
  };
  return { Part, anticipar };
}
