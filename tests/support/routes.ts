import routes from '~/routes';

export type Entry = { id: string; file: string; path: string; url: string; index: boolean };

export const SOME_ID = '019a0000-0000-7000-8000-000000000000';

/** Every route of the product: its address as it is declared, and one to try it at. */
export function entriesOf(list: typeof routes = routes, base = ''): Entry[] {
  return list.flatMap((route) => {
    const path = route.path ? `${base}/${route.path}` : base;
    const url = path.replace(/:(\w+)\??/g, SOME_ID).replace('*', 'no/existe');
    const entry = { id: route.id!, file: route.file, path: path || '/', url: url || '/', index: route.index === true };
    return [entry, ...entriesOf(route.children ?? [], path)];
  });
}
