import { vi } from 'vitest';

const unexpected: string[] = [];
let expected: { pattern: RegExp; seen: boolean }[] = [];

/** This test will make somebody write such a line with console.error; without it, any such line fails the test. */
export function expectConsoleError(pattern: RegExp) {
  expected.push({ pattern, seen: false });
}

export function watchConsole() {
  vi.spyOn(console, 'error').mockImplementation((...words: unknown[]) => {
    const text = words.map((word) => (word instanceof Error ? (word.stack ?? word.message) : String(word))).join(' ');
    const match = expected.find(({ pattern }) => pattern.test(text));
    if (match) match.seen = true;
    else unexpected.push(text);
  });
}

/** Throws for what was said and not expected, and for what was expected and not said. */
export function settleConsole() {
  const said = unexpected.splice(0);
  const silent = expected.filter(({ seen }) => !seen);
  expected = [];
  if (said.length > 0) throw new Error(`console.error que nadie esperaba:\n${said.join('\n')}`);
  if (silent.length > 0) throw new Error(`console.error esperado que no llegó: ${silent.map(({ pattern }) => pattern).join(', ')}`);
}
