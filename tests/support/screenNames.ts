import { SCREENS } from '~/access/screens';

const KEYS = new Map<string, string>(Object.entries(SCREENS).map(([key, { file }]) => [file, key]));

/** The key of the screen that a module of `app/routes` is, whatever folder it lies in; of any other module its path below `routes`. */
export function screenName(path: string): string {
  const file = path.slice(path.indexOf('routes/'));
  return KEYS.get(file) ?? file.replace(/^routes\/|\.tsx?$/g, '');
}
