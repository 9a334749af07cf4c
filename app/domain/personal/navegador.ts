/** Browsers by their word in a User-Agent. Each names its ancestors too, so the first that is found is the one. */
const NAVEGADORES: readonly [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SISTEMAS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Returns the device of a session in words ('Chrome en Windows'); 'Un programa' for a User-Agent of no browser. */
export function dispositivoDicho(navegador: string | null): string {
  if (!navegador) return 'Sin dato';
  const named = (table: readonly [RegExp, string][]) => table.find(([sign]) => sign.test(navegador))?.[1];
  const [cual, donde] = [named(NAVEGADORES), named(SISTEMAS)];
  return cual ? [cual, donde].filter(Boolean).join(' en ') : 'Un programa';
}
